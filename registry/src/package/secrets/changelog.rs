//! Secrets in the text that is published beside a package.

use super::scan;
use crate::package::finding::{Finding, Findings, Refusal};

/// Scans a changelog like a file. Returns the warnings.
///
/// Errors: it has a certain secret.
pub fn scan_changelog(text: &str) -> Result<Vec<Finding>, Refusal> {
    let mut findings = Findings::default();
    scan(std::iter::once(("changelog", text.as_bytes())), &mut findings);
    // It is no file of the package, so the finding has no path.
    let of_changelog = |finding: Finding| Finding {
        path: None,
        column: None,
        message: finding.message.replace("this file", "the changelog"),
        ..finding
    };
    findings.take_errors().map_err(|refusal| Refusal {
        findings: refusal.findings.into_iter().map(of_changelog).collect(),
        warnings: Vec::new(),
    })?;
    Ok(findings.into_warnings().into_iter().map(of_changelog).collect())
}

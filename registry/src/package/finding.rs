//! Errors and warnings about a package.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::code;

/// An error or warning about a package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The path of the file in the package. None for the whole package.
    pub path: Option<String>,
    /// The line in the file, from 1.
    pub line: Option<u64>,
    /// One of the codes in [`code`].
    #[cfg_attr(feature = "openapi", schemars(description = "A word for programs, such as `slug_differs`."))]
    pub code: String,
    /// The problem and its remedy.
    pub message: String,
}

impl Finding {
    /// Whether only the publisher and reviewers may see the finding, because it tells where
    /// a secret may be.
    pub fn is_confidential(&self) -> bool {
        self.code.starts_with("secret_")
    }

    /// Creates a finding about the whole package.
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { path: None, line: None, code: code.into(), message: message.into() }
    }

    /// Sets the file.
    pub(super) fn at(mut self, path: &str) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Sets the line.
    pub(super) fn on(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}", path.escape_debug())?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

/// Collects errors, which refuse the package, and warnings.
#[derive(Default)]
pub(super) struct Findings {
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
    uncounted: usize,
}

/// Findings in a list. The others are only counted.
pub(super) const MAX_FINDINGS: usize = 100;

/// Findings that are collected and sorted. Later ones are only counted.
const MAX_COLLECTED: usize = 10_000;

impl Findings {
    /// Adds an error.
    pub(super) fn error(&mut self, finding: Finding) {
        if self.errors.len() < MAX_COLLECTED {
            self.errors.push(finding);
        } else {
            self.uncounted += 1;
        }
    }

    /// Adds a warning.
    pub(super) fn warn(&mut self, finding: Finding) {
        if self.warnings.len() < MAX_COLLECTED {
            self.warnings.push(finding);
        }
    }

    /// Returns the collected errors as a refusal.
    pub(super) fn check(&mut self) -> Result<(), Refusal> {
        if self.errors.is_empty() {
            return Ok(());
        }
        let uncounted = std::mem::take(&mut self.uncounted);
        Err(Refusal { findings: capped(std::mem::take(&mut self.errors), uncounted) })
    }

    /// Returns the warnings. Call [`check`](Self::check) first.
    pub(super) fn into_warnings(self) -> Vec<Finding> {
        capped(self.warnings, 0)
    }
}

fn capped(mut list: Vec<Finding>, uncounted: usize) -> Vec<Finding> {
    list.sort();
    list.dedup();
    let more = list.len().saturating_sub(MAX_FINDINGS) + uncounted;
    if more > 0 {
        list.truncate(MAX_FINDINGS);
        list.push(Finding::new(code::MORE_FINDINGS, format!("{more} more findings are not listed here")));
    }
    list
}

/// The errors in a package, sorted by path and line: at most 100 and the number of the
/// others. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The errors.
    pub findings: Vec<Finding>,
}

impl Refusal {
    /// Creates a refusal with one error.
    pub(super) fn one(finding: Finding) -> Self {
        Self { findings: vec![finding] }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, finding) in self.findings.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{finding}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_over_the_limit_are_counted() {
        let mut findings = Findings::default();
        for n in 0..250 {
            findings.error(Finding::new(code::PATH_COLON, "x").at(&format!("f{n:03}")).on(1));
        }
        let refusal = findings.check().unwrap_err();
        assert_eq!(refusal.findings.len(), MAX_FINDINGS + 1);
        assert_eq!(refusal.findings[0].to_string(), "f000:1: x");
        assert!(refusal.findings[MAX_FINDINGS].message.starts_with("150 more"));
        assert!(findings.check().is_ok());
    }
}

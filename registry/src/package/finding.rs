//! What a reader has to say about a package: errors and warnings alike.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::code;

/// One thing that is wrong, or that was done otherwise than written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The file it is about, as its path in the package; none for the whole.
    pub path: Option<String>,
    /// The line in that file, from 1.
    pub line: Option<u64>,
    /// One of [`code`].
    #[cfg_attr(feature = "openapi", schemars(description = "A word for programs, such as `slug_differs`."))]
    pub code: String,
    /// A sentence: what is wrong and what to do.
    pub message: String,
}

impl Finding {
    /// Whether it is only for the publisher and the reviewers: public records
    /// leave out what says where a secret may be.
    pub fn is_confidential(&self) -> bool {
        self.code.starts_with("secret_")
    }

    /// A finding about the package as a whole.
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { path: None, line: None, code: code.into(), message: message.into() }
    }

    /// The same, about one file.
    pub(super) fn at(mut self, path: &str) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The same, about one line.
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

/// Findings in the making: errors that will refuse the package, and warnings.
#[derive(Default)]
pub(super) struct Findings {
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
    uncounted: usize,
}

/// How many findings a list holds; the rest is a count.
pub(super) const MAX_FINDINGS: usize = 100;

/// How many are collected before the later ones are only counted.
const MAX_COLLECTED: usize = 10_000;

impl Findings {
    /// Adds something that refuses the package.
    pub(super) fn error(&mut self, finding: Finding) {
        if self.errors.len() < MAX_COLLECTED {
            self.errors.push(finding);
        } else {
            self.uncounted += 1;
        }
    }

    /// Adds something that its publisher should know.
    pub(super) fn warn(&mut self, finding: Finding) {
        if self.warnings.len() < MAX_COLLECTED {
            self.warnings.push(finding);
        }
    }

    /// The refusal, where there is one; else nothing.
    pub(super) fn check(&mut self) -> Result<(), Refusal> {
        if self.errors.is_empty() {
            return Ok(());
        }
        let uncounted = std::mem::take(&mut self.uncounted);
        Err(Refusal { findings: capped(std::mem::take(&mut self.errors), uncounted) })
    }

    /// Only for a caller that knows there are no errors: the warnings.
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

/// Why a package was refused: every offending entry, sorted by path and line,
/// at most a hundred and a count of the others. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub findings: Vec<Finding>,
}

impl Refusal {
    /// A refusal for one reason.
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
    fn long_lists_are_capped_and_counted() {
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

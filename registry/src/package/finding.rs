//! Errors and warnings about a package.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::finding_codes;
use super::level::Level;

/// An error or warning about a package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The path of the file in the package. None for the whole package.
    pub path: Option<String>,
    /// The line in the file, from 1.
    pub line: Option<u64>,
    /// The column in the line, in characters from 1, where the check knows it. It is not part of a
    /// record: only who has the package sees it.
    #[serde(skip)]
    pub column: Option<u64>,
    /// One of the codes in [`finding_codes`].
    #[cfg_attr(feature = "openapi", schemars(description = "A word for programs, such as `slug_differs`."))]
    pub code: String,
    /// The problem and its remedy.
    pub message: String,
    /// How much it matters to people who install the package. Only findings of rules and scanners have a level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
}

impl Finding {
    /// Whether only the publisher and reviewers may see the finding, because it tells where
    /// a secret may be, or what staff did.
    pub fn is_confidential(&self) -> bool {
        self.code.starts_with("secret_") || self.code == finding_codes::CONTENT_TAKEN_DOWN
    }

    /// Whether the finding matters to people who install the package, so that pages show it
    /// above the text.
    pub fn is_risk(&self) -> bool {
        self.level > Some(Level::Note)
    }

    /// Creates a finding about the whole package.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        let level = finding_codes::RULES.iter().find(|(rule, _)| *rule == code).map(|(_, level)| *level);
        Self { path: None, line: None, column: None, code: code.into(), message: message.into(), level }
    }

    /// Sets the file.
    pub fn in_file(mut self, path: &str) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Sets another level than that of the rule.
    pub fn at_level(mut self, level: Level) -> Self {
        self.level = Some(level);
        self
    }

    /// Sets the line.
    pub fn at_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// Sets the column.
    pub(super) fn at_column(mut self, column: u64) -> Self {
        self.column = Some(column);
        self
    }

    /// The finding as records have it.
    pub fn without_column(&self) -> Self {
        Self { column: None, ..self.clone() }
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
    errors: Collected,
    warnings: Collected,
}

/// Findings of one kind.
#[derive(Default)]
struct Collected {
    findings: Vec<Finding>,
    /// How many of each level are in the list: a flood of one level must not keep out those of another.
    counts: BTreeMap<Option<Level>, usize>,
    /// How many more were found.
    more: usize,
}

/// Findings in a list. The others are only counted.
pub const MAX_FINDINGS: usize = 100;

/// Findings of one level that are collected and sorted. Later ones are only counted.
const MAX_COLLECTED: usize = 10_000;

impl Findings {
    /// Adds an error.
    pub(super) fn error(&mut self, finding: Finding) {
        self.errors.add(finding);
    }

    /// Adds a warning.
    pub(super) fn warn(&mut self, finding: Finding) {
        self.warnings.add(finding);
    }

    /// Removes the collected errors and returns them as a refusal.
    pub(super) fn take_errors(&mut self) -> Result<(), Refusal> {
        let errors = std::mem::take(&mut self.errors);
        if errors.findings.is_empty() {
            return Ok(());
        }
        let warnings = std::mem::take(&mut self.warnings);
        Err(Refusal { findings: errors.list(), warnings: warnings.list() })
    }

    /// Returns the warnings, each with a level.
    pub(super) fn into_levelled(self) -> Vec<Finding> {
        self.warnings.levelled()
    }

    /// Returns the warnings. Call [`take_errors`](Self::take_errors) first.
    pub(super) fn into_warnings(self) -> Vec<Finding> {
        self.warnings.list()
    }
}

/// At most [`MAX_FINDINGS`] findings with a level, those of the highest levels first to stay. The last one has the number
/// of the others.
pub fn bounded_findings(findings: Vec<Finding>) -> Vec<Finding> {
    Collected { findings, ..Collected::default() }.levelled()
}

impl Collected {
    fn levelled(self) -> Vec<Finding> {
        let highest = self.findings.iter().filter_map(|found| found.level).max();
        let mut list = self.list();
        list.iter_mut().filter(|found| found.level.is_none()).for_each(|more| more.level = highest);
        list
    }

    fn add(&mut self, finding: Finding) {
        let count = self.counts.entry(finding.level).or_default();
        if *count < MAX_COLLECTED {
            *count += 1;
            self.findings.push(finding);
        } else {
            self.more += 1;
        }
    }

    /// Sorts the findings. The last one has the number of those without room in the list.
    fn list(self) -> Vec<Finding> {
        let mut list = self.findings;
        list.sort();
        list.dedup();
        let more = list.len().saturating_sub(MAX_FINDINGS) + self.more;
        if more > 0 {
            // A flood of others must not hide what matters.
            list.sort_by_key(|finding| std::cmp::Reverse(finding.level));
            list.truncate(MAX_FINDINGS);
            list.sort();
            let message = format!("{more} more findings are not listed here");
            list.push(Finding::new(finding_codes::MORE_FINDINGS, message));
        }
        list
    }
}

/// The errors in a package, sorted by path and line: at most 100 and the number of the
/// others. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The errors.
    pub findings: Vec<Finding>,
    /// What would have been a warning without them.
    pub warnings: Vec<Finding>,
}

impl Refusal {
    /// Creates a refusal with one error.
    pub(super) fn one(finding: Finding) -> Self {
        Self { findings: vec![finding], warnings: Vec::new() }
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
            findings
                .error(Finding::new(finding_codes::PATH_COLON, "x").in_file(&format!("f{n:03}")).at_line(1));
        }
        let refusal = findings.take_errors().unwrap_err();
        assert_eq!(refusal.findings.len(), MAX_FINDINGS + 1);
        assert_eq!(refusal.findings[0].to_string(), "f000:1: x");
        assert!(refusal.findings[MAX_FINDINGS].message.starts_with("150 more"));
        assert!(findings.take_errors().is_ok());
    }

    #[test]
    fn warnings_that_are_not_collected_are_counted() {
        let mut findings = Findings::default();
        for n in 0..MAX_COLLECTED + 7 {
            findings.warn(Finding::new(finding_codes::JUNK_DROPPED, "x").in_file(&format!("f{n:05}")));
        }
        let warnings = findings.into_warnings();
        assert_eq!(warnings.len(), MAX_FINDINGS + 1);
        let more = format!("{} more", MAX_COLLECTED + 7 - MAX_FINDINGS);
        assert!(warnings[MAX_FINDINGS].message.starts_with(&more), "{}", warnings[MAX_FINDINGS].message);
    }

    #[test]
    fn flood_of_warnings_does_not_hide_an_error() {
        let mut findings = Findings::default();
        for n in 0..MAX_COLLECTED + 7 {
            findings.warn(Finding::new("x", "x").at_level(Level::Warning).at_line(n as u64));
        }
        findings.warn(Finding::new("x", "x").in_file("z").at_level(Level::Error));
        let warnings = findings.into_warnings();
        assert_eq!(warnings.iter().filter(|found| found.level == Some(Level::Error)).count(), 1);
    }
}

//! Verdicts of scanners about versions, and the row of one.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Revision;
use crate::package::{Finding, Level, RULES_VERSION};
use crate::time::Timestamp;

/// The scanner of the registry's own rules. Its verdict is part of the row of a publication.
pub const OWN_SCANNER: &str = "skillmirror";

/// The scanners whose verdicts a version keeps. Those of further ones are ignored.
pub const MAX_SCANNERS: usize = 16;

/// The most characters of the name of a scanner, and of its version.
const MAX_NAME: usize = 32;
pub(crate) const MAX_SCANNER_VERSION: usize = 64;

/// Whether a text can be the name of a scanner: `a-z`, `0-9` and `-`.
pub fn is_scanner_name(text: &str) -> bool {
    let is_valid = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (1..=MAX_NAME).contains(&text.len()) && text.bytes().all(is_valid)
}

/// What one version of a scanner said about a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScanVerdict {
    /// The name of the scanner in the settings.
    pub scanner: Box<str>,
    /// Its version.
    pub scanner_version: Box<str>,
    /// What it found, each with a level.
    pub findings: Vec<Finding>,
}

impl ScanVerdict {
    /// The verdict in a few numbers.
    pub fn summary(&self) -> VerdictSummary {
        VerdictSummary::of(&self.scanner, &self.scanner_version, &self.findings)
    }
}

/// A verdict in a few numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "VerdictSummary"))]
#[serde(rename_all = "camelCase")]
pub struct VerdictSummary {
    /// The name of the scanner: `skillmirror` for the registry's own rules.
    pub scanner: Box<str>,
    /// Its version.
    pub scanner_version: Box<str>,
    /// The highest level of a finding. None: the scanner found nothing.
    pub level: Option<Level>,
    /// The number of errors.
    pub errors: u32,
    /// The number of warnings.
    pub warnings: u32,
    /// The number of notes.
    pub notes: u32,
}

impl VerdictSummary {
    /// Counts the findings that have a level.
    fn of(scanner: &str, scanner_version: &str, findings: &[Finding]) -> Self {
        let count = |level| findings.iter().filter(|found| found.level == Some(level)).count() as u32;
        Self {
            scanner: scanner.into(),
            scanner_version: scanner_version.into(),
            level: findings.iter().filter_map(|found| found.level).max(),
            errors: count(Level::Error),
            warnings: count(Level::Warning),
            notes: count(Level::Note),
        }
    }

    /// The verdict of the own rules. Those of a package are warnings with a level.
    pub fn of_own_rules(warnings: &[Finding]) -> Self {
        Self::of(OWN_SCANNER, RULES_VERSION, warnings)
    }

    /// Whether people want to read it: not that the own rules, which judge everything, found nothing.
    pub fn is_told(&self) -> bool {
        self.level.is_some() || &*self.scanner != OWN_SCANNER
    }

    /// Whether it counts these findings.
    pub(super) fn counts(&self, findings: &[Finding]) -> bool {
        *self == Self::of(&self.scanner, &self.scanner_version, findings)
    }
}

impl fmt::Display for VerdictSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} found ", self.scanner, self.scanner_version)?;
        let counts = [(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")];
        let counts: Vec<String> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, of)| format!("{count} {of}{}", if count == 1 { "" } else { "s" }))
            .collect();
        f.write_str(&if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") })
    }
}

/// The newest verdict of a scanner about a version or a submission. Its findings are only in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictEntry {
    /// The verdict in a few numbers.
    pub summary: VerdictSummary,
    /// The time.
    pub at: Timestamp,
    /// The row that has it.
    pub revision: Revision,
}

/// Replaces the verdict of the same scanner, or adds one if there is room.
pub(crate) fn put_verdict(verdicts: &mut Vec<VerdictEntry>, entry: VerdictEntry) {
    let known = verdicts.iter().position(|known| known.summary.scanner == entry.summary.scanner);
    if let Some(known) = known.and_then(|at| verdicts.get_mut(at)) {
        *known = entry;
    } else if verdicts.len() < MAX_SCANNERS {
        verdicts.reserve_exact(1);
        verdicts.push(entry);
    }
}

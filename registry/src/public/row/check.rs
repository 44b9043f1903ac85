//! Checks a row of a feed: whether a registry could have written it. Its names are checked while it is decoded.
//!
//! The texts have the limits of publishing. Settings of the source, such as the number of files, are not limited here.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::{
    AdvisoryPublished, AdvisoryWithdrawn, Contents, MAX_ADVISORY_TEXT, MAX_ADVISORY_TITLE, MAX_RANGES,
    MAX_SCANNER_VERSION, MAX_SCANNERS, NamespaceState, OWN_SCANNER, Person, PublicChange, Published,
    ScanVerdict, VerdictSummary, Yanked, is_scanner_name,
};
use super::DecodedRow;
use crate::names::{Digest, MAX_REQUIRED, check_required};
use crate::package::skill_md_limits as limits;
use crate::package::{Finding, Level, MAX_ATTESTATION, MAX_FINDINGS, PackagePath};
use crate::text_rules::{check_bytes, check_line, check_text, check_title};

/// The most characters of a display name, and of the description of a namespace.
const MAX_DISPLAY_NAME: usize = 128;
const MAX_NAMESPACE_DESCRIPTION: usize = 2048;

/// The most KiB of a changelog, of a reason, and of other texts that publishing makes by itself.
const MAX_CHANGELOG: usize = 16;
const MAX_REASON: usize = 2;
const MAX_MADE_TEXT: usize = 16;

/// The most tags of a version, warnings about it, and earlier names of a history.
const MAX_TAGS: usize = 256;
const MAX_WARNINGS: usize = 200;
const MAX_EPOCHS: usize = 1000;

/// The most characters of a media type.
const MAX_MEDIA_TYPE: usize = 128;

impl DecodedRow {
    /// Checks all texts and lists of the change, except its large part: see [`Contents::check`]. The error is the
    /// rest of a sentence about the row.
    pub fn check(&self) -> Result<(), String> {
        match &self.change {
            PublicChange::NamespaceCreated(state) | PublicChange::NamespaceUpdated(state) => state.check(),
            PublicChange::Published(published) => published.check(),
            PublicChange::Yanked(Yanked { reason, .. })
            | PublicChange::AdvisoryWithdrawn(AdvisoryWithdrawn { reason, .. }) => {
                named("reason", reason.iter().try_for_each(|reason| check_bytes(reason, MAX_REASON)))
            }
            PublicChange::AdvisoryPublished(advisory) => advisory.check(),
            PublicChange::Scanned(scanned) => scanned.verdict.check(),
            PublicChange::TagSet(set) => set.updated_by.check(),
            PublicChange::AuthorChanged(changed) => changed.author.check(),
            PublicChange::BundleSet(bundle) => bundle.check().or_else(|(field, why)| named(field, Err(why))),
            PublicChange::PersonRenamed(person) => person.check(),
            PublicChange::RowRedacted(redacted) => {
                named("reason", check_bytes(&redacted.reason, MAX_MADE_TEXT))
            }
            PublicChange::HistoryRestored(restored) => {
                let is_epoch =
                    |epoch: &String| epoch.len() == 32 && epoch.bytes().all(|b| b.is_ascii_hexdigit());
                match restored.earlier_epochs.iter().all(is_epoch) {
                    true => at_most("earlier epochs", restored.earlier_epochs.len(), MAX_EPOCHS),
                    false => Err("has an earlier epoch that is not 32 hexadecimal digits".into()),
                }
            }
            PublicChange::Unyanked(_)
            | PublicChange::TagRemoved(_)
            | PublicChange::BundleRemoved(_)
            | PublicChange::SkillRemoved(_)
            | PublicChange::SkillRestored(_)
            | PublicChange::Redacted(_) => Ok(()),
        }
    }
}

impl Person {
    fn check(&self) -> Result<(), String> {
        named("displayName", check_title(&self.display_name, MAX_DISPLAY_NAME))
    }
}

impl NamespaceState {
    fn check(&self) -> Result<(), String> {
        named("displayName", check_title(&self.display_name, MAX_DISPLAY_NAME))?;
        named("description", check_text(&self.description, MAX_NAMESPACE_DESCRIPTION))
    }
}

impl AdvisoryPublished {
    pub(in crate::public) fn check(&self) -> Result<(), String> {
        if self.affected.is_empty() {
            return Err("has an advisory about no version".into());
        }
        at_most("affected", self.affected.len(), MAX_RANGES)?;
        named("title", check_line(&self.title, MAX_ADVISORY_TITLE))?;
        named("text", check_bytes(&self.text, MAX_ADVISORY_TEXT))
    }
}

impl Published {
    fn check(&self) -> Result<(), String> {
        self.author.check()?;
        self.published_by.check()?;
        named("name", check_line(&self.name, limits::MAX_TITLE))?;
        named("description", check_text(&self.description, limits::MAX_DESCRIPTION))?;
        if self.description.trim().is_empty() {
            return Err("has no description".into());
        }
        lines("keywords", &self.keywords, (limits::MAX_KEYWORDS, limits::MAX_KEYWORD))?;
        lines("headings", &self.headings, (limits::MAX_HEADINGS, limits::MAX_HEADING_CHARS))?;
        let bytes = self.headings.iter().map(String::len).sum();
        at_most("bytes of headings", bytes, limits::MAX_HEADINGS_BYTES)?;
        lines("bodyWords", &self.body_words, (limits::MAX_BODY_WORDS, limits::MAX_BODY_WORD_CHARS))?;
        let bytes = self.body_words.iter().map(String::len).sum();
        at_most("bytes of bodyWords", bytes, limits::MAX_BODY_WORDS_BYTES)?;
        lines("license", self.license.as_slice(), (1, limits::MAX_LICENSE))?;
        if self.homepage.as_ref().is_some_and(|homepage| !limits::is_homepage(homepage)) {
            return Err("has a homepage that is no http or https address".into());
        }
        named("changelog", check_bytes(&self.changelog, MAX_CHANGELOG))?;
        self.provenance.iter().try_for_each(|provenance| provenance.check())?;
        if self.requires.iter().any(|one| one.coordinate() == self.coordinate()) {
            return Err("requires itself".into());
        }
        named("requires", check_required(&self.requires, MAX_REQUIRED))?;
        at_most("verdicts", self.verdicts.len(), MAX_SCANNERS)?;
        self.verdicts.iter().try_for_each(VerdictSummary::check)?;
        unique("verdicts", self.verdicts.iter().map(|verdict| &*verdict.scanner))?;
        at_most("tags", self.tags.len(), MAX_TAGS)
    }
}

impl Contents {
    /// Checks the large part of a publication. The error is the rest of a sentence about the row.
    pub fn check(&self, published: &Published) -> Result<(), String> {
        if self.attestation.as_ref().map(|text| Digest::of(text.as_bytes())) != published.attestation_sha256 {
            return Err("has another attestation than it names".into());
        }
        at_most("bytes of attestation", self.attestation.as_ref().map_or(0, String::len), MAX_ATTESTATION)?;
        let sum = self.files.iter().fold(0_u64, |sum, file| sum.saturating_add(file.size));
        if (self.files.len() as u64, sum) != (published.file_count, published.unpacked_size) {
            return Err("has other files than it counts".into());
        }
        if !self.files.is_sorted_by(|a, b| a.path < b.path) {
            return Err("has a list of files that is not sorted, or names one twice".into());
        }
        for file in &self.files {
            PackagePath::parse(&file.path)
                .map_err(|why| format!("has a file whose name is refused: {}", why.message))?;
            named("contentType", check_line(&file.content_type, MAX_MEDIA_TYPE))?;
        }
        at_most("warnings", self.warnings.len(), MAX_WARNINGS)?;
        check_findings(&self.warnings)?;
        at_most("scans", self.scans.len(), MAX_SCANNERS)?;
        unique("scans", self.scans.iter().map(|scan| &*scan.scanner))?;
        for scan in &self.scans {
            scan.check()?;
            if !published.verdicts.contains(&scan.summary()) || &*scan.scanner == OWN_SCANNER {
                return Err("has the findings of a verdict that it does not name".into());
            }
        }
        for own in published.verdicts.iter().filter(|verdict| &*verdict.scanner == OWN_SCANNER) {
            if !own.counts(&self.warnings) {
                return Err("has other findings of rules than its verdict counts".into());
            }
        }
        self.metadata.iter().try_for_each(|(key, value)| named("metadata", check_value(key, value)))
    }
}

impl VerdictSummary {
    fn check(&self) -> Result<(), String> {
        if !is_scanner_name(&self.scanner) {
            return Err("has a verdict of a scanner whose name no registry allows".into());
        }
        let counts =
            [(self.errors, Level::Error), (self.warnings, Level::Warning), (self.notes, Level::Note)];
        if self.level != counts.into_iter().find(|(count, _)| *count > 0).map(|(_, level)| level) {
            return Err("has a verdict with another level than that of its findings".into());
        }
        let count = counts.into_iter().fold(0_usize, |sum, (count, _)| sum.saturating_add(count as usize));
        at_most("findings", count, MAX_FINDINGS + 1)?;
        named("scannerVersion", check_line(&self.scanner_version, MAX_SCANNER_VERSION))
    }
}

impl ScanVerdict {
    /// Checks all texts. The error is the rest of a sentence about the row.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.summary().check()?;
        at_most("findings", self.findings.len(), MAX_FINDINGS + 1)?;
        if self.findings.iter().any(|found| found.level.is_none()) {
            return Err("has a finding of a scanner without a level".into());
        }
        check_findings(&self.findings)
    }
}

/// Checks the texts of warnings, or of findings.
fn check_findings(findings: &[Finding]) -> Result<(), String> {
    for found in findings {
        let texts = [Some(&found.message), Some(&found.code), found.path.as_ref()];
        named("warnings", texts.into_iter().flatten().try_for_each(|text| check_bytes(text, MAX_MADE_TEXT)))?;
    }
    Ok(())
}

/// Checks all texts of a value of front matter.
fn check_value(key: &str, value: &Value) -> Result<(), String> {
    check_text(key, usize::MAX)?;
    match value {
        Value::String(text) => check_text(text, usize::MAX),
        Value::Array(list) => list.iter().try_for_each(|value| check_value("", value)),
        Value::Object(map) => map.iter().try_for_each(|(key, value)| check_value(key, value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

/// Names the field of a text that was refused.
fn named(field: &str, checked: Result<(), String>) -> Result<(), String> {
    checked.map_err(|why| format!("has a `{field}` that no registry writes: {why}"))
}

/// Checks a list of at most `most` lines, each of at most `most_chars` characters.
fn lines<T: AsRef<str>>(field: &str, lines: &[T], (most, most_chars): (usize, usize)) -> Result<(), String> {
    at_most(field, lines.len(), most)?;
    named(field, lines.iter().try_for_each(|line| check_line(line.as_ref(), most_chars)))
}

/// Refuses two verdicts of one scanner.
fn unique<'a>(what: &str, scanners: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    match scanners.into_iter().find(|scanner| !seen.insert(*scanner)) {
        None => Ok(()),
        Some(twice) => Err(format!("has two `{what}` of the scanner {twice}")),
    }
}

fn at_most(what: &str, count: usize, max: usize) -> Result<(), String> {
    if count <= max {
        return Ok(());
    }
    Err(format!("has {count} {what}, and a registry writes at most {max}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdict_whose_level_and_counts_differ_is_refused() {
        let checked = |level, errors, warnings| {
            let (scanner, scanner_version) = ("judge".into(), "1".into());
            VerdictSummary { scanner, scanner_version, level, errors, warnings, notes: 0 }.check()
        };
        assert_eq!(checked(Some(Level::Error), 1, 100), Ok(()));
        assert_eq!(checked(None, 0, 0), Ok(()));
        for (level, errors, warnings) in [
            (None, 0, 1),
            (Some(Level::Note), 0, 0),
            (Some(Level::Warning), 1, 0),
            (Some(Level::Error), 1, 101),
            (Some(Level::Error), u32::MAX, u32::MAX),
        ] {
            assert!(checked(level, errors, warnings).is_err(), "{level:?} {errors} {warnings}");
        }
        assert!(unique("verdicts", ["a", "b", "a"].into_iter()).is_err());
    }
}

//! One rule of a policy.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use generator::script_language::script_language;
use registry::names::{Coordinate, Digest, Version};
use registry::package::Level;
use registry::public::AdvisoryLevel;
use registry::sanitize::blank_unsafe;
use registry::time::Timestamp;

use super::facts::VersionFacts;
use super::locked::is_locked;
use crate::advisories::advisory_line;
use crate::{ClientError, RegistryAddress};

/// The suffixes of programs that are no scripts of a language that pages name.
const CODE: [&str; 12] =
    ["dll", "dylib", "exe", "jar", "jsx", "ksh", "ps1", "psm1", "pyc", "so", "vbs", "wasm"];

/// A version that is to be installed.
pub struct Subject<'a> {
    /// Its registry.
    pub registry: &'a RegistryAddress,
    /// The skill.
    pub coordinate: &'a Coordinate,
    /// The version.
    pub version: &'a Version,
    /// The digest of its package.
    pub sha256: &'a Digest,
    /// Its files, and whether each is executable. None if its registry has no list of them with the right digest, or if
    /// no rule asks for them.
    pub files: Option<Vec<(String, bool)>>,
    /// What its registry says about it.
    pub facts: &'a VersionFacts,
    /// Whether a key that the user trusts has signed it.
    pub is_proved: bool,
}

/// A rule.
#[derive(Debug)]
pub(super) enum Rule {
    AllowRegistries(Vec<String>),
    DenyRegistries(Vec<String>),
    AllowSkills(Vec<String>),
    DenySkills(Vec<String>),
    MinAge(Duration),
    Provenance(Vec<String>),
    /// None accepts no finding of a level.
    MaxVerdict(Option<Level>),
    /// None accepts no advisory.
    MaxAdvisory(Option<AdvisoryLevel>),
    OnlyLocked,
    NoExecutables,
}

/// A rule, and the line that it is from.
#[derive(Debug)]
pub struct PlacedRule {
    pub(super) rule: Rule,
    /// The name of the rule in the file.
    pub name: &'static str,
    /// The value as people write it.
    pub value: String,
    /// The file.
    pub file: PathBuf,
    /// The line in it, from 1. None in a file that people do not write.
    pub line: Option<usize>,
}

impl fmt::Display for PlacedRule {
    /// As in the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.value)
    }
}

impl PlacedRule {
    pub(super) fn new(rule: Rule, file: &Path, line: Option<usize>) -> Self {
        let (name, value) = rule.written();
        Self { rule, name, value, file: file.to_owned(), line }
    }

    /// The file, and the line in it.
    pub fn place(&self) -> String {
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{}{line}", self.file.display())
    }
}

impl Rule {
    /// Its name and value in a policy file.
    fn written(&self) -> (&'static str, String) {
        let quoted = |text: &str| format!("\"{text}\"");
        let list = |patterns: &[String]| {
            format!("[{}]", patterns.iter().map(|pattern| quoted(pattern)).collect::<Vec<_>>().join(", "))
        };
        match self {
            Self::AllowRegistries(patterns) => ("allow_registries", list(patterns)),
            Self::DenyRegistries(patterns) => ("deny_registries", list(patterns)),
            Self::AllowSkills(patterns) => ("allow_skills", list(patterns)),
            Self::DenySkills(patterns) => ("deny_skills", list(patterns)),
            Self::MinAge(age) => ("min_age", quoted(&span(age.as_secs(), false))),
            Self::Provenance(patterns) => ("provenance", list(patterns)),
            Self::MaxVerdict(level) => ("max_verdict", quoted(level.map_or("none", Level::as_str))),
            Self::MaxAdvisory(level) => ("max_advisory", quoted(level.map_or("none", AdvisoryLevel::as_str))),
            Self::OnlyLocked => ("locked", "true".into()),
            Self::NoExecutables => ("executables", "false".into()),
        }
    }

    /// Whether it accepts a version, and the fact that decides.
    pub(super) fn decide(
        &self,
        subject: &Subject<'_>,
        now: Timestamp,
    ) -> Result<(bool, String), ClientError> {
        if let Some(decided) = self.decide_by_name(subject.registry, subject.coordinate) {
            return Ok(decided);
        }
        Ok(match self {
            Self::OnlyLocked => {
                let is_locked = is_locked(subject.coordinate, subject.version, subject.sha256)?;
                (is_locked, format!("skills.lock {} it", if is_locked { "has" } else { "does not have" }))
            }
            Self::NoExecutables => match &subject.files {
                None => (false, "its registry has no list of its files with the right digest".into()),
                Some(files) => {
                    let is_code = |(path, executable): &&(String, bool)| {
                        let suffix =
                            path.rsplit_once('.').map_or("", |(_, suffix)| suffix).to_ascii_lowercase();
                        *executable || script_language(path).is_some() || CODE.contains(&&*suffix)
                    };
                    match files.iter().find(is_code) {
                        None => (true, "no file is a script or executable".into()),
                        Some((path, _)) => {
                            (false, format!("{} is a script or executable", blank_unsafe(path)))
                        }
                    }
                }
            },
            Self::Provenance(_) if subject.facts.provenance.is_some() && !subject.is_proved => {
                let (is_accepted, fact) = self.decide_by_record(subject.facts, now).unwrap_or_default();
                let unproved = "no key of its registry is trusted, so nobody can prove where it is from: use \
                                `skillmirror trust add`";
                (false, if is_accepted { unproved.into() } else { fact })
            }
            _ => self.decide_by_record(subject.facts, now).unwrap_or_default(),
        })
    }

    /// Like [`Self::decide`], for rules about registries and names alone. None for others.
    pub(super) fn decide_by_name(
        &self,
        registry: &RegistryAddress,
        skill: &Coordinate,
    ) -> Option<(bool, String)> {
        let from = || format!("it is from {registry}");
        let name = || format!("it is {}", skill.scoped());
        Some(match self {
            Self::AllowRegistries(patterns) => (patterns.iter().any(|of| is_registry(registry, of)), from()),
            Self::DenyRegistries(patterns) => (!patterns.iter().any(|of| is_registry(registry, of)), from()),
            Self::AllowSkills(patterns) => (patterns.iter().any(|of| is_skill(skill, of)), name()),
            Self::DenySkills(patterns) => (!patterns.iter().any(|of| is_skill(skill, of)), name()),
            _ => return None,
        })
    }

    /// Like [`Self::decide`], for rules about the record of a version alone. None for others.
    pub(super) fn decide_by_record(&self, facts: &VersionFacts, now: Timestamp) -> Option<(bool, String)> {
        Some(match self {
            Self::MinAge(age) => match facts.published_at {
                None => (false, "its registry does not say when it was published".into()),
                Some(at) => {
                    // A registry's clock may be ahead.
                    let passed = now.as_unix().saturating_sub(at.as_unix());
                    let passed = u64::try_from(passed).unwrap_or(0);
                    (passed >= age.as_secs(), format!("it was published {} ago", span(passed, true)))
                }
            },
            Self::Provenance(patterns) => match &facts.provenance {
                None => (false, "no job of a known repository has published it".into()),
                Some(of) => {
                    let is_required = patterns.iter().any(|pattern| of.is_from(pattern));
                    (is_required, format!("it was {} {}", of.verb(), of.built_from()))
                }
            },
            Self::MaxVerdict(most) => match &facts.verdict {
                None => (true, "no scanner has a verdict".into()),
                Some((level, scanner)) => {
                    let said = level.map_or("none", Level::as_str);
                    (level <= most, format!("{} says `{said}`", blank_unsafe(scanner)))
                }
            },
            Self::MaxAdvisory(most) => match facts.advisories.iter().max_by_key(|note| note.level) {
                None => (true, "it has no advisory".into()),
                Some(worst) => {
                    let is_accepted = most.is_some_and(|most| worst.level <= most);
                    (is_accepted, format!("it has the advisory {}", advisory_line(worst)))
                }
            },
            _ => return None,
        })
    }
}

/// Whether a pattern means a registry: its address, or a beginning with a slash before a star.
fn is_registry(registry: &RegistryAddress, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => format!("{registry}/").starts_with(beginning),
        None => pattern.parse::<RegistryAddress>().is_ok_and(|named| named == *registry),
    }
}

/// Whether a pattern means a skill: `@namespace/slug`, or `@namespace/*`.
fn is_skill(coordinate: &Coordinate, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => coordinate.scoped().starts_with(beginning),
        None => coordinate.scoped() == pattern,
    }
}

/// A span of time in its largest unit: whole, or rounded down.
fn span(seconds: u64, rounded: bool) -> String {
    let units = [(86_400, 'd'), (3600, 'h'), (60, 'm')];
    let fits =
        |(unit, _): &(u64, char)| if rounded { seconds >= *unit } else { seconds.is_multiple_of(*unit) };
    match units.into_iter().find(fits) {
        Some((unit, letter)) => format!("{}{letter}", seconds / unit),
        None => format!("{seconds}s"),
    }
}

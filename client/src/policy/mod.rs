//! The policy: rules about what may be installed, from up to four files and `trust require-provenance`.
//!
//! All files that are found hold together: a version is accepted if each rule of each file accepts it, so the strictest
//! wins. [`Policy::load`] reads them, [`Policy::decisions`] says what each rule decides and why. Every installation goes
//! through [`Release::admit`](crate::install::Release::admit).

mod choose;
mod facts;
mod file;
mod locked;
mod rule;

use std::path::{Path, PathBuf};

use registry::names::Coordinate;
use registry::time::Timestamp;

use crate::history::TrustedRegistries;
use crate::private_file;
use crate::regular_file::Links;
use crate::{ClientError, RegistryAddress};
use file::read;
use rule::Rule;

pub(crate) use choose::{best_accepted, is_accepted};
pub use facts::VersionFacts;
pub use file::check_repository;
pub use rule::{PlacedRule, Subject};

/// The file in the folder of a project.
pub const PROJECT_FILE: &str = "skillmirror-policy.toml";

/// The file of the machine's administrator.
#[cfg(unix)]
const SYSTEM_FILE: &str = "/etc/skillmirror/policy.toml";

/// Names one more file. It adds rules and cannot lift any.
const VARIABLE: &str = "SKILLMIRROR_POLICY";

/// All rules that hold.
#[derive(Debug)]
pub struct Policy {
    rules: Vec<PlacedRule>,
    now: Timestamp,
}

/// What a rule decides about a version.
#[derive(Debug)]
pub struct Decision<'p> {
    /// The rule.
    pub rule: &'p PlacedRule,
    /// Whether the rule accepts the version.
    pub is_accepted: bool,
    /// The fact about the version that decides.
    pub fact: String,
}

impl Policy {
    /// Reads all files. There may be none.
    ///
    /// Errors: a file cannot be read, is too large or has a mistake. Nothing may be installed then.
    pub fn load() -> Result<Self, ClientError> {
        let mut rules = Vec::new();
        #[cfg(unix)]
        rules.extend(read(Path::new(SYSTEM_FILE), Links::Follow)?.unwrap_or_default());
        let trusted = TrustedRegistries::load()?;
        let folder = private_file::folder()?;
        rules.extend(read(&folder.join("policy.toml"), Links::Follow)?.unwrap_or_default());
        if !trusted.required_provenance().is_empty() {
            let patterns = trusted.required_provenance().to_vec();
            rules.push(PlacedRule::new(Rule::Provenance(patterns), &folder.join("trust.json"), None));
        }
        // It may have come with somebody else's project.
        rules.extend(read(Path::new(PROJECT_FILE), Links::Refuse)?.unwrap_or_default());
        if let Some(named) = std::env::var_os(VARIABLE).filter(|named| !named.is_empty()) {
            let path = PathBuf::from(named);
            let missing = || ClientError::Policy {
                path: path.clone(),
                why: format!("there is no such file, though {VARIABLE} names it"),
            };
            rules.extend(read(&path, Links::Follow)?.ok_or_else(missing)?);
        }
        Ok(Self { rules, now: Timestamp::now() })
    }

    /// The rules, in the order of the files: those of the machine, of the user, of the project, of the variable.
    pub fn rules(&self) -> &[PlacedRule] {
        &self.rules
    }

    /// Whether a rule needs [`Subject::files`].
    pub fn needs_files(&self) -> bool {
        self.rules.iter().any(|placed| matches!(placed.rule, Rule::NoExecutables))
    }

    /// What each rule decides about a version.
    pub fn decisions(&self, subject: &Subject<'_>) -> Result<Vec<Decision<'_>>, ClientError> {
        let mut decisions = Vec::new();
        for rule in &self.rules {
            let (is_accepted, fact) = rule.rule.decide(subject, self.now)?;
            decisions.push(Decision { rule, is_accepted, fact });
        }
        Ok(decisions)
    }

    /// Why all versions of a skill are refused, by the rules about registries and names. None if they are not.
    pub fn refusal_of_name(&self, registry: &RegistryAddress, skill: &Coordinate) -> Option<String> {
        self.rules.iter().find_map(|placed| {
            let (is_accepted, fact) = placed.rule.decide_by_name(registry, skill)?;
            (!is_accepted).then(|| format!("{fact}, and {} has `{placed}`", placed.place()))
        })
    }

    /// Why a version is refused by what its record says: too young, or with a verdict or an advisory that is not accepted.
    /// None if it is not. A version without the required provenance is told instead of passed over: somebody may have
    /// published it with a stolen token.
    pub(crate) fn refusal_of_record(&self, facts: &VersionFacts) -> Option<String> {
        let refusal = |placed: &PlacedRule| {
            let (is_accepted, fact) = placed.rule.decide_by_record(facts, self.now)?;
            (!is_accepted).then(|| format!("{fact}, and {} has `{placed}`", placed.place()))
        };
        self.rules.iter().filter(|placed| !matches!(placed.rule, Rule::Provenance(_))).find_map(refusal)
    }
}

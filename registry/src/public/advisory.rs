//! Advisories: what is known to be wrong with versions of a skill.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Id, SkillName};
use crate::names::{Coordinate, NameError, Namespace, Version, VersionRange, text_forms};
use crate::public::Revision;
use crate::roles::words;
use crate::time::Timestamp;

/// The most ranges of an advisory.
pub const MAX_RANGES: usize = 16;
/// The most characters of the title of an advisory.
pub const MAX_ADVISORY_TITLE: usize = 200;
/// The most KiB of the text of an advisory.
pub const MAX_ADVISORY_TEXT: usize = 16;

/// The most advisories of a skill. The catalog ignores further ones, which only a false feed has.
pub const MAX_ADVISORIES: usize = 100;
/// The most advisories about skills of a namespace from one issuer. The catalog ignores further ones, too.
pub const MAX_ADVISORIES_OF_NAMESPACE: usize = 10_000;

/// The id of an advisory: `SKM-`, and the revision of the row that published it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AdvisoryId(pub Id);

impl FromStr for AdvisoryId {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let number = text.strip_prefix("SKM-").and_then(|number| number.parse().ok());
        number.map(Self).ok_or_else(|| NameError::new("the id of an advisory is `SKM-` and a number"))
    }
}

impl fmt::Display for AdvisoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SKM-{}", self.0)
    }
}

text_forms!(AdvisoryId);

/// How bad it is, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AdvisoryLevel {
    /// It hardly matters.
    Low,
    /// It matters in some uses.
    Moderate,
    /// It should be fixed at once.
    High,
    /// The version must not be used.
    Critical,
}

words!(
    AdvisoryLevel,
    "level of an advisory",
    Low = "low",
    Moderate = "moderate",
    High = "high",
    Critical = "critical"
);

/// In whose name an advisory was published. Only they can withdraw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AdvisoryIssuer {
    /// The admins and owners of the skill's namespace.
    Namespace,
    /// The staff of the registry.
    Registry,
}

/// An advisory was published. Its id is made from the row's revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AdvisoryPublished {
    /// The skill.
    #[serde(flatten)]
    pub skill: SkillName,
    /// The affected versions: those in any of these ranges.
    pub affected: Vec<VersionRange>,
    /// How bad it is.
    pub level: AdvisoryLevel,
    /// One line.
    pub title: String,
    /// What is wrong and what to do, in plain text.
    pub text: String,
    /// The first version without it.
    pub fixed_in: Option<Version>,
    /// In whose name it was published.
    pub issuer: AdvisoryIssuer,
}

/// An advisory was withdrawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AdvisoryWithdrawn {
    /// The skill.
    #[serde(flatten)]
    pub skill: SkillName,
    /// The advisory.
    pub advisory: AdvisoryId,
    /// Why, in the words of the person who withdrew it.
    pub reason: Option<String>,
}

/// An advisory in the catalog.
#[derive(Debug, Clone)]
pub struct Advisory {
    /// The id.
    pub id: AdvisoryId,
    /// What was published.
    pub published: AdvisoryPublished,
    /// The time of its publication.
    pub published_at: Timestamp,
    /// The time of its withdrawal, and the reason.
    pub withdrawn: Option<(Timestamp, Option<String>)>,
    modified: Revision,
}

impl Advisory {
    /// Whether it is about a version, withdrawn or not.
    pub fn is_about(&self, version: &Version) -> bool {
        self.published.affected.iter().any(|range| range.contains(version))
    }

    /// Whether it holds for a version.
    pub fn affects(&self, version: &Version) -> bool {
        self.withdrawn.is_none() && self.is_about(version)
    }

    /// The skill.
    pub fn coordinate(&self) -> Coordinate {
        self.published.skill.coordinate()
    }

    /// The time of its last change.
    pub fn modified_at(&self) -> Timestamp {
        self.withdrawn.as_ref().map_or(self.published_at, |(at, _)| *at)
    }
}

/// All advisories. They outlive a removed skill.
#[derive(Default)]
pub struct Advisories {
    by_id: BTreeMap<AdvisoryId, Box<Advisory>>,
    of_skill: HashMap<Coordinate, Vec<AdvisoryId>>,
    of_namespace: HashMap<(Namespace, AdvisoryIssuer), usize>,
    by_change: BTreeSet<(Reverse<Revision>, AdvisoryId)>,
    /// Those of `by_change` that the registry's staff issued.
    of_staff: BTreeSet<(Reverse<Revision>, AdvisoryId)>,
}

impl Advisories {
    pub(super) fn publish(&mut self, revision: Revision, at: Timestamp, published: AdvisoryPublished) {
        let (id, skill, issuer) = (AdvisoryId(Id(revision)), published.skill.coordinate(), published.issuer);
        let of_namespace = self.of_namespace.entry((skill.namespace.clone(), issuer)).or_default();
        let of_skill = self.of_skill.entry(skill).or_default();
        if of_skill.len() < MAX_ADVISORIES && *of_namespace < MAX_ADVISORIES_OF_NAMESPACE {
            *of_namespace += 1;
            of_skill.push(id);
            let advisory = Advisory { id, published, published_at: at, withdrawn: None, modified: revision };
            self.by_id.insert(id, Box::new(advisory));
            self.sort(None, revision, id, issuer);
        }
    }

    /// Puts an advisory where its last change belongs.
    fn sort(&mut self, before: Option<Revision>, now: Revision, id: AdvisoryId, issuer: AdvisoryIssuer) {
        let staff = (issuer == AdvisoryIssuer::Registry).then_some(&mut self.of_staff);
        for sorted in staff.into_iter().chain([&mut self.by_change]) {
            before.map(|before| sorted.remove(&(Reverse(before), id)));
            sorted.insert((Reverse(now), id));
        }
    }

    pub(super) fn withdraw(&mut self, revision: Revision, at: Timestamp, withdrawn: AdvisoryWithdrawn) {
        let Some(advisory) = self.by_id.get_mut(&withdrawn.advisory) else { return };
        // Only a false feed names another skill, or withdraws twice.
        if advisory.withdrawn.is_none() && advisory.published.skill == withdrawn.skill {
            advisory.withdrawn = Some((at, withdrawn.reason));
            let before = std::mem::replace(&mut advisory.modified, revision);
            let (id, issuer) = (advisory.id, advisory.published.issuer);
            self.sort(Some(before), revision, id, issuer);
        }
    }

    /// The advisory with this id.
    pub fn get(&self, id: AdvisoryId) -> Option<&Advisory> {
        self.by_id.get(&id).map(|advisory| &**advisory)
    }

    /// The advisories of a skill, removed or not, in the order of their publication. Includes withdrawn ones.
    pub fn of_skill(&self, skill: &Coordinate) -> impl Iterator<Item = &Advisory> {
        let ids = self.of_skill.get(skill).map_or(&[][..], Vec::as_slice);
        ids.iter().filter_map(|id| self.get(*id))
    }

    /// The skills with advisories, in no particular order.
    pub fn skills(&self) -> impl Iterator<Item = &Coordinate> {
        self.of_skill.keys()
    }

    /// All advisories, the last changed first. Includes withdrawn ones.
    pub fn last_changed(&self) -> impl Iterator<Item = &Advisory> {
        self.by_change.iter().filter_map(|(_, id)| self.get(*id))
    }

    /// The `most` last changed advisories, and as many of the registry's staff, which nobody else can push out. The last
    /// changed is first.
    pub fn indexed(&self, most: usize) -> impl Iterator<Item = &Advisory> {
        let last = self.by_change.iter().take(most);
        let last: BTreeSet<_> = last.chain(self.of_staff.iter().take(most)).copied().collect();
        last.into_iter().filter_map(|(_, id)| self.get(id))
    }

    /// How many advisories an issuer has published about skills of a namespace.
    pub fn count(&self, namespace: &Namespace, issuer: AdvisoryIssuer) -> usize {
        self.of_namespace.get(&(namespace.clone(), issuer)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn publish(advisories: &mut Advisories, revision: Revision, skill: &str, issuer: AdvisoryIssuer) {
        let skill = (&Coordinate::parse_scoped(skill).unwrap().unwrap()).into();
        let (title, text) = ("x".to_owned(), "x".to_owned());
        let level = AdvisoryLevel::Low;
        let published =
            AdvisoryPublished { skill, affected: Vec::new(), level, title, text, fixed_in: None, issuer };
        advisories.publish(revision, Timestamp::default(), published);
    }

    #[test]
    fn nobody_pushes_out_the_advisories_of_the_staff_or_has_too_many() {
        let mut advisories = Advisories::default();
        publish(&mut advisories, 1, "@team/hello", AdvisoryIssuer::Registry);
        for revision in 2..20_000 {
            let skill = format!("@team/skill-{}", revision / 50);
            publish(&mut advisories, revision, &skill, AdvisoryIssuer::Namespace);
        }
        let namespace = "team".parse().unwrap();
        assert_eq!(advisories.count(&namespace, AdvisoryIssuer::Namespace), MAX_ADVISORIES_OF_NAMESPACE);
        let indexed: Vec<_> = advisories.indexed(1_000).map(|advisory| advisory.id.0).collect();
        assert_eq!(
            (indexed.len(), indexed.first(), indexed.last()),
            (1_001, Some(&Id(10_001)), Some(&Id(1)))
        );
        publish(&mut advisories, 20_000, "@team/hello", AdvisoryIssuer::Registry);
        assert_eq!(
            advisories.indexed(2).map(|advisory| advisory.id.0.0).collect::<Vec<_>>(),
            [20_000, 10_001, 1]
        );
    }
}

//! Chooses versions at the registries, and finds newer ones.

use std::borrow::Cow;
use std::collections::BTreeMap;

use generator::address::Document;
use registry::api::public::{AdvisoryNote, SkillDetail, VersionRecord};
use registry::names::{Coordinate, Version};

use super::{LockedSkill, Sources, Wanted};
use crate::advisories::advisories_without_record;
use crate::install::{InstallError, Release};
use crate::policy::{Policy, best_accepted, is_accepted};
use crate::skills::resolve::versions_of;
use crate::source::parallel;
use crate::{ClientError, RegistryAddress, Requirement, SkillReference};

/// A version that was chosen for a place.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The new entry of the lock file.
    pub skill: LockedSkill,
    /// The release. Places of the same skill share it, and so its package is downloaded once.
    pub release: Release,
}

/// What a registry has for a locked skill.
#[derive(Debug, Clone)]
pub struct LockedStatus {
    /// The version that the requirement resolves to today. None if no version fits, or the policy accepts none.
    pub wanted: Option<Version>,
    /// The latest version. None if the skill is gone, or all its versions are yanked.
    pub latest: Option<Version>,
    /// Whether the locked version is yanked.
    pub is_yanked: bool,
    /// Whether the registry no longer has the locked version.
    pub is_gone: bool,
    /// The advisories that hold for the locked version.
    pub advisories: Vec<AdvisoryNote<'static>>,
}

impl LockedStatus {
    /// Whether there is something else than the locked version, or it should not be used.
    pub fn is_outdated(&self, locked: &Version) -> bool {
        self.is_gone
            || self.is_yanked
            || !self.advisories.is_empty()
            || self.wanted.as_ref().is_none_or(|wanted| wanted != locked)
            || self.latest.as_ref().is_none_or(|latest| latest > locked)
    }
}

/// Chooses a version for each wanted skill, with two or three requests for each, several at
/// once. The registries are open. An error comes with the name of its skill, once for all places.
pub fn choose_versions(
    sources: &Sources<'_>,
    wanted: &[(Wanted, RegistryAddress)],
) -> Vec<(Coordinate, Result<Choice, InstallError>)> {
    // Places of the same skill ask once, in the order in which they are given.
    let key = |(wanted, registry): &(Wanted, RegistryAddress)| {
        (wanted.coordinate.to_string(), wanted.requirement.to_string(), registry.to_string())
    };
    let mut distinct: BTreeMap<_, &(Wanted, RegistryAddress)> = BTreeMap::new();
    for each in wanted {
        distinct.entry(key(each)).or_insert(each);
    }
    let asked: Vec<_> = distinct.into_values().collect();
    let answers = parallel::map(&asked, |(wanted, registry)| {
        let source = sources.get(registry)?;
        let reference = SkillReference {
            coordinate: wanted.coordinate.clone(),
            requirement: Some(wanted.requirement.clone()),
        };
        let release = Release::resolve(source, &reference)?;
        let content_digest = release.content(source, &mut |_, _| {})?;
        Ok::<_, InstallError>((release, content_digest))
    });
    let mut found: BTreeMap<_, _> = asked.into_iter().map(key).zip(answers).collect();
    let mut choices = Vec::new();
    for each in wanted {
        let (Wanted { place, coordinate, requirement, needed, .. }, registry) = each;
        let choice = match found.get(&key(each)) {
            Some(Ok((release, content_digest))) => Ok(Choice {
                skill: LockedSkill {
                    coordinate: coordinate.clone(),
                    place: place.clone(),
                    requirement: requirement.clone(),
                    needed: needed.clone(),
                    version: release.version.clone(),
                    registry: registry.clone(),
                    sha256: release.sha256,
                    content_digest: *content_digest,
                    built_from: release.built_from(),
                },
                release: release.clone(),
            }),
            // An error is told once, for the first place.
            _ => match found.remove(&key(each)) {
                Some(Err(why)) => Err(why),
                _ => continue,
            },
        };
        choices.push((coordinate.clone(), choice));
    }
    choices
}

/// What the registries have for each locked skill, with two requests for each, several at once. The
/// registries are open.
pub fn locked_statuses(
    sources: &Sources<'_>,
    skills: &[&LockedSkill],
) -> Vec<Result<LockedStatus, ClientError>> {
    parallel::map(skills, |skill| locked_status(sources, skill))
}

/// What its registry, which is open, has for a locked skill. Sends two requests.
pub fn locked_status(sources: &Sources<'_>, locked: &LockedSkill) -> Result<LockedStatus, ClientError> {
    let source = sources.get(&locked.registry)?;
    let coordinate: &Coordinate = &locked.coordinate;
    let Some(skill) = source.document::<SkillDetail<'_>>(&Document::Skill(coordinate.clone()))? else {
        // A wrong address is an error, a removed skill is not.
        let what = format!("no skill {} at {}", SkillReference::argument(coordinate), source.address());
        return match source.missing(what, "it was removed, or renamed") {
            ClientError::NotFound(_) => Ok(LockedStatus {
                wanted: None,
                latest: None,
                is_yanked: false,
                is_gone: true,
                advisories: advisories_without_record(source, coordinate, &locked.version)?,
            }),
            why => Err(why),
        };
    };
    let versions = versions_of(source, coordinate)?;
    let policy = Policy::load()?;
    let accepted = best_accepted(&policy, &versions, &locked.requirement).cloned();
    let known = versions.iter().find(|known| *known.version == locked.version);
    let is_usable =
        |version: &Version| versions.iter().any(|known| *known.version == *version && !known.is_yanked());
    let skill = skill.summary;
    let wanted = match &locked.requirement {
        Requirement::Tag(tag) => skill.tags.get(tag).cloned().map(Cow::into_owned),
        Requirement::Exact(version) => Some(version.clone()),
        Requirement::Latest | Requirement::Range(_) => accepted,
    };
    // Without a person who asks, all that require it decide.
    let by = |version: &Version| locked.needed.by.values().all(|one| one.allows(version) != Some(false));
    let wanted = match locked.needed.is_asked {
        true => wanted,
        false => {
            let accepted = versions.iter().filter(|known| is_accepted(&policy, known));
            let fitting = accepted.map(|known| &*known.version).filter(|version| by(version));
            fitting.max_by(|a, b| a.cmp_as_latest(b)).cloned()
        }
    };
    Ok(LockedStatus {
        wanted: wanted.filter(is_usable),
        latest: skill.version.map(Cow::into_owned),
        is_yanked: known.is_some_and(VersionRecord::is_yanked),
        is_gone: known.is_none(),
        advisories: known.map(|known| known.advisories.clone()).unwrap_or_default(),
    })
}

//! Chooses what the skills of a folder require.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use generator::address::Document;
use registry::api::public::{SkillDetail, VersionRecord};
use registry::names::{Coordinate, Required, Requirement, Slug, Version};
use registry::sanitize::blank_unsafe;

use super::Lock;
use crate::install::{InstallError, Installed};
use crate::policy::{Policy, is_accepted};
use crate::skills::Needed;
use crate::skills::closure::{Candidate, Member, Root, World, solve};
use crate::skills::resolve::versions_of;
use crate::{ClientError, SkillReference, Source};

/// The most skills whose versions are asked for.
const MAX_ASKED: usize = 500;

/// A skill that is installed in a folder.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The name of its own folder.
    pub name: Slug,
    /// The version.
    pub version: Version,
    /// The registry that it is from.
    pub registry: String,
    /// The versions that were wanted.
    pub requirement: Requirement,
    /// Why it is there.
    pub needed: Needed,
}

/// The skills that are installed in one folder. It has one version of each.
#[derive(Debug, Clone, Default)]
pub struct Folder(pub BTreeMap<Coordinate, Kept>);

impl Folder {
    /// The skills that a lock file has in a folder of the project.
    pub fn of_lock(lock: &Lock, folder: &Path) -> Self {
        Self::of_record(&lock.entries_in(folder))
    }

    /// The skills in the record of a folder.
    pub fn of_record(recorded: &BTreeMap<Slug, Installed>) -> Self {
        let kept = recorded.iter().map(|(name, installed)| {
            let kept = Kept {
                name: name.clone(),
                version: installed.version.clone(),
                registry: installed.registry.clone(),
                requirement: installed.requirement(),
                needed: installed.needed.clone(),
            };
            (installed.coordinate.clone(), kept)
        });
        Self(kept.collect())
    }

    /// Whether a skill is there in this version.
    pub fn has(&self, member: &Member) -> bool {
        self.0.get(&member.skill).is_some_and(|kept| kept.version == member.version)
    }

    /// Chooses versions of the roots and of all that they require. Other skills stay as they are, unless they are
    /// required in another version.
    pub fn choose(&self, facts: &mut Facts<'_>, roots: &[Root]) -> Result<Vec<Member>, InstallError> {
        solve(&mut Here { folder: self, facts, roots }, roots)
    }

    /// Fails if two of the chosen skills, or one of them and another skill of the folder, would have one folder.
    pub fn check_names(&self, chosen: impl Iterator<Item = (Slug, Coordinate)>) -> Result<(), InstallError> {
        let mut taken: BTreeMap<Slug, Coordinate> =
            self.0.iter().map(|(skill, kept)| (kept.name.clone(), skill.clone())).collect();
        for (name, skill) in chosen {
            let why = |other: &Coordinate| {
                format!("{} and {} would both be in the folder `{name}`", other.scoped(), skill.scoped())
            };
            match taken.get(&name).filter(|other| **other != skill).map(why) {
                Some(why) => return Err(InstallError::Requirements { why }),
                None => drop(taken.insert(name, skill)),
            }
        }
        Ok(())
    }

    /// Whether a choice is only its roots: none of them requires a skill, or is required by one that stays.
    pub fn is_plain<'r>(&self, mut roots: impl Iterator<Item = (&'r Coordinate, &'r [Required])>) -> bool {
        let is_free = |skill| self.0.get(skill).is_none_or(|kept| kept.needed.by.is_empty());
        roots.all(|(skill, requires)| requires.is_empty() && is_free(skill))
    }
}

/// What a registry says about the versions of skills, each asked once.
pub struct Facts<'s> {
    source: &'s Source,
    policy: Policy,
    versions: BTreeMap<Coordinate, Vec<VersionRecord<'static>>>,
    offered: BTreeMap<(Coordinate, bool), Rc<[Candidate]>>,
}

impl<'s> Facts<'s> {
    /// Nothing yet of a registry. Fails if the policy cannot be read.
    pub fn new(source: &'s Source) -> Result<Self, ClientError> {
        Ok(Self { source, policy: Policy::load()?, versions: BTreeMap::new(), offered: BTreeMap::new() })
    }

    /// The record of a version that was offered.
    pub fn record(&self, skill: &Coordinate, version: &Version) -> Option<&VersionRecord<'static>> {
        self.versions.get(skill)?.iter().find(|record| *record.version == *version)
    }

    /// The versions that are not yanked, the best first. Asks once, and once more for tags.
    fn offered(&mut self, skill: &Coordinate, with_tags: bool) -> Result<Rc<[Candidate]>, InstallError> {
        let key = (skill.clone(), with_tags);
        if let Some(known) = self.offered.get(&key) {
            return Ok(known.clone());
        }
        if self.versions.len() >= MAX_ASKED {
            let why = format!("the versions of more than {MAX_ASKED} skills would have to be compared");
            return Err(InstallError::Requirements { why });
        }
        if !self.versions.contains_key(skill) {
            self.versions.insert(skill.clone(), versions_of(self.source, skill)?);
        }
        let tags = match with_tags {
            true => self.source.document::<SkillDetail<'_>>(&Document::Skill(skill.clone()))?,
            false => None,
        };
        let tags = tags.map(|skill| skill.summary.tags).unwrap_or_default();
        let all = self.versions.get(skill).into_iter().flatten();
        let mut usable: Vec<_> = all.filter(|record| !record.is_yanked()).collect();
        // What the policy refuses comes last: if nothing else will do, it says why.
        usable.sort_by(|a, b| {
            let [first, second] = [a, b].map(|record| is_accepted(&self.policy, record));
            second.cmp(&first).then_with(|| b.version.cmp_as_latest(&a.version))
        });
        let candidates = usable.iter().enumerate().map(|(at, record)| Candidate {
            version: record.version.clone().into_owned(),
            is_latest: at == 0,
            tags: tags
                .iter()
                .filter(|(_, version)| ***version == *record.version)
                .map(|(tag, _)| tag.clone().into_owned())
                .collect(),
            requires: record.requires.to_vec(),
        });
        let candidates: Rc<[Candidate]> = candidates.collect();
        self.offered.insert(key, candidates.clone());
        Ok(candidates)
    }
}

/// A folder, and the registry that its roots are from.
struct Here<'a, 's> {
    folder: &'a Folder,
    facts: &'a mut Facts<'s>,
    roots: &'a [Root],
}

impl Here<'_, '_> {
    /// A skill that stays if it can. None for roots.
    fn kept(&self, skill: &Coordinate) -> Option<&Kept> {
        self.folder.0.get(skill).filter(|_| !self.is_root(skill))
    }

    fn is_root(&self, skill: &Coordinate) -> bool {
        self.roots.iter().any(|root| root.skill == *skill)
    }
}

impl World for Here<'_, '_> {
    fn installed(&self, skill: &Coordinate) -> Option<Candidate> {
        let kept = self.kept(skill)?;
        let requires = self.folder.0.iter().filter_map(|(other, it)| {
            let requirement = it.needed.by.get(skill)?.clone();
            Some(Required { namespace: other.namespace.clone(), slug: other.slug.clone(), requirement })
        });
        let wanted = kept.needed.by.values().chain([&kept.requirement]);
        let tags = wanted.filter_map(|one| match one {
            Requirement::Tag(tag) => Some(tag.clone()),
            _ => None,
        });
        let (version, tags) = (kept.version.clone(), tags.collect());
        Some(Candidate { version, is_latest: false, tags, requires: requires.collect() })
    }

    fn offered(&mut self, skill: &Coordinate, with_tags: bool) -> Result<Rc<[Candidate]>, InstallError> {
        let asked = self.facts.source.registry().to_string();
        if let Some(kept) = self.kept(skill).filter(|kept| kept.registry != asked) {
            let (skill, recorded) = (SkillReference::argument(skill), blank_unsafe(&kept.registry));
            return Err(InstallError::OtherRegistry { skill, recorded, asked });
        }
        self.facts.offered(skill, with_tags)
    }

    fn standing(&self, skill: &Coordinate) -> Vec<(Requirement, String)> {
        let Some(known) = self.folder.0.get(skill) else { return Vec::new() };
        // `latest` was the latest when it was installed, and any version may follow.
        let earlier = Some(&known.requirement).filter(|_| known.needed.is_asked && !self.is_root(skill));
        let asked = earlier.map(|requirement| (requirement.clone(), "an earlier installation".to_owned()));
        let others =
            known.needed.by.iter().filter(|(by, _)| !self.is_root(by)).filter_map(|(by, requirement)| {
                let version = &self.folder.0.get(by)?.version;
                Some((requirement.clone(), format!("{} {version} (installed)", by.scoped())))
            });
        asked.into_iter().chain(others).collect()
    }
}

/// The root for a skill that is to be chosen again.
pub(super) fn root(skill: &Coordinate, requirement: &Requirement, needed: &Needed) -> Root {
    Root { skill: skill.clone(), asked: needed.is_asked.then(|| requirement.clone()) }
}

/// The error for a version that was offered and is gone.
pub(super) fn gone(member: &Member) -> InstallError {
    ClientError::NotFound(format!("{} {} is gone meanwhile", member.skill.scoped(), member.version)).into()
}

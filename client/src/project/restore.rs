//! Brings the folders of a project in line with its lock file.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

use registry::names::Slug;

use super::{LockedSkill, Sources};
use crate::Source;
use crate::history::{ProvedVersion, SignedHistory};
use crate::install::{
    InstallError, Installed, Outcome, Placement, Release, SkillsFolder, recorded_skills, recover_folder,
};
use crate::skills::Yank;
use crate::source::parallel;

/// A locked skill whose folder is as the lock file says.
#[derive(Debug, Clone)]
pub struct Restored {
    /// What was done.
    pub outcome: Outcome,
    /// The yank of the version. `None` if it is not yanked, or if nobody was asked because it was installed
    /// already.
    pub yanked: Option<Yank>,
}

/// A skill to restore, and its release if it was just chosen.
type Item<'a> = (&'a LockedSkill, Option<&'a Release>);

/// Restores skills exactly as they are locked, several at once. What is there already costs no
/// request, the others two each: for the document of the version, unless its release is given, and for
/// the package. `done` is called after each. The results are in the order of the items. If a version cannot
/// be had, only the first of its places has the error, and the others have None. If the policy refuses a version,
/// nothing is installed, and only the refused ones have errors.
pub fn restore(
    sources: &mut Sources<'_>,
    items: &[Item<'_>],
    force: bool,
    done: &(dyn Fn() + Sync),
) -> Vec<Option<Result<Restored, InstallError>>> {
    let mut results = present(items);
    let numbered = items.iter().copied().enumerate();
    let missing: Vec<(usize, Item<'_>)> =
        numbered.filter(|(at, _)| results.get(*at).is_some_and(Option::is_none)).collect();
    for _ in missing.len()..items.len() {
        done();
    }
    for (at, result) in install(sources, &missing, force, done) {
        if let Some(place) = results.get_mut(at) {
            *place = Some(result);
        }
    }
    results
}

/// The results for skills that are installed already, and for folders that cannot be used. None for
/// the others. Reads every file, several skills at once.
fn present(items: &[Item<'_>]) -> Vec<Option<Result<Restored, InstallError>>> {
    let mut records: BTreeMap<PathBuf, BTreeMap<Slug, Installed>> = BTreeMap::new();
    let mut read = |skill: &LockedSkill| {
        if let Entry::Vacant(unread) = records.entry(skill.place.folder()) {
            let folder = SkillsFolder::new(unread.key());
            recover_folder(&folder)?;
            unread.insert(recorded_skills(&folder)?);
        }
        Ok(())
    };
    let readable: Vec<Result<(), InstallError>> = items.iter().map(|(skill, _)| read(skill)).collect();
    let found = parallel::map(items, |(skill, _)| {
        let recorded = records.get(&skill.place.folder());
        skill.installed(recorded.and_then(|record| record.get(skill.place.name())))
    });
    let restored = |outcome| Restored { outcome, yanked: None };
    let results = readable.into_iter().zip(found);
    results
        .map(|(readable, found)| readable.and(found).map(|found| found.map(restored)).transpose())
        .collect()
}

/// The places of one version. They are installed one after another, so that the package is
/// downloaded once, and is in memory only as long as it is needed.
struct Group<'a> {
    skill: &'a LockedSkill,
    given: Option<&'a Release>,
    /// The places, with their positions in the list of items.
    places: Vec<(usize, &'a LockedSkill)>,
}

impl Group<'_> {
    /// The position of its first place.
    fn first(&self) -> usize {
        self.places.first().map_or(0, |(at, _)| *at)
    }
}

/// Installs what is missing: items with their positions, which the results have, too.
fn install(
    sources: &mut Sources<'_>,
    work: &[(usize, Item<'_>)],
    force: bool,
    done: &(dyn Fn() + Sync),
) -> BTreeMap<usize, Result<Restored, InstallError>> {
    let groups = grouped(work);
    let opened: Vec<_> = groups.iter().map(|group| sources.open(&group.skill.registry)).collect();
    let sources = &*sources;
    let source = |skill: &LockedSkill| sources.get(&skill.registry);
    let found = parallel::map(&groups, |Group { skill, given, .. }| match given {
        Some(release) => Ok((*release).clone()),
        None => skill.release(source(skill)?),
    });
    // One after another, because each proof uses files that the one before has read.
    let mut histories = BTreeMap::new();
    let ready = groups.iter().zip(opened).zip(found).map(|((group, opened), found)| {
        // A registry that could not be chosen among its copies says why, instead of what followed.
        opened?;
        let release = found?;
        let proved = prove(&mut histories, source(group.skill)?, &release)?;
        Ok((release, proved))
    });
    let ready: Vec<Result<(Release, Option<ProvedVersion>), InstallError>> = ready.collect();
    let refused = groups.iter().zip(&ready).filter_map(|(group, ready)| {
        let (release, proved) = ready.as_ref().ok()?;
        let why = release.admit(source(group.skill).ok()?, proved.is_some()).err()?;
        Some((group.first(), Err(why)))
    });
    let mut results: BTreeMap<usize, Result<Restored, InstallError>> = refused.collect();
    if !results.is_empty() {
        return results;
    }
    let jobs: Vec<_> = groups.iter().zip(&ready).collect();
    let installed = parallel::map(&jobs, |(group, ready)| {
        let (Ok((release, proved)), Ok(source)) = (ready, source(group.skill)) else { return Vec::new() };
        let release = &release.detached();
        let install = |(at, skill): &(usize, &LockedSkill)| {
            let folder = &SkillsFolder::new(skill.place.folder());
            let (name, proved) = (skill.place.name(), proved.as_ref());
            // The lock file says why it is there. Without that file nobody knows, and it stays.
            let is_asked = true;
            let placement = Placement { folder, name, source, release, proved, force, is_asked };
            let outcome = placement.install(&mut |_, _| {});
            done();
            (*at, outcome.map(|outcome| Restored { outcome, yanked: release.yanked.clone() }))
        };
        group.places.iter().map(install).collect()
    });
    for ((group, ready), installed) in groups.iter().zip(ready).zip(installed) {
        results.extend(installed);
        if let Err(why) = ready {
            results.insert(group.first(), Err(why));
        }
    }
    results
}

/// Groups the places of each version. Two versions may have the same bytes, and are two groups.
fn grouped<'a>(work: &[(usize, Item<'a>)]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut known: BTreeMap<[String; 4], usize> = BTreeMap::new();
    for &(at, (skill, given)) in work {
        let LockedSkill { coordinate, version, sha256, registry, .. } = skill;
        let key = [coordinate.to_string(), version.to_string(), sha256.to_string(), registry.to_string()];
        match known.get(&key).and_then(|group| groups.get_mut(*group)) {
            Some(group) => group.places.push((at, skill)),
            None => {
                known.insert(key, groups.len());
                groups.push(Group { skill, given, places: vec![(at, skill)] });
            }
        }
    }
    groups
}

/// Proves a release, if the user trusts the keys of its registry. `histories` are those of the registries so far.
fn prove<'s>(
    histories: &mut BTreeMap<String, Option<SignedHistory<'s>>>,
    source: &'s Source,
    release: &Release,
) -> Result<Option<ProvedVersion>, InstallError> {
    let key = source.registry().to_string();
    if !histories.contains_key(&key) {
        histories.insert(key.clone(), SignedHistory::of(source)?);
    }
    release.prove(histories.get(&key).and_then(Option::as_ref))
}

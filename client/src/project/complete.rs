//! Adds to chosen entries of a lock file what they require.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

use registry::names::Coordinate;

use super::required::{gone, root};
use super::{Facts, Folder, Lock, LockedSkill, Place, Sources};
use crate::install::{InstallError, Release};
use crate::skills::Needed;
use crate::skills::closure::{Member, Root};
use crate::source::parallel;
use crate::{Requirement, Source};

/// Entries of a lock file, and the releases of those that were just chosen.
pub type Entries = Vec<(LockedSkill, Option<Release>)>;

/// Entries with all that they require.
#[derive(Default)]
pub struct Completed {
    /// The entries that are new or change.
    pub entries: Entries,
    /// What the members of each folder require: for [`Lock::link`], after the entries were installed.
    pub links: Vec<(PathBuf, Vec<Member>)>,
    /// The skills for which no versions can be chosen.
    pub failed: Vec<(Coordinate, InstallError)>,
}

/// Chooses, folder by folder, what the chosen entries require. Sends no request if they require nothing and none is
/// required. The registries are open.
pub fn complete(lock: &Lock, sources: &Sources<'_>, chosen: Entries) -> Completed {
    let mut groups: BTreeMap<(PathBuf, String), Entries> = BTreeMap::new();
    for entry in chosen {
        groups.entry((entry.0.place.folder(), entry.0.registry.to_string())).or_default().push(entry);
    }
    let (mut done, mut facts) = (Completed::default(), BTreeMap::new());
    for ((folder, registry), mut group) in groups {
        let Some((first, _)) = group.first().cloned() else { continue };
        let complete = || {
            let source = sources.get(&first.registry)?;
            let facts = match facts.entry(registry) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(Facts::new(source)?),
            };
            let kept = Folder::of_lock(lock, &folder);
            let is_plain = is_plain(lock, &kept, &group);
            let members = match is_plain {
                true => group.iter().map(|(skill, _)| plain(skill)).collect(),
                false => choose(&kept, facts, &mut group, &mut done.failed)?,
            };
            let mut entries = entries(lock, &kept, facts, &mut group, &members)?;
            if !is_plain && let Some(contradicting) = check(source, &mut entries, &members) {
                done.failed.push(contradicting);
                return Ok(());
            }
            done.entries.extend(entries);
            done.links.push((folder, members));
            Ok(())
        };
        if let Err(why) = complete() {
            done.failed.push((first.coordinate, why));
        }
    }
    done
}

/// Chooses what the entries require. If that cannot be done, those that fail alone are left out and reported.
fn choose(
    kept: &Folder,
    facts: &mut Facts<'_>,
    group: &mut Entries,
    failed: &mut Vec<(Coordinate, InstallError)>,
) -> Result<Vec<Member>, InstallError> {
    let as_root = |(skill, _): &(LockedSkill, _)| root(&skill.coordinate, &skill.requirement, &skill.needed);
    let roots: Vec<Root> = group.iter().map(as_root).collect();
    let all = kept.choose(facts, &roots);
    if all.is_ok() || roots.len() == 1 {
        return all;
    }
    let mut alone = Vec::new();
    for root in roots {
        match kept.choose(facts, std::slice::from_ref(&root)) {
            Ok(_) => alone.push(root),
            Err(why) => failed.push((root.skill, why)),
        }
    }
    if alone.is_empty() {
        group.clear();
        return Ok(Vec::new());
    }
    let is_left = |skill: &Coordinate| alone.iter().any(|root| root.skill == *skill);
    let is_whole = group.iter().all(|(skill, _)| is_left(&skill.coordinate));
    group.retain(|(skill, _)| is_left(&skill.coordinate));
    if is_whole { all } else { kept.choose(facts, &alone) }
}

/// Whether none of the entries requires a skill or is required. An entry without a release is in the lock file
/// elsewhere, with what it requires.
fn is_plain(lock: &Lock, kept: &Folder, group: &Entries) -> bool {
    let is_known = |(skill, release): &(LockedSkill, Option<Release>)| {
        release.is_some()
            || !lock.skills.values().any(|other| other.needed.by.contains_key(&skill.coordinate))
    };
    let requires = group.iter().map(|(skill, release)| {
        let requires = release.as_ref().map_or(&[][..], |release| &release.requires);
        (&skill.coordinate, requires)
    });
    group.iter().all(is_known) && kept.is_plain(requires)
}

fn plain(skill: &LockedSkill) -> Member {
    Member { skill: skill.coordinate.clone(), version: skill.version.clone(), requires: Vec::new() }
}

/// Reads the releases that are not known yet, several at once. Returns a skill whose release and list of
/// versions disagree about what it requires, and the error: members were chosen by the list. One that cannot be read is left to the
/// installation, which says why.
fn check(source: &Source, entries: &mut Entries, members: &[Member]) -> Option<(Coordinate, InstallError)> {
    let read = parallel::map(entries, |(skill, known)| match known {
        Some(_) => None,
        None => skill.release(source).ok(),
    });
    for ((skill, release), read) in entries.iter_mut().zip(read) {
        *release = release.take().or(read);
        let member = members.iter().find(|member| member.skill == skill.coordinate);
        if let Some((release, member)) = release.as_ref().zip(member)
            && let Err(why) = release.check_requires(source, &member.requires)
        {
            return Some((member.skill.clone(), why));
        }
    }
    None
}

/// The entries of the members that are not there yet.
fn entries(
    lock: &Lock,
    kept: &Folder,
    facts: &Facts<'_>,
    group: &mut Entries,
    members: &[Member],
) -> Result<Entries, InstallError> {
    let mut entries = Entries::new();
    let folder = group.first().map(|(skill, _)| (skill.place.folder(), skill.registry.clone()));
    let Some((folder, registry)) = folder else { return Ok(entries) };
    for member in members {
        let given = group.iter().position(|(skill, _)| skill.coordinate == member.skill);
        let given = given.map(|at| group.swap_remove(at));
        let known = kept.0.get(&member.skill);
        match given {
            Some(given) if given.0.version == member.version => entries.push(given),
            _ if kept.has(member) => {}
            given => {
                let record = facts.record(&member.skill, &member.version).ok_or_else(|| gone(member))?;
                let name = known.map_or(&member.skill.slug, |known| &known.name);
                let place = given.as_ref().map(|(skill, _)| skill.place.clone());
                let place = place.or_else(|| Place::new(&folder, name)).ok_or_else(|| gone(member))?;
                if let Some(other) = lock.overlapping(&place) {
                    return Err(InstallError::Overlap { place, other: other.clone() });
                }
                let new = Needed { is_asked: false, ..Needed::default() };
                let (requirement, needed) = match (given, known) {
                    (Some((skill, _)), _) => (skill.requirement, skill.needed),
                    (None, Some(known)) => (known.requirement.clone(), known.needed.clone()),
                    (None, None) => (Requirement::Latest, new),
                };
                let provenance = record.provenance.as_deref().filter(|of| of.is_valid());
                let skill = LockedSkill {
                    coordinate: member.skill.clone(),
                    place,
                    requirement,
                    needed,
                    version: member.version.clone(),
                    registry: registry.clone(),
                    sha256: record.sha256,
                    content_digest: record.content_digest,
                    built_from: provenance.map(|of| of.built_from()),
                };
                entries.push((skill, None));
            }
        }
    }
    if members.len() > 1 {
        let named = |(skill, _): &(LockedSkill, _)| (skill.place.name().clone(), skill.coordinate.clone());
        kept.check_names(entries.iter().map(named))?;
    }
    Ok(entries)
}

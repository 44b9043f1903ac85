//! Takes over skills that were installed before there was a lock file.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::{Lock, LockedSkill, Place};
use crate::install::{Agent, InstallError, SkillsFolder, recorded_skills};
use crate::skills::Needed;

/// The lock file that fits the records of installed skills: in `folders`, in `skills` and in the folders
/// of agents. Skills outside of the project are left out.
pub(super) fn lock_of_records(folders: &[SkillsFolder]) -> Result<Lock, InstallError> {
    let named: BTreeSet<PathBuf> = folders.iter().map(|folder| folder.path().to_owned()).collect();
    let usual = Agent::project_folders().chain(["skills"]).map(PathBuf::from);
    let mut lock = Lock::default();
    for folder in &usual.chain(named.iter().cloned()).collect::<BTreeSet<_>>() {
        if !folder.join(".skillmirror").is_dir() {
            continue;
        }
        let recorded = match recorded_skills(&SkillsFolder::new(folder)) {
            // Another folder of the project is no reason to fail.
            Err(_) if !named.contains(folder) => continue,
            recorded => recorded?,
        };
        for (name, installed) in recorded {
            let (Some(place), Ok(registry)) = (Place::new(folder, &name), installed.registry.parse()) else {
                continue;
            };
            let skill = LockedSkill {
                requirement: installed.requirement(),
                coordinate: installed.coordinate,
                place: place.clone(),
                // Without knowledge it counts as asked for: nothing is removed that may be needed.
                needed: Needed {
                    is_asked: installed.needed.is_asked || installed.needed.by.is_empty(),
                    ..installed.needed
                },
                version: installed.version,
                registry,
                sha256: installed.sha256,
                content_digest: installed.content_digest,
                built_from: None,
            };
            if lock.overlapping(&place).is_none() {
                lock.skills.insert(place, skill);
            }
        }
    }
    Ok(lock)
}

//! What the records of installed skills say if they agree with a lock file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use registry::time::Timestamp;

use super::{Lock, LockedSkill, Project, folder_in_project};
use crate::install::{FileMarks, Installed, LockedEntries, SkillsFolder, mend_record};

impl Lock {
    /// The locked skills in a folder of skills, as its record has them. Empty for a folder outside of the
    /// project.
    pub fn entries_in(&self, folder: &Path) -> LockedEntries {
        let Some(folder) = folder_in_project(folder) else { return LockedEntries::new() };
        self.by_folder().remove(&folder).unwrap_or_default()
    }

    fn by_folder(&self) -> BTreeMap<PathBuf, LockedEntries> {
        let mut all: BTreeMap<PathBuf, LockedEntries> = BTreeMap::new();
        for (place, skill) in &self.skills {
            all.entry(place.folder()).or_default().insert(place.name().clone(), skill.entry());
        }
        all
    }
}

impl Project {
    /// Makes the records of the locked skills again where they are missing, damaged, or have the marks of a
    /// merge. Skips a folder that cannot be used: the command that needs it reports it.
    pub fn mend_records(&self) {
        for (folder, locked) in self.lock.by_folder() {
            let _ = mend_record(&SkillsFolder::new(folder), &locked);
        }
    }
}

impl LockedSkill {
    /// The entry of a record, with an empty list of files.
    fn entry(&self) -> Installed {
        let Self { coordinate, requirement, version, registry, sha256, content_digest, needed, .. } =
            self.clone();
        Installed {
            coordinate,
            version,
            sha256,
            content_digest,
            registry: registry.to_string(),
            log: None,
            requested: requirement.if_movable(),
            needed,
            installed_at: Timestamp::now(),
            files: FileMarks::new(),
        }
    }
}

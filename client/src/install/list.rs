//! Lists the installed skills, and finds those that were changed.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use registry::names::{Slug, Version};

use super::error::InstallError;
use super::mend::{LockedEntries, completed};
use super::release;
use super::skills_folder::SkillsFolder;
use super::skills_folder::differences::{Differences, differences, foreign_code};
use super::skills_folder::file_marks::content_digest;
use super::skills_folder::folder_state::{FolderState, inspect};
use super::skills_folder::record::Installed;
use crate::source::parallel;
use crate::{SkillReference, Source};

/// One installed skill.
#[derive(Debug, Clone)]
pub struct ListedSkill {
    /// The name of its folder.
    pub name: Slug,
    /// The entry of the record.
    pub installed: Installed,
    /// How the folder compares with the entry.
    pub state: InstalledState,
}

/// How a folder compares with the skill that was installed in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstalledState {
    /// All files are as the record says.
    Unchanged,
    /// All files are as the registry has published them, except for these folders and files of compiled scripts
    /// and dependencies, which runs of the skill leave and the registry does not know.
    Verified(Vec<String>),
    /// The registry could not say how the files should be.
    Unknown,
    /// These files differ. Empty if nothing says which ones.
    Changed(Differences),
    /// The folder is gone, or is not a folder any more.
    Missing,
}

impl InstalledState {
    /// The name of the state in tables and JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Verified(_) => "verified",
            Self::Unknown => "unknown",
            Self::Changed(_) => "changed",
            Self::Missing => "missing",
        }
    }
}

/// Lists the installed skills, sorted by the names of their folders, and the other skills that a lock file
/// has in this folder. Reads all their files, several skills at once. Sends no request, so it compares
/// with the record and the lock file only.
pub fn list_installed(
    folder: &SkillsFolder,
    locked: &LockedEntries,
) -> Result<Vec<ListedSkill>, InstallError> {
    let mut recorded = completed(folder, locked)?.record.skills;
    for (name, entry) in locked {
        let known = recorded.entry(name.clone()).or_insert_with(|| entry.clone());
        known.needed = entry.needed.clone();
    }
    let recorded: Vec<(Slug, Installed)> = recorded.into_iter().collect();
    let states = parallel::map(&recorded, |(name, installed)| {
        let path = folder.skill(name);
        Ok::<_, InstallError>(match inspect(&path)? {
            FolderState::Missing | FolderState::NotAFolder(_) => InstalledState::Missing,
            // It is locked, has other files, and nothing says which ones it should have.
            FolderState::Folder(_) if installed.files.is_empty() => {
                InstalledState::Changed(Differences::default())
            }
            FolderState::Folder(files) => match differences(&path, &installed.files, &files) {
                none if none.is_empty() => InstalledState::Unchanged,
                changed => InstalledState::Changed(changed),
            },
        })
    });
    let listed = recorded.into_iter().zip(states);
    listed.map(|((name, installed), state)| Ok(ListedSkill { name, installed, state: state? })).collect()
}

/// The entries of the record of a folder, by the names of the skills' own folders.
pub fn recorded_skills(folder: &SkillsFolder) -> Result<BTreeMap<Slug, Installed>, InstallError> {
    Ok(folder.record()?.skills)
}

/// Whether the folder of a skill is missing.
pub fn is_missing(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|why| why.kind() == ErrorKind::NotFound)
}

/// The latest version of an installed skill at a registry. None if the skill is gone there
/// or has no version that can be installed.
pub fn latest_version(source: &Source, installed: &Installed) -> Result<Option<Version>, InstallError> {
    release::latest(source, &installed.coordinate)
}

/// Compares the files of an installed skill with those that a registry has published. Fails if
/// the registry does not have the version.
pub fn verify_installed(
    source: &Source,
    folder: &SkillsFolder,
    name: &Slug,
    installed: &Installed,
) -> Result<InstalledState, InstallError> {
    let Installed { coordinate, version, .. } = installed;
    let FolderState::Folder(found) = inspect(&folder.skill(name))? else {
        return Ok(InstalledState::Missing);
    };
    let Some(content) = release::published_content(source, coordinate, version)? else {
        let skill = format!("{} {version}", SkillReference::argument(coordinate));
        let advice = "install a version that it has";
        return Err(source.missing(format!("{} does not have {skill}", source.address()), advice).into());
    };
    if content_digest(&installed.files, &found) == Some(content) {
        return Ok(InstalledState::Verified(foreign_code(&installed.files, &found).roots()));
    }
    let published = release::published_files(source, coordinate, version, &content);
    // Somebody may have changed the record, too.
    if let Some(published) = published.as_ref().filter(|files| content_digest(files, &found) == Some(content))
    {
        return Ok(InstalledState::Verified(foreign_code(published, &found).roots()));
    }
    // Without the registry's list, the record says which files differ from it at least.
    let published = published.as_ref().unwrap_or(&installed.files);
    Ok(InstalledState::Changed(differences(&folder.skill(name), published, &found)))
}

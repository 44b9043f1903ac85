//! Lists the installed skills, and finds those that were changed.

use registry::names::Version;

use super::error::InstallError;
use super::release;
use super::skills_folder::SkillsFolder;
use super::skills_folder::content::{FolderState, differences, inspect};
use super::skills_folder::record::Installed;
use crate::Source;

/// One installed skill.
#[derive(Debug, Clone)]
pub struct ListedSkill {
    /// The entry of the record.
    pub installed: Installed,
    /// Whether the folder still matches the entry.
    pub state: State,
}

/// How a folder compares with the skill that was installed in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// All files are as they were installed.
    Unchanged,
    /// These files differ, each with `(changed)`, `(gone)` or `(new)`.
    Changed(Vec<String>),
    /// The folder is gone.
    Missing,
}

impl State {
    /// The name of the state in tables and JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Changed(_) => "changed",
            Self::Missing => "missing",
        }
    }
}

/// Lists the installed skills by the names of their folders. Sends no request.
pub fn list(folder: &SkillsFolder) -> Result<Vec<ListedSkill>, InstallError> {
    let record = folder.record()?;
    let listed = record.skills.into_iter().map(|(slug, installed)| {
        let state = match inspect(&folder.skill(&slug))? {
            FolderState::Missing | FolderState::NotAFolder(_) => State::Missing,
            FolderState::Folder(files) => match differences(&installed.files, &files) {
                none if none.is_empty() => State::Unchanged,
                changed => State::Changed(changed),
            },
        };
        Ok(ListedSkill { installed, state })
    });
    listed.collect()
}

/// The latest version of an installed skill at a registry. None if the skill is gone there
/// or has no version that can be installed.
pub fn latest(source: &Source, installed: &Installed) -> Result<Option<Version>, InstallError> {
    release::latest(source, &installed.coordinate)
}

//! Which skills of a project a command works on.

use std::path::PathBuf;

use client::ClientError;
use client::SkillReference;
use client::install::InstallError;
use client::project::{LockedSkill, folder_in_project};

use registry::names::nearest;

use super::SkillsFolderOptions;

/// Named skills, in named folders. Without names all skills, without folders all folders.
pub struct Selection<'a> {
    names: Vec<(&'a str, SkillReference)>,
    folders: Vec<PathBuf>,
}

impl<'a> Selection<'a> {
    /// Parses the names and the options of a command.
    pub fn new(names: &'a [String], folder: &SkillsFolderOptions) -> Result<Self, ClientError> {
        let names = names
            .iter()
            .map(|name| Ok((name.as_str(), name.parse()?)))
            .collect::<Result<_, ClientError>>()?;
        let folders = folder.named()?.iter().filter_map(|folder| folder_in_project(folder.path())).collect();
        Ok(Self { names, folders })
    }

    /// Fails if a name has a version, which the command does not take.
    pub fn without_versions(self, advice: &str) -> Result<Self, ClientError> {
        match self.names.iter().find(|(_, reference)| reference.requirement.is_some()) {
            Some((name, _)) => {
                Err(ClientError::Reference { text: (*name).to_owned(), why: advice.to_owned() })
            }
            None => Ok(self),
        }
    }

    /// Whether a skill is meant.
    pub fn has(&self, skill: &LockedSkill) -> bool {
        let is_there = self.folders.is_empty() || self.folders.contains(&skill.place.folder());
        is_there && (self.names.is_empty() || self.names.iter().any(|named| is_named(named, skill)))
    }

    /// The requirement that was named for a skill.
    pub fn requirement_of(&self, skill: &LockedSkill) -> Option<&client::Requirement> {
        let mut named = self.names.iter().filter(|named| is_named(named, skill));
        named.find_map(|(_, named)| named.requirement.as_ref())
    }

    /// The errors for names that no skill has.
    pub fn unknown<'s>(
        &self,
        skills: impl Iterator<Item = &'s LockedSkill> + Clone,
    ) -> Vec<(&'a str, InstallError)> {
        let unknown = self.names.iter().filter(|named| !skills.clone().any(|skill| is_named(named, skill)));
        let known: Vec<_> = skills
            .clone()
            .map(|skill| (SkillReference::argument(&skill.coordinate), skill.place.name().to_string()))
            .collect();
        let known = known.iter().flat_map(|(full, folder)| [full.as_str(), folder.as_str()]);
        let near = |name: &str| nearest(name, known.clone()).into_iter().map(str::to_owned).collect();
        unknown
            .map(|(name, _)| (*name, InstallError::NotLocked { name: (*name).to_owned(), near: near(name) }))
            .collect()
    }
}

/// Whether a name means a skill: by its full name, or by the name of its folder, which is a bare slug.
fn is_named((text, named): &(&str, SkillReference), skill: &LockedSkill) -> bool {
    let is_folder = || text.split('@').next() == Some(skill.place.name().as_str());
    named.coordinate == skill.coordinate || is_folder()
}

//! Removes an installed skill.

use std::path::PathBuf;

use registry::names::{Coordinate, Slug, nearest};

use super::error::InstallError;
use super::skills_folder::differences::differences;
use super::skills_folder::folder_state::{FolderState, inspect};
use super::skills_folder::record::Installed;
use super::skills_folder::recover::{lock, lock_existing, recover};
use super::skills_folder::{OLD, SkillsFolder, swap};

/// Which skill to remove.
pub struct UninstallRequest<'a> {
    /// The folder of skills.
    pub folder: &'a SkillsFolder,
    /// The subfolder of the skill.
    pub slug: &'a Slug,
    /// The skill that must be in it, if the caller knows.
    pub coordinate: Option<&'a Coordinate>,
    /// Remove a skill even if it was changed.
    pub force: bool,
}

/// A removed skill.
#[derive(Debug, Clone)]
pub struct Uninstalled {
    /// The former entry of the record.
    pub installed: Installed,
    /// The path of the removed folder.
    pub path: PathBuf,
    /// Unused folders of earlier runs that cannot be removed.
    pub unremovable: Vec<PathBuf>,
}

/// Removes a skill: moves its folder aside, removes it from the record, then deletes it.
pub fn uninstall(request: &UninstallRequest<'_>) -> Result<Uninstalled, InstallError> {
    let UninstallRequest { folder, slug, .. } = *request;
    let unremovable = recover(folder)?;
    let path = folder.skill(slug);
    let lock = match lock_existing(folder) {
        Some(lock) => lock,
        None => {
            // Creates nothing in a folder where nothing is installed.
            request.check()?;
            lock(folder)?
        }
    };
    let (installed, exists) = request.check()?;
    let mut record = folder.record()?;
    record.skills.remove(slug);
    let scratch = lock.scratch()?;
    let prepared = scratch.prepare(&record)?;
    let old = scratch.path().join(OLD).join(slug.as_str());
    if exists {
        swap::move_aside(&path, &old)?;
    }
    if let Err(why) = lock.publish(&prepared) {
        if exists {
            swap::put(&old, &path)?;
        }
        return Err(why);
    }
    folder.remove_proof(slug);
    Ok(Uninstalled { installed, path, unremovable })
}

impl UninstallRequest<'_> {
    /// The entry of the record, and whether the folder exists. Fails if the skill may not be
    /// removed.
    fn check(&self) -> Result<(Installed, bool), InstallError> {
        let path = self.folder.skill(self.slug);
        let mut record = self.folder.record()?;
        let recorded = record.skills.remove(self.slug);
        let state = inspect(&path)?;
        let Some(installed) = recorded else {
            return Err(match state {
                FolderState::Missing => {
                    let near = nearest(self.slug.as_str(), record.skills.keys().map(Slug::as_str));
                    InstallError::NotInstalled {
                        slug: self.slug.clone(),
                        folder: self.folder.path().to_owned(),
                        near: near.into_iter().map(str::to_owned).collect(),
                    }
                }
                _ => InstallError::NotRecorded { path },
            });
        };
        if let Some(wanted) = self.coordinate.filter(|wanted| **wanted != installed.coordinate) {
            let (holds, wanted) = (installed.coordinate, wanted.clone());
            return Err(InstallError::HoldsOther { path, holds, wanted });
        }
        match state {
            FolderState::Missing => Ok((installed, false)),
            FolderState::NotAFolder(found) => Err(InstallError::NotAFolder { path, found }),
            FolderState::Folder(files) => match differences(&path, &installed.files, &files) {
                changed if !changed.is_empty() && !self.force => {
                    Err(InstallError::Changed { path, files: changed })
                }
                _ => Ok((installed, true)),
            },
        }
    }
}

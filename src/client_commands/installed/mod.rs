//! The commands that work on a folder of installed skills.

pub mod advisories;
mod apply;
pub mod batch_report;
mod download_bar;
pub mod install;
pub mod list;
pub mod outcome;
pub mod outdated;
mod outside;
mod restore;
pub mod sbom;
mod selection;
pub mod uninstall;
mod unneeded;
pub mod update;
pub mod verify;

use std::path::PathBuf;

use clap::Args;
use client::install::{Agent, InstallError, ListedSkill, SkillsFolder, Uninstalled, list_installed};
use client::project::{Lock, folder_in_project, read_lock};
use client::{ClientError, SkillReference, home_folder};
use serde_json::{Value, json};

/// Which folder of skills a command works on.
#[derive(Args)]
pub struct SkillsFolderOptions {
    /// The folder that holds the skills, one subfolder each [default: skills]
    #[arg(long, value_name = "DIR", conflicts_with = "agent")]
    dir: Option<PathBuf>,
    /// Use the folders of these agents in the current project: claude, codex, cursor, gemini, …
    /// Several with commas between them
    #[arg(long = "agent", value_name = "NAME,…", value_delimiter = ',')]
    agent: Vec<Agent>,
    /// Use the agents' folders for all your projects instead
    #[arg(long, requires = "agent")]
    global: bool,
}

impl SkillsFolderOptions {
    /// The named folders, which need not exist. Empty if none is named. Fails if `--global` is given
    /// and no home folder is known.
    fn named(&self) -> Result<Vec<SkillsFolder>, ClientError> {
        let mut paths: Vec<PathBuf> = self.dir.iter().cloned().collect();
        for agent in &self.agent {
            let path = match self.global {
                false => agent.project_folder.into(),
                true => {
                    let home = home_folder().map_err(ClientError::Unsupported)?;
                    agent.global_folder(&home, |name| std::env::var_os(name))?
                }
            };
            // Several agents look into one folder.
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        Ok(paths.into_iter().map(SkillsFolder::new).collect())
    }

    /// The named folders, by default `skills`.
    fn named_or_default(&self) -> Result<Vec<SkillsFolder>, ClientError> {
        let named = self.named()?;
        Ok(if named.is_empty() { vec![SkillsFolder::new("skills")] } else { named })
    }

    /// The skills in the named folders; without any, those in `skills` and in the folders of `skills.lock`.
    fn listed(&self) -> Result<Vec<(SkillsFolder, ListedSkill)>, InstallError> {
        let mut folders = self.named_or_default()?;
        let lock = match self.is_outside()? {
            true => Lock::default(),
            false => read_lock()?.unwrap_or_default(),
        };
        if self.named()?.is_empty() {
            for place in lock.skills.keys() {
                let folder = SkillsFolder::new(place.folder());
                if !folders.iter().any(|known| known.path() == folder.path()) {
                    folders.push(folder);
                }
            }
        }
        let mut all = Vec::new();
        for folder in folders {
            let listed = list_installed(&folder, &lock.entries_in(folder.path()))?;
            all.extend(listed.into_iter().map(|skill| (folder.clone(), skill)));
        }
        Ok(all)
    }

    /// Whether a folder is named that `skills.lock` does not record: outside of the project.
    fn is_outside(&self) -> Result<bool, ClientError> {
        let named = self.named()?;
        Ok(!named.is_empty() && named.iter().all(|folder| folder_in_project(folder.path()).is_none()))
    }

    /// The names of the agents.
    fn agents(&self) -> Vec<String> {
        self.agent.iter().map(|agent| agent.name().to_owned()).collect()
    }
}

/// The end of a message that names leftover folders of an earlier run which cannot be
/// removed. Empty if there are none.
fn unremovable_note(paths: &[PathBuf]) -> String {
    let note = |path: &PathBuf| format!("; {} is unused and cannot be removed: remove it", path.display());
    paths.iter().map(note).collect()
}

/// The note about a locked or recorded skill whose folder is gone.
fn missing_note(path: impl std::fmt::Display, remedy: &str) -> String {
    format!("{path} is missing: {remedy}")
}

/// What was removed, for people.
fn removal_sentence(removed: &Uninstalled) -> String {
    let Uninstalled { installed, path, unremovable } = removed;
    let name = SkillReference::argument(&installed.coordinate);
    let line = format!("uninstalled {name} {} from {}", installed.version, path.display());
    line + &unremovable_note(unremovable)
}

/// What was removed because nobody needs it, for programs.
fn removal_record(removed: &Uninstalled) -> Value {
    let Uninstalled { installed, path, unremovable } = removed;
    json!({
        "coordinate": installed.coordinate.scoped(), "version": installed.version, "status": "removed",
        "path": path.to_string_lossy(), "left": lossy(unremovable),
    })
}

/// Paths as JSON shows them.
fn lossy(paths: &[PathBuf]) -> Vec<std::borrow::Cow<'_, str>> {
    paths.iter().map(|path| path.to_string_lossy()).collect()
}

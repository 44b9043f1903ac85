//! The commands that work on a folder of installed skills.

mod batch_report;
mod download_bar;
pub mod install;
pub mod list;
pub mod uninstall;
pub mod verify;

use std::path::PathBuf;

use clap::Args;
use client::ClientError;
use client::install::{Agent, SkillsFolder};

/// Which folder of skills a command works on.
#[derive(Args)]
pub struct SkillsFolderOptions {
    /// The folder that holds the skills, one subfolder each [default: skills]
    #[arg(long, value_name = "DIR", conflicts_with = "agent")]
    dir: Option<PathBuf>,
    /// Use this agent's folder in the current project: claude, codex, cursor, gemini, …
    #[arg(long, value_name = "NAME")]
    agent: Option<Agent>,
    /// Use the agent's folder for all your projects instead
    #[arg(long, requires = "agent")]
    global: bool,
}

impl SkillsFolderOptions {
    /// The folder, which need not exist. Fails if `--global` is given and no home folder is
    /// known.
    fn open(&self) -> Result<SkillsFolder, ClientError> {
        let path = match &self.agent {
            None => self.dir.clone().unwrap_or_else(|| "skills".into()),
            Some(agent) if !self.global => agent.project_folder.into(),
            Some(agent) => {
                let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
                let why = "no home folder is known. Set HOME, or use --dir instead of --global";
                let home = home.ok_or_else(|| ClientError::Unsupported(why.to_owned()))?;
                agent.global_folder(&home, |name| std::env::var_os(name))
            }
        };
        Ok(SkillsFolder::new(path))
    }
}

/// The end of a message that names leftover folders of an earlier run which cannot be
/// removed. Empty if there are none.
fn unremovable_note(paths: &[PathBuf]) -> String {
    let note = |path: &PathBuf| format!("; {} is unused and cannot be removed: remove it", path.display());
    paths.iter().map(note).collect()
}

/// Paths as JSON shows them.
fn lossy(paths: &[PathBuf]) -> Vec<std::borrow::Cow<'_, str>> {
    paths.iter().map(|path| path.to_string_lossy()).collect()
}

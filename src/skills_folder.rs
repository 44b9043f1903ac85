//! Which folder of skills a command is about.

use std::path::PathBuf;

use clap::Args;
use client::ClientError;
use client::install::{Agent, Place, Reach};

/// A folder of skills.
#[derive(Args)]
pub struct SkillsFolder {
    /// The folder that the skills are in, each in one of its own [default: skills]
    #[arg(long, value_name = "DIR", conflicts_with = "agent")]
    dir: Option<PathBuf>,
    /// The folder of this agent in the current project: claude, codex, cursor, gemini, …
    #[arg(long, value_name = "NAME")]
    agent: Option<Agent>,
    /// The agent's folder for all your projects instead
    #[arg(long, requires = "agent")]
    global: bool,
}

impl SkillsFolder {
    /// The folder, which need not exist. Fails where no home folder is known and
    /// one is needed.
    pub fn place(&self) -> Result<Place, ClientError> {
        let Some(agent) = &self.agent else {
            return Ok(Place::new(self.dir.clone().unwrap_or_else(|| PathBuf::from("skills"))));
        };
        let (reach, home) = if self.global {
            let unknown = || {
                let why = "no home folder is known: set HOME, or give --dir instead of --global";
                ClientError::Unsupported(why.to_owned())
            };
            let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
            (Reach::Global, home.ok_or_else(unknown)?)
        } else {
            (Reach::Project, PathBuf::new())
        };
        Ok(Place::new(agent.folder(reach, &home, &|name| std::env::var_os(name))))
    }
}

/// What is to be said of the folders that an earlier run has left, and that can't be
/// removed: the rest of a line, or nothing.
pub fn left_behind(left: &[PathBuf]) -> String {
    let line = |path: &PathBuf| format!("; {} is of no use and can't be removed: remove it", path.display());
    left.iter().map(line).collect()
}

//! The tool that installs skills, by the rules of `skillmirror install` without `--force`.

use std::path::Path;
use std::sync::Arc;

use ::mcp::{Installer, SourceError};
use client::Source;
use client::history::SignedHistory;
use client::install::{InstallError, InstallRequest, Outcome, SkillsFolder, install};
use serde_json::Value;

use super::source::sentence;
use crate::client_commands::installed::outcome::record;

/// Installs skills into one folder.
pub struct FolderInstaller {
    source: Arc<Source>,
    folder: SkillsFolder,
}

impl FolderInstaller {
    /// Installs skills of `source` into `folder`.
    pub fn new(source: Arc<Source>, folder: &Path) -> Self {
        Self { source, folder: SkillsFolder::new(folder) }
    }

    fn run(&self, skill: &str) -> Result<Outcome, InstallError> {
        let history = SignedHistory::of(&self.source)?;
        let reference = skill.parse()?;
        let request = InstallRequest {
            folder: &self.folder,
            source: &self.source,
            history: history.as_ref(),
            reference: &reference,
            force: false,
        };
        install(&request, &mut |_, _| {})
    }
}

impl Installer for FolderInstaller {
    fn install(&self, skill: &str) -> Result<Value, SourceError> {
        self.run(skill).map(|outcome| record(&outcome)).map_err(|why| sentence(&why))
    }
}

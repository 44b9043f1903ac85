//! The tool that installs skills, by the rules of `skillmirror install` without `--force`.

use std::path::Path;
use std::sync::Arc;

use ::mcp::{Installer, SourceError};
use client::Source;
use client::history::SignedHistory;
use client::install::{InstallError, Outcome, SkillsFolder};
use client::project::{NamedSkill, add, admit};
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

    /// Installs a skill, and what it requires. Returns the skill itself first.
    fn run(&self, skill: &str) -> Result<Vec<Outcome>, InstallError> {
        let history = SignedHistory::of(&self.source)?;
        let reference = skill.parse()?;
        let named = NamedSkill {
            source: &self.source,
            reference: &reference,
            folders: std::slice::from_ref(&self.folder),
            agents: &[],
            name: None,
            force: false,
            is_asked: true,
            with_required: true,
        };
        let admitted = admit(None, &named, history.as_ref())?;
        add(None, &named, &admitted, &mut |_, _| {})?.into_iter().collect()
    }
}

impl Installer for FolderInstaller {
    fn install(&self, skill: &str) -> Result<Value, SourceError> {
        let all = self.run(skill).map_err(|why| sentence(&why))?;
        let mut records = all.iter().map(record);
        let mut first = records.next().unwrap_or_default();
        let required: Vec<Value> = records.collect();
        if !required.is_empty() {
            first["required"] = required.into();
        }
        Ok(first)
    }
}

//! Updates skills in folders outside of a project, which no lock file records: those of agents for
//! all projects.

use client::history::SignedHistory;
use client::install::{Change, InstallError, Installed, SkillsFolder, recorded_skills};
use client::project::{NamedSkill, add};
use client::skills::resolve::resolve;
use client::{SkillReference, Source};
use registry::names::Slug;
use serde_json::json;

use super::batch_report::BatchReport;
use super::install::{record, sentence};

/// How skills are updated.
pub struct OutsideUpdate<'a> {
    /// The names of the skills' own folders. Empty for all.
    pub names: &'a [String],
    /// Say what would change, and change nothing.
    pub dry_run: bool,
    /// Overwrite changed skills.
    pub force: bool,
}

impl OutsideUpdate<'_> {
    /// Updates the skills of a folder as far as their records allow: those that were installed as one
    /// version never move. Returns which of the names are there.
    pub fn run(&self, folder: &SkillsFolder, report: &mut BatchReport) -> Result<Vec<&str>, InstallError> {
        let mut found = Vec::new();
        for (name, installed) in recorded_skills(folder)? {
            let reference = SkillReference {
                coordinate: installed.coordinate.clone(),
                requirement: installed.requested.clone(),
            };
            let full_name = SkillReference::argument(&installed.coordinate);
            let is_named = |text: &String| *text == name.as_str() || *text == full_name;
            let named: Vec<_> = self.names.iter().filter(|name| is_named(name)).collect();
            let is_meant = self.names.is_empty() || !named.is_empty();
            found.extend(named.into_iter().map(String::as_str));
            if is_meant
                && reference.requirement.is_some()
                && let Err(why) = self.update(folder, &name, &installed, &reference, report)
            {
                report.failed(&installed.coordinate.scoped(), &why);
            }
        }
        Ok(found)
    }

    fn update(
        &self,
        folder: &SkillsFolder,
        name: &Slug,
        installed: &Installed,
        reference: &SkillReference,
        report: &mut BatchReport,
    ) -> Result<(), InstallError> {
        let source = &Source::open(installed.registry.parse()?);
        let version = resolve(source, reference)?.version;
        if version == installed.version {
            return Ok(());
        }
        if self.dry_run {
            let path = folder.skill(name);
            let (skill, was) = (SkillReference::argument(&installed.coordinate), &installed.version);
            let line = format!("would update {skill} {was} -> {version} in {}", path.display());
            let item = json!({
                "coordinate": installed.coordinate.scoped(), "version": version, "status": "would_update",
                "replaced": was, "path": path.to_string_lossy(), "requested": installed.requested,
            });
            report.done(&line, item);
            return Ok(());
        }
        let history = SignedHistory::of(source)?;
        let (history, folders) = (history.as_ref(), std::slice::from_ref(folder));
        let named = NamedSkill {
            source,
            history,
            reference,
            folders,
            agents: &[],
            name: Some(name),
            force: self.force,
        };
        for outcome in add(None, &named, &mut |_, _| {})? {
            let outcome = outcome?;
            if outcome.change != Change::AlreadyThere {
                report.done(&sentence(&outcome), record(&outcome));
            }
        }
        Ok(())
    }
}

//! Updates skills in folders outside of a project, which no lock file records: those of agents for
//! all projects.

use client::history::SignedHistory;
use client::install::{Change, InstallError, Installed, SkillsFolder, is_missing, recorded_skills};
use client::project::{NamedSkill, add};
use client::skills::resolve::resolve;
use client::{Requirement, SkillReference, Source};
use registry::names::Slug;
use serde_json::json;

use super::batch_report::BatchReport;
use super::missing_note;
use super::outcome::{record, sentence};
use crate::output::print_note;

/// How skills are updated.
pub struct OutsideUpdate<'a> {
    /// The names of the skills' own folders. Empty for all.
    pub names: &'a [String],
    /// Say what would change, and change nothing.
    pub dry_run: bool,
    /// Overwrite changed skills.
    pub force: bool,
    /// Whether a program reads the report, which gets no notes.
    pub json: bool,
}

impl OutsideUpdate<'_> {
    /// Updates the skills of a folder as far as their records allow: those that were installed as one
    /// version never move. Returns which of the names are there.
    pub fn run(&self, folder: &SkillsFolder, report: &mut BatchReport) -> Result<Vec<&str>, InstallError> {
        let mut found = Vec::new();
        for (name, installed) in recorded_skills(folder)? {
            let exact = || Requirement::Exact(installed.version.clone());
            let reference = SkillReference {
                coordinate: installed.coordinate.clone(),
                requirement: Some(installed.requested.clone().unwrap_or_else(exact)),
            };
            let full_name = SkillReference::argument(&installed.coordinate);
            let is_named = |text: &String| *text == name.as_str() || *text == full_name;
            let named: Vec<_> = self.names.iter().filter(|name| is_named(name)).collect();
            let is_meant = self.names.is_empty() || !named.is_empty();
            found.extend(named.into_iter().map(String::as_str));
            let is_missing = is_missing(&folder.skill(&name));
            if is_meant
                && (is_missing || installed.requested.is_some())
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
        let version = resolve(source, reference)?.version.into_owned();
        let path = folder.skill(name);
        let is_missing = is_missing(&path);
        if version == installed.version && !is_missing {
            return Ok(());
        }
        if is_missing && !self.dry_run && !self.json {
            print_note(missing_note(path.display(), "it is installed again"));
        }
        if self.dry_run {
            let (skill, was) = (SkillReference::argument(&installed.coordinate), &installed.version);
            let line = match is_missing {
                true => format!(
                    "would install {skill} {version} again in {}, where it is missing",
                    path.display()
                ),
                false => format!("would update {skill} {was} -> {version} in {}", path.display()),
            };
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
            is_asked: installed.needed.is_asked,
            with_required: true,
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

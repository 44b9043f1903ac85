//! Updates skills in folders outside of a project, which no lock file records: those of agents for
//! all projects.

use client::history::SignedHistory;
use client::install::{Change, InstallError, Installed, Release, SkillsFolder, is_missing, recorded_skills};
use client::project::{Admitted, NamedSkill, add, admit};
use client::{SkillReference, Source};
use registry::names::{Coordinate, Slug};
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
        let (mut found, mut moves) = (Vec::new(), Vec::new());
        for (name, installed) in recorded_skills(folder)? {
            let requirement = Some(installed.requirement());
            let reference = SkillReference { coordinate: installed.coordinate.clone(), requirement };
            let full_name = SkillReference::argument(&installed.coordinate);
            let is_named = |text: &String| *text == name.as_str() || *text == full_name;
            let named: Vec<_> = self.names.iter().filter(|name| is_named(name)).collect();
            let is_meant = self.names.is_empty() || !named.is_empty();
            found.extend(named.into_iter().map(String::as_str));
            let is_missing = is_missing(&folder.skill(&name));
            if is_meant && (is_missing || installed.requested.is_some()) {
                match self.plan(folder, name, installed, reference) {
                    Ok(planned) => moves.extend(planned),
                    Err(failed) => report.failed(&failed.0.scoped(), &failed.1),
                }
            }
        }
        if report.is_refused() {
            return Ok(found);
        }
        for planned in &moves {
            if let Err(why) = self.apply(folder, planned, report) {
                report.failed(&planned.installed.coordinate.scoped(), &why);
            }
        }
        Ok(found)
    }

    /// Chooses the version of a skill. None if it is installed.
    fn plan(
        &self,
        folder: &SkillsFolder,
        name: Slug,
        installed: Installed,
        reference: SkillReference,
    ) -> Result<Option<Move>, Box<(Coordinate, InstallError)>> {
        let is_missing = is_missing(&folder.skill(&name));
        let choose = || {
            let source = Source::open(installed.registry.parse()?);
            if Release::resolve(&source, &reference)?.version == installed.version && !is_missing {
                return Ok(None);
            }
            let named = self.named(&source, &reference, folder, (&name, &installed));
            let admitted = admit(None, &named, SignedHistory::of(&source)?.as_ref())?;
            Ok(Some((source, admitted)))
        };
        let chosen = choose().map_err(|why| Box::new((installed.coordinate.clone(), why)))?;
        Ok(chosen.map(|(source, admitted)| Move { name, installed, reference, source, admitted, is_missing }))
    }

    fn named<'a>(
        &self,
        source: &'a Source,
        reference: &'a SkillReference,
        folder: &'a SkillsFolder,
        (name, installed): (&'a Slug, &Installed),
    ) -> NamedSkill<'a> {
        NamedSkill {
            source,
            reference,
            folders: std::slice::from_ref(folder),
            agents: &[],
            name: Some(name),
            force: self.force,
            is_asked: installed.needed.is_asked,
            with_required: true,
        }
    }

    fn apply(
        &self,
        folder: &SkillsFolder,
        planned: &Move,
        report: &mut BatchReport,
    ) -> Result<(), InstallError> {
        let Move { name, installed, reference, source, admitted, is_missing } = planned;
        let (path, version) = (folder.skill(name), admitted.version());
        if *is_missing && !self.dry_run && !self.json {
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
        let named = self.named(source, reference, folder, (name, installed));
        for outcome in add(None, &named, admitted, &mut |_, _| {})? {
            let outcome = outcome?;
            if outcome.change != Change::AlreadyThere {
                report.done(&sentence(&outcome), record(&outcome));
            }
        }
        Ok(())
    }
}

/// A skill that moves to another version, or is installed again.
struct Move {
    name: Slug,
    installed: Installed,
    reference: SkillReference,
    source: Source,
    admitted: Admitted,
    is_missing: bool,
}

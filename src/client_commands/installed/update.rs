//! `skillmirror update`: moves the skills of a project to newer versions.

use std::process::ExitCode;

use clap::Args;
use client::install::{InstallError, Release, recorded_skills};
use client::policy::Policy;
use client::project::{
    Choice, Completed, LockedSkill, Project, Sources, Wanted, accept_move, choose_versions, plan,
};
use client::{Requirement, SkillReference};
use registry::names::nearest;
use serde_json::json;

use super::apply::Applying;
use super::batch_report::{BatchReport, Quiet};
use super::outside::OutsideUpdate;
use super::restore::completed;
use super::selection::Selection;
use super::unneeded::{remove_unneeded, remove_unneeded_outside};
use super::{SkillsFolderOptions, missing_note};
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::print_note;

/// Move installed skills to newer versions
///
/// They move as far as their requirements allow: what was installed as `hello@1` stays below 2.0.0.
/// Without --dir and --agent it updates all folders that `skills.lock` records.
#[derive(Args)]
#[command(after_help = "
    update                 # All that has newer versions
    update hello lint -n   # Only these, and only say what would change
    update --agent claude  # In the folder of Claude Code
")]
pub struct Arguments {
    /// The skills: by the names of their folders, or by their full names [default: all]
    #[arg(value_name = "SKILL")]
    skills: Vec<String>,
    #[command(flatten)]
    folder: SkillsFolderOptions,
    /// Say what would change, and change nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// Overwrite skills that were changed since they were installed
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    quiet: Quiet,
    #[command(flatten)]
    options: RegistryOptions,
}

/// Runs the command. A skill that fails does not keep the others from being updated, unless the policy refuses it.
pub fn run(arguments: &Arguments) -> ExitCode {
    let mut report = BatchReport::with_notices(arguments.options.json, arguments.quiet);
    let done = Policy::load().map_err(InstallError::from).and_then(|_readable| arguments.update(&mut report));
    if let Err(why) = done {
        report.all_failed(&arguments.skills, &why);
    }
    report.finish(arguments.options.json)
}

impl Arguments {
    fn update(&self, report: &mut BatchReport) -> Result<(), InstallError> {
        if self.folder.is_outside()? {
            return self.update_outside(report);
        }
        let advice = "use `skillmirror install` to choose another version";
        let selection = Selection::new(&self.skills, &self.folder)?.without_versions(advice)?;
        let mut project = Project::open(&self.folder.named()?)?;
        if project.is_empty() {
            return Err(InstallError::NoProject);
        }
        let planned = plan(project.manifest(), &project.lock);
        for (name, why) in selection.unknown(planned.keep.iter()) {
            report.failed(name, &why);
        }
        let copy = self.options.is_named().then(|| self.options.choose()).transpose()?;
        let mut sources = Sources::new(copy.as_ref());
        // A version that is named exactly never moves.
        let movable = |skill: &&LockedSkill| !matches!(skill.requirement, Requirement::Exact(_));
        let selected = planned.keep.iter().filter(|skill| selection.has(skill));
        let mut wanted = Vec::new();
        for skill in selected.clone().filter(movable) {
            sources.open(&skill.registry)?;
            wanted.push((Wanted::from(skill), skill.registry.clone()));
        }
        let mut moved: Vec<(LockedSkill, Option<Release>)> = Vec::new();
        for (coordinate, choice) in choose_versions(&sources, &wanted) {
            match choice.and_then(|choice| accept_move(&project.lock, &sources, choice, self.force)) {
                Ok(Some(Choice { skill, release })) => moved.push((skill, Some(release))),
                Ok(None) => {}
                Err(why) => report.failed(&coordinate.scoped(), &why),
            }
        }
        let Completed { entries: mut moved, links, .. } =
            completed(&project, &mut sources, moved, true, report)?;
        let unmoved = selected.clone().count() - moved.len().min(wanted.len());
        // A version that stays, also an exact one, is installed again where its folder is gone.
        for skill in selected.filter(|skill| skill.is_missing()) {
            if !moved.iter().any(|(moved, _)| moved.place == skill.place) {
                moved.push((skill.clone(), None));
            }
            if !self.dry_run && !self.options.json {
                print_note(missing_note(skill.place.as_str(), "it is installed again"));
            }
        }
        if self.dry_run {
            self.tell(&project, &moved, report);
        } else {
            project.mend_records();
            let applying = Applying { selected: &moved, force: self.force, copy: copy.as_ref() };
            applying.run(&mut project, &mut sources, report);
            links.iter().for_each(|(folder, members)| project.lock.link(folder, members));
            remove_unneeded(&mut project, report);
            project.save()?;
        }
        if moved.is_empty() && unmoved > 0 && !report.has_failures() {
            report.show("nothing to update: each skill has the newest version that its requirement allows\n");
        }
        Ok(())
    }

    fn update_outside(&self, report: &mut BatchReport) -> Result<(), InstallError> {
        let outside = OutsideUpdate {
            names: &self.skills,
            dry_run: self.dry_run,
            force: self.force,
            json: self.options.json,
        };
        let folders = self.folder.named()?;
        let (mut found, mut known) = (Vec::new(), Vec::new());
        for folder in &folders {
            found.extend(outside.run(folder, report)?);
            known.extend(recorded_skills(folder)?.into_keys().map(|name| name.to_string()));
            if !self.dry_run {
                remove_unneeded_outside(folder, report);
            }
        }
        for name in self.skills.iter().filter(|name| !found.contains(&name.as_str())) {
            let near = nearest(name, known.iter().map(String::as_str));
            let near = near.into_iter().map(str::to_owned).collect();
            report.failed(name, &InstallError::NotLocked { name: name.clone(), near });
        }
        if report.is_empty() {
            report.show("nothing to update: each skill has the newest version that its requirement allows\n");
        }
        Ok(())
    }

    /// Says what would be updated.
    fn tell(&self, project: &Project, moved: &[(LockedSkill, Option<Release>)], report: &mut BatchReport) {
        for (skill, _) in moved {
            let LockedSkill { coordinate, place, version, .. } = skill;
            let locked = project.lock.skills.get(place).map(|locked| &locked.version);
            let name = SkillReference::argument(coordinate);
            let line = match locked {
                Some(locked) if locked == version => {
                    format!("would install {name} {version} again in {place}, where it is missing")
                }
                Some(locked) => format!("would update {name} {locked} -> {version} in {place}"),
                None => format!("would install {name} {version} in {place}, which others require"),
            };
            let item = json!({
                "coordinate": coordinate.scoped(), "version": version, "status": "would_update",
                "replaced": locked, "path": place.as_str(), "requested": skill.requirement,
            });
            report.done(&line, item);
        }
    }
}

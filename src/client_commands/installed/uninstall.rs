//! `skillmirror uninstall`: removes installed skills from a folder.

use std::process::ExitCode;

use clap::Args;
use client::SkillReference;
use client::install::{
    InstallError, SkillsFolder, UninstallRequest, Uninstalled, forget_asked, recorded_skills, uninstall,
};
use client::project::{LockedSkill, Place, Project, folder_in_project};
use registry::names::{Coordinate, Slug, nearest};
use serde_json::json;

use super::batch_report::{BatchReport, Quiet};
use super::selection::Selection;
use super::unneeded::{remove_unneeded, remove_unneeded_outside};
use super::{SkillsFolderOptions, lossy, removal_sentence};

/// Remove installed skills
///
/// Without --dir and --agent a skill is removed from every folder that `skills.lock` records.
#[derive(Args)]
#[command(after_help = "
    uninstall hello                             # Remove it from all folders of this project
    uninstall hello @tools/lint --agent claude  # Remove two from Claude Code in this project
    uninstall hello --force                     # Remove it though its files were changed
")]
pub struct Arguments {
    /// The skill: the name of its folder, or its full name, @namespace/hello
    #[arg(required = true, value_name = "SKILL")]
    skills: Vec<String>,
    #[command(flatten)]
    folder: SkillsFolderOptions,
    /// Also remove skills that were changed since they were installed
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    quiet: Quiet,
    /// Print one JSON document, and failures as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command. A skill that fails does not keep the others from being removed.
pub fn run(arguments: &Arguments) -> ExitCode {
    let mut report = BatchReport::with_notices(arguments.json, arguments.quiet);
    if let Err(why) = arguments.uninstall(&mut report) {
        report.all_failed(&arguments.skills, &why);
    }
    report.finish(arguments.json)
}

impl Arguments {
    fn uninstall(&self, report: &mut BatchReport) -> Result<(), InstallError> {
        let named = self.folder.named()?;
        let mut project = match self.folder.is_outside()? {
            true => None,
            false => Some(Project::open(&named)?),
        };
        if let Some(project) = &project {
            project.mend_records();
        }
        for skill in &self.skills {
            if let Err(why) = self.uninstall_one(project.as_mut(), skill, report) {
                report.failed(skill, &why);
            }
        }
        match &mut project {
            Some(project) => {
                remove_unneeded(project, report);
                project.save()
            }
            None => {
                let folders = self.folder.named_or_default()?;
                folders.iter().for_each(|folder| remove_unneeded_outside(folder, report));
                Ok(())
            }
        }
    }

    /// Removes a skill from each folder where it is.
    fn uninstall_one(
        &self,
        mut project: Option<&mut Project>,
        skill: &str,
        report: &mut BatchReport,
    ) -> Result<(), InstallError> {
        let names = [skill.to_owned()];
        let advice = "a folder holds one version of a skill, so leave out the version or tag";
        let selection = Selection::new(&names, &self.folder)?.without_versions(advice)?;
        let locked: Vec<LockedSkill> = match &project {
            Some(project) => {
                project.lock.skills.values().filter(|skill| selection.has(skill)).cloned().collect()
            }
            None => Vec::new(),
        };
        // Also what is in a folder and not in the lock file.
        if locked.is_empty() {
            let (slug, coordinate) = target(skill)?;
            let (mut is_found, mut missing) = (false, None);
            for folder in self.folder.named_or_default()? {
                match self.remove(&folder, &slug, coordinate.as_ref(), report) {
                    Ok(()) => is_found = true,
                    Err(why @ InstallError::NotInstalled { .. }) => missing = Some(why),
                    Err(why) => {
                        is_found = true;
                        report.failed(skill, &why);
                    }
                }
            }
            if let (Some(InstallError::NotInstalled { near, .. }), Some(project)) = (&mut missing, &project)
                && near.is_empty()
            {
                let names = project.lock.skills.values().map(|skill| skill.place.name().as_str());
                near.extend(nearest(skill, names).into_iter().map(str::to_owned));
            }
            // It may be in one of several folders.
            return missing.filter(|_| !is_found).map_or(Ok(()), Err);
        }
        for LockedSkill { coordinate, place, .. } in locked {
            let folder = SkillsFolder::new(place.folder());
            if let Some(project) = &mut project
                && let Some(line) = keep_required(project, &place)?
            {
                report.done(
                    &line,
                    json!({"coordinate": coordinate.scoped(), "path": place.as_str(), "status": "kept"}),
                );
                continue;
            }
            match self.remove(&folder, place.name(), Some(&coordinate), report) {
                // Somebody has removed the folder and its record.
                Err(InstallError::NotInstalled { .. }) => {
                    let line =
                        format!("forgot {}, which is not in {place}", SkillReference::argument(&coordinate));
                    report.done(&line, json!({"coordinate": coordinate.scoped(), "path": place.as_str()}));
                }
                Err(why) => {
                    report.failed(skill, &why);
                    continue;
                }
                Ok(()) => {}
            }
            if let Some(project) = &mut project {
                let unwanted = project.unwant(&coordinate, &place);
                // Also if skills.toml cannot be changed: the skill is gone.
                project.remove(&place);
                unwanted?;
            }
        }
        Ok(())
    }

    fn remove(
        &self,
        folder: &SkillsFolder,
        slug: &Slug,
        coordinate: Option<&Coordinate>,
        report: &mut BatchReport,
    ) -> Result<(), InstallError> {
        let recorded = recorded_skills(folder)?;
        let is_there = |by: &&Coordinate| recorded.values().any(|other| other.coordinate == **by);
        let known =
            recorded.get(slug).filter(|known| coordinate.is_none_or(|skill| known.coordinate == *skill));
        let by: Vec<&Coordinate> =
            known.into_iter().flat_map(|known| known.needed.by.keys()).filter(is_there).collect();
        // A lock file has said this for the folders of a project.
        if let Some(known) = known.filter(|_| !by.is_empty() && folder_in_project(folder.path()).is_none()) {
            forget_asked(folder, slug)?;
            let item = json!({"coordinate": known.coordinate.scoped(), "status": "kept"});
            report.done(&kept_sentence(&known.coordinate, &by), item);
            return Ok(());
        }
        let request = UninstallRequest { folder, slug, coordinate, force: self.force };
        let removed = uninstall(&request)?;
        let Uninstalled { installed, path, unremovable } = &removed;
        let item = json!({
            "coordinate": installed.coordinate.scoped(),
            "version": installed.version,
            "path": path.to_string_lossy(),
            "left": lossy(unremovable),
        });
        report.done(&removal_sentence(&removed), item);
        Ok(())
    }
}

/// Keeps a skill that others of its folder require, only for them. Returns the line that says so.
fn keep_required(project: &mut Project, place: &Place) -> Result<Option<String>, InstallError> {
    let Some(locked) = project.lock.skills.get(place).cloned() else { return Ok(None) };
    let here = project.lock.skills.values().filter(|other| other.place.folder() == place.folder());
    let by: Vec<&Coordinate> =
        locked.needed.by.keys().filter(|by| here.clone().any(|other| other.coordinate == **by)).collect();
    if by.is_empty() {
        return Ok(None);
    }
    let line = kept_sentence(&locked.coordinate, &by);
    project.unwant(&locked.coordinate, place)?;
    let mut kept = locked.clone();
    kept.needed.is_asked = false;
    project.insert(kept);
    project.lock.link(&place.folder(), &[]);
    Ok(Some(line))
}

fn kept_sentence(skill: &Coordinate, by: &[&Coordinate]) -> String {
    let by: Vec<String> = by.iter().map(|by| SkillReference::argument(by)).collect();
    format!("kept {}, which {} requires", SkillReference::argument(skill), by.join(" and "))
}

/// The folder's name, and the skill that must be in it. A bare slug names the folder, whatever the
/// namespace of the skill in it.
fn target(skill: &str) -> Result<(Slug, Option<Coordinate>), InstallError> {
    if let Ok(slug) = skill.parse() {
        return Ok((slug, None));
    }
    let coordinate = skill.parse::<SkillReference>()?.coordinate;
    Ok((coordinate.slug.clone(), Some(coordinate)))
}

//! `skillmirror uninstall`: removes installed skills from a folder.

use std::process::ExitCode;

use clap::Args;
use client::SkillReference;
use client::install::{InstallError, SkillsFolder, UninstallRequest, Uninstalled, uninstall};
use client::project::{LockedSkill, Project};
use registry::names::{Coordinate, Slug, nearest};
use serde_json::json;

use super::batch_report::{BatchReport, Quiet};
use super::selection::Selection;
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
        project.map_or(Ok(()), |mut project| project.save())
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

/// The folder's name, and the skill that must be in it. A bare slug names the folder, whatever the
/// namespace of the skill in it.
fn target(skill: &str) -> Result<(Slug, Option<Coordinate>), InstallError> {
    if let Ok(slug) = skill.parse() {
        return Ok((slug, None));
    }
    let coordinate = skill.parse::<SkillReference>()?.coordinate;
    Ok((coordinate.slug.clone(), Some(coordinate)))
}

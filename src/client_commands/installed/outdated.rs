//! `skillmirror outdated`: lists the skills of a project that have newer versions.

use std::process::ExitCode;

use clap::Args;
use client::install::InstallError;
use client::project::{LockedSkill, LockedStatus, Project, Sources, locked_statuses};
use client::{ClientError, SkillReference, advisory_line};
use registry::names::Version;
use serde_json::{Value, json};

use super::batch_report::{BatchReport, Quiet};
use super::selection::Selection;
use super::{SkillsFolderOptions, missing_note};
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::{borderless, print_note, print_warning, table_text};

/// List the skills that have newer versions
///
/// WANTED is the version to which `update` moves a skill: the newest that its requirement allows. LATEST
/// is the newest of all. The exit code is 1 if any skill is listed. A skill is also listed if its version
/// has an advisory or `update` would not move it.
/// Without --dir and --agent it looks at all folders that `skills.lock` records.
#[derive(Args)]
#[command(after_help = "
    outdated                 # What has newer versions. The exit code is 1 if any has
    outdated --agent claude  # In the folder of Claude Code
    outdated --json          # For programs
")]
pub struct Arguments {
    /// The skills: by the names of their folders, or by their full names [default: all]
    #[arg(value_name = "SKILL")]
    skills: Vec<String>,
    #[command(flatten)]
    folder: SkillsFolderOptions,
    #[command(flatten)]
    options: RegistryOptions,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    let mut report = BatchReport::with_notices(arguments.options.json, Quiet::default());
    if let Err(why) = arguments.compare(&mut report) {
        report.all_failed(&arguments.skills, &why);
    }
    report.finish(arguments.options.json)
}

impl Arguments {
    fn compare(&self, report: &mut BatchReport) -> Result<(), InstallError> {
        let advice = "a folder holds one version of a skill, so leave out the version or tag";
        let selection = Selection::new(&self.skills, &self.folder)?.without_versions(advice)?;
        if self.folder.is_outside()? {
            let why =
                "skills.lock has only folders of its project: use `skillmirror list --outdated` for others";
            return Err(ClientError::Unsupported(why.to_owned()).into());
        }
        let project = Project::open(&self.folder.named()?)?;
        if project.is_empty() {
            return Err(InstallError::NoProject);
        }
        for (name, why) in selection.unknown(project.lock.skills.values()) {
            report.failed(name, &why);
        }
        let copy = self.options.is_named().then(|| self.options.choose()).transpose()?;
        let mut sources = Sources::new(copy.as_ref());
        let selected: Vec<&LockedSkill> =
            project.lock.skills.values().filter(|skill| selection.has(skill)).collect();
        for skill in &selected {
            sources.open(&skill.registry)?;
            if skill.is_missing() && !self.options.json {
                print_note(missing_note(&skill.place, "`skillmirror install` restores it"));
            }
        }
        let mut rows = Vec::new();
        for (skill, status) in selected.iter().zip(locked_statuses(&sources, &selected)) {
            match status {
                Ok(status) if status.is_outdated(&skill.version) => {
                    report.exit_with_failure();
                    for note in status.advisories.iter().filter(|_| !self.options.json) {
                        let name = SkillReference::argument(&skill.coordinate);
                        let note = advisory_line(note);
                        print_warning(format_args!("{name} {} has the advisory {note}", skill.version));
                    }
                    report.add(item(skill, &status));
                    rows.push(row(skill, &status));
                }
                Ok(_) => {}
                Err(why) => report.failed(&skill.coordinate.scoped(), &why.into()),
            }
        }
        match rows.is_empty() {
            false => report.show(&table_text(borderless(HEADER, rows))),
            true if !report.has_failures() => report.show("no skill is outdated\n"),
            true => {}
        }
        Ok(())
    }
}

const HEADER: [&str; 6] = ["SKILL", "LOCKED", "WANTED", "LATEST", "REQUIREMENT", "FOLDER"];

fn row(skill: &LockedSkill, status: &LockedStatus) -> [String; 6] {
    let version = |version: &Option<Version>| version.as_ref().map_or("none".to_owned(), Version::to_string);
    let locked = match status {
        LockedStatus { is_gone: true, .. } => format!("{} (gone)", skill.version),
        LockedStatus { is_yanked: true, .. } => format!("{} (yanked)", skill.version),
        LockedStatus { advisories, .. } if !advisories.is_empty() => format!("{} (advisory)", skill.version),
        _ => skill.version.to_string(),
    };
    let (wanted, latest) = (version(&status.wanted), version(&status.latest));
    let name = SkillReference::argument(&skill.coordinate);
    [name, locked, wanted, latest, skill.requirement.to_string(), skill.place.to_string()]
}

fn item(skill: &LockedSkill, status: &LockedStatus) -> Value {
    json!({
        "coordinate": skill.coordinate.scoped(),
        "version": skill.version,
        "wanted": status.wanted,
        "latest": status.latest,
        "requested": skill.requirement,
        "requiredBy": skill.needed.texts(),
        "yanked": status.is_yanked,
        "gone": status.is_gone,
        "advisories": status.advisories,
        "path": skill.place.as_str(),
        "registry": skill.registry.to_string(),
    })
}

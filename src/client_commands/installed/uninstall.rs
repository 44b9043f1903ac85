//! `skillmirror uninstall`: removes installed skills from a folder.

use std::process::ExitCode;

use clap::Args;
use client::install::{InstallError, SkillsFolder, UninstallRequest, Uninstalled, uninstall};
use client::{ClientError, SkillReference};
use registry::names::Slug;
use serde_json::json;

use super::batch_report::BatchReport;
use super::{SkillsFolderOptions, lossy, unremovable_note};

/// What to remove, and from where.
#[derive(Args)]
pub struct Arguments {
    /// The name of the skill's folder, or its full name, @namespace/hello
    #[arg(required = true, value_name = "SKILL")]
    skills: Vec<String>,
    #[command(flatten)]
    folder: SkillsFolderOptions,
    /// Also remove skills that were changed since they were installed
    #[arg(long)]
    force: bool,
    /// Print one JSON document, and failures as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command. A skill that fails does not keep the others from being removed.
pub fn run(arguments: &Arguments) -> ExitCode {
    let report = match arguments.folder.open() {
        Ok(folder) => arguments.uninstall(&folder),
        Err(why) => BatchReport::of_failure(&why.into()),
    };
    report.finish(arguments.json)
}

impl Arguments {
    fn uninstall(&self, folder: &SkillsFolder) -> BatchReport {
        let mut report = BatchReport::default();
        for skill in &self.skills {
            match self.uninstall_one(folder, skill) {
                Ok(Uninstalled { installed, path, unremovable }) => {
                    let name = SkillReference::argument(&installed.coordinate);
                    let line = format!("uninstalled {name} {} from {}", installed.version, path.display());
                    let item = json!({
                        "coordinate": installed.coordinate.scoped(),
                        "version": installed.version,
                        "path": path.to_string_lossy(),
                        "left": lossy(&unremovable),
                    });
                    report.done(&(line + &unremovable_note(&unremovable)), item);
                }
                Err(why) => report.failed(skill, &why),
            }
        }
        report
    }

    fn uninstall_one(&self, folder: &SkillsFolder, skill: &str) -> Result<Uninstalled, InstallError> {
        let request = |slug, coordinate| UninstallRequest { folder, slug, coordinate, force: self.force };
        // A bare slug names the folder, whatever the namespace of the skill in it.
        if let Ok(slug) = skill.parse::<Slug>() {
            return uninstall(&request(&slug, None));
        }
        let SkillReference { coordinate, pointer } = skill.parse()?;
        if pointer.is_some() {
            let why = "a folder holds one version of a skill, so leave out the version or tag";
            return Err(ClientError::Reference { text: skill.to_owned(), why: why.to_owned() }.into());
        }
        uninstall(&request(&coordinate.slug, Some(&coordinate)))
    }
}

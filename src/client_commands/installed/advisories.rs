//! `skillmirror advisory check`: names the installed skills that have an advisory.

use std::process::ExitCode;

use clap::Args;
use client::install::{InstallError, ListedSkill};
use client::project::Sources;
use client::{RegistryAddress, SkillReference, advisories_of_all};
use registry::api::public::AdvisoryNote;
use registry::names::{Coordinate, Version};
use registry::public::AdvisoryLevel;
use serde_json::json;

use super::SkillsFolderOptions;
use super::batch_report::{BatchReport, Quiet};
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::{borderless, escape_line, table_text};

/// Name the installed skills that have an advisory
///
/// It asks the registry of each skill that `skills.lock` records, and of those in the named folders. The exit code
/// is 1 if any has an advisory, or if a registry cannot be asked.
#[derive(Args)]
#[command(after_help = "
    advisory check               # The skills of this project, for CI
    advisory check --level high  # Only advisories that are high or critical
    advisory check --json        # For programs
")]
pub struct CheckArguments {
    #[command(flatten)]
    folder: SkillsFolderOptions,
    /// The lowest level that counts: low, moderate, high or critical
    #[arg(long, value_name = "LEVEL", default_value = "low")]
    level: AdvisoryLevel,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A version that is installed or locked.
type Used = (Coordinate, Version, RegistryAddress);

impl CheckArguments {
    /// Runs the command.
    pub fn run(&self) -> ExitCode {
        let mut report = BatchReport::with_notices(self.options.json, Quiet::default());
        if let Err(why) = self.check(&mut report) {
            report.failed("", &why);
        }
        report.finish(self.options.json)
    }

    fn check(&self, report: &mut BatchReport) -> Result<(), InstallError> {
        let used = self.used()?;
        let copy = self.options.is_named().then(|| self.options.choose()).transpose()?;
        let mut sources = Sources::new(copy.as_ref());
        for (_, _, registry) in &used {
            sources.open(registry)?;
        }
        let answers = advisories_of_all(&sources, &used);
        let mut rows = Vec::new();
        for ((coordinate, version, registry), answer) in used.iter().zip(answers) {
            let notes = match answer {
                Ok(notes) => notes,
                Err(why) => {
                    report.failed(&coordinate.scoped(), &why.into());
                    continue;
                }
            };
            for note in notes.iter().filter(|note| note.level >= self.level) {
                report.exit_with_failure();
                report.add(json!({
                    "coordinate": coordinate.scoped(), "version": version, "registry": registry.to_string(),
                    "advisory": note,
                }));
                rows.push(row(coordinate, version, note));
            }
        }
        match (rows.is_empty(), used.len()) {
            (false, _) => report.show(&table_text(borderless(HEADER, rows))),
            (true, _) if report.has_failures() => {}
            (true, 0) => report.show("no skill is installed here\n"),
            (true, 1) => report.show("1 skill has no advisory\n"),
            (true, many) => report.show(&format!("{many} skills have no advisory\n")),
        }
        Ok(())
    }

    /// The versions in the named folders; without any, those in `skills` and those that `skills.lock` records.
    fn used(&self) -> Result<Vec<Used>, InstallError> {
        let mut used: Vec<Used> = Vec::new();
        for (_, ListedSkill { installed, .. }) in self.folder.listed()? {
            let of = (installed.coordinate, installed.version, installed.registry.parse()?);
            if !used.contains(&of) {
                used.push(of);
            }
        }
        Ok(used)
    }
}

const HEADER: [&str; 6] = ["SKILL", "VERSION", "ADVISORY", "LEVEL", "FIXED IN", "TITLE"];

fn row(coordinate: &Coordinate, version: &Version, note: &AdvisoryNote<'_>) -> [String; 6] {
    let fixed = note.fixed_in.as_ref().map_or("-".to_owned(), ToString::to_string);
    let name = SkillReference::argument(coordinate);
    [
        name,
        version.to_string(),
        note.id.to_string(),
        note.level.as_str().to_owned(),
        fixed,
        escape_line(&note.title),
    ]
}

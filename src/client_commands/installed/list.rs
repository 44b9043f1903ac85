//! `skillmirror list`: lists the skills installed in a folder.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use client::install::{
    InstallError, Installed, InstalledState, ListedSkill, SkillsFolder, latest_version, unverified_warning,
    verify_installed,
};
use client::project::Sources;
use client::{SkillReference, Source, advisories_for, advisory_line};
use registry::api::public::AdvisoryNote;
use registry::names::Version;
use serde_json::{Value, json};

use super::SkillsFolderOptions;
use super::batch_report::{BatchReport, Quiet};
use crate::output::{borderless, escape_line, print_note, print_warning, table_text};

/// List the installed skills
///
/// Compares the files with the record of the installation. `--verify` compares them with the registry.
/// Without --dir and --agent it lists all folders that `skills.lock` records.
#[derive(Args)]
#[command(after_help = "
    list                          # What is installed in this project
    list --agent claude --verify  # What Claude Code has in this project, compared with the registry
    list --dir my/skills --json   # For programs
")]
pub struct Arguments {
    #[command(flatten)]
    folder: SkillsFolderOptions,
    /// Ask the registry of each skill for its latest version, and list only the outdated skills
    #[arg(long)]
    outdated: bool,
    /// Ask the registry of each skill for its content, and compare the files with it
    #[arg(long, conflicts_with = "outdated")]
    verify: bool,
    /// Print one JSON document, and failures as JSON
    #[arg(long)]
    json: bool,
}

/// A line of the list.
struct Line {
    /// The folder of the skill.
    path: PathBuf,
    skill: ListedSkill,
    /// The latest version, if it was asked for. None in it if the skill has none any more.
    latest: Option<Option<Version>>,
    /// The advisories that hold for the version, if its registry was asked.
    advisories: Vec<AdvisoryNote<'static>>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    let mut report = BatchReport::with_notices(arguments.json, Quiet::default());
    let listed = match arguments.folder.listed() {
        Ok(listed) => listed,
        Err(why) => return BatchReport::of_failure(&why).finish(arguments.json),
    };
    let is_empty = listed.is_empty();
    let lines = arguments.lines(listed, &mut report);
    if arguments.json {
        lines.iter().for_each(|line| report.done("", record(line)));
    } else if is_empty {
        report.show("no skill is installed here\n");
    } else if !lines.is_empty() {
        report.show(&table(&lines, arguments.outdated));
        lines.iter().filter_map(changes).for_each(|changes| report.show(&changes));
    } else if !report.has_failures() {
        report.show("no skill is outdated\n");
    }
    if !arguments.json && !is_empty && !arguments.outdated && !arguments.verify {
        print_note(
            "compared only with the record of the installation: `skillmirror list --verify` compares with the \
             registry",
        );
    }
    report.finish(arguments.json)
}

impl Arguments {
    /// The lines to print. The report hears of registries that fail, and of skills that are
    /// outdated or not as they were published.
    fn lines(&self, listed: Vec<(SkillsFolder, ListedSkill)>, report: &mut BatchReport) -> Vec<Line> {
        let mut sources = Sources::new(None);
        let mut lines = Vec::new();
        for (folder, mut skill) in listed {
            let (mut latest, mut advisories) = (None, Vec::new());
            if self.outdated {
                let asked = source(&mut sources, &skill.installed);
                match asked.and_then(|source| latest_version(source, &skill.installed)) {
                    Ok(Some(version)) if version <= skill.installed.version => continue,
                    Ok(version) => latest = Some(version),
                    Err(why) => {
                        report.failed(&skill.installed.coordinate.scoped(), &why);
                        continue;
                    }
                }
                report.exit_with_failure();
            } else if self.verify {
                let asked = source(&mut sources, &skill.installed);
                let verified =
                    asked.and_then(|source| verify_installed(source, &folder, &skill.name, &skill.installed));
                skill.state = verified.unwrap_or_else(|why| {
                    report.failed(&skill.installed.coordinate.scoped(), &why);
                    InstalledState::Unknown
                });
                let Installed { coordinate, version, .. } = &skill.installed;
                let asked = source(&mut sources, &skill.installed);
                match asked.and_then(|source| Ok(advisories_for(source, coordinate, version)?)) {
                    Ok(notes) => advisories = notes,
                    Err(why) => report.failed(&coordinate.scoped(), &why),
                }
                for note in &advisories {
                    let name = SkillReference::argument(coordinate);
                    let note = advisory_line(note);
                    print_warning(format_args!("{name} {version} has the advisory {note}"));
                }
                match &skill.state {
                    InstalledState::Verified(left) if left.is_empty() => {}
                    InstalledState::Verified(left) => {
                        print_warning(format_args!(
                            "{}",
                            unverified_warning(&folder.skill(&skill.name), left)
                        ));
                        report.exit_with_failure();
                    }
                    _ => report.exit_with_failure(),
                }
            }
            let path = folder.skill(&skill.name);
            lines.push(Line { path, skill, latest, advisories });
        }
        lines
    }
}

/// The registry of a skill. Skills of one registry share connections.
fn source<'s>(sources: &'s mut Sources<'_>, installed: &Installed) -> Result<&'s Source, InstallError> {
    let registry = installed.registry.parse()?;
    sources.open(&registry)?;
    Ok(sources.get(&registry)?)
}

fn table(lines: &[Line], with_latest: bool) -> String {
    let mut header = vec!["SKILL", "VERSION", "STATE", "REGISTRY"];
    if with_latest {
        header.insert(2, "LATEST");
    }
    // Only where the folders are not all `skills/SLUG`, or the like.
    let folder = |line: &Line| line.path.parent().map(Path::to_owned);
    let is_usual = |line: &Line| {
        line.skill.name == line.skill.installed.coordinate.slug
            && Some(folder(line)) == lines.first().map(folder)
    };
    let has_folders = !lines.iter().all(is_usual);
    if has_folders {
        header.push("FOLDER");
    }
    let row = |Line { path, skill: ListedSkill { installed, state, .. }, latest, .. }: &Line| {
        let name = SkillReference::argument(&installed.coordinate);
        let registry = escape_line(&installed.registry);
        let mut row = vec![name, installed.version.to_string(), state.as_str().to_owned(), registry];
        if let Some(latest) = latest {
            row.insert(2, latest.as_ref().map_or("none".to_owned(), Version::to_string));
        }
        if has_folders {
            row.push(escape_line(path.display()));
        }
        row
    };
    table_text(borderless(header, lines.iter().map(row)).least_first(&["REGISTRY"]))
}

/// The changed files of a skill, and what to do about them.
fn changes(line: &Line) -> Option<String> {
    let InstalledState::Changed(files) = &line.skill.state else { return None };
    let path = &line.path;
    let text = match (files.is_empty(), files.line_ends_remedy(path)) {
        (true, _) => {
            "its files are not those of skills.lock: `skillmirror list --verify` names them".to_owned()
        }
        (_, None) => files.to_string(),
        (_, Some(git)) => format!("{files}. {git}, then run `skillmirror install --force`"),
    };
    Some(escape_line(format_args!("{}: {text}", path.display())) + "\n")
}

fn record(line: &Line) -> Value {
    let Line { path, skill: ListedSkill { installed, state, .. }, latest, advisories } = line;
    let changed: Vec<String> = match state {
        InstalledState::Changed(files) => files.0.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    };
    let unverified = match state {
        InstalledState::Verified(left) => left.as_slice(),
        _ => &[],
    };
    let mut record = json!({
        "coordinate": installed.coordinate.scoped(),
        "version": installed.version,
        "registry": installed.registry,
        "requested": installed.requested,
        "requiredBy": installed.needed.texts(),
        "asked": installed.needed.is_asked,
        "path": path.to_string_lossy(),
        "state": state.as_str(),
        "changed": changed,
        "unverified": unverified,
        "advisories": advisories,
        "sha256": installed.sha256,
        "contentDigest": installed.content_digest,
        // A skill that is only locked has no record of its files.
        "installedAt": (!installed.files.is_empty()).then_some(installed.installed_at),
    });
    if let Some(latest) = latest {
        record["latest"] = json!(latest);
    }
    record
}

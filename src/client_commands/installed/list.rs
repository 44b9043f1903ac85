//! `skillmirror list`: lists the skills installed in a folder.

use std::collections::HashMap;
use std::process::ExitCode;

use clap::Args;
use client::install::{InstallError, Installed, ListedSkill, State, latest, list};
use client::{RegistryAddress, SkillReference, Source};
use registry::names::Version;
use serde_json::{Value, json};

use super::SkillsFolderOptions;
use super::batch_report::BatchReport;
use crate::output::{borderless, escape_line, table_text};

/// What to list.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: SkillsFolderOptions,
    /// Ask the registry of each skill for its latest version
    #[arg(long)]
    outdated: bool,
    /// Print one JSON document, and failures as JSON
    #[arg(long)]
    json: bool,
}

/// The latest version at the registry: `Some(None)` if the skill has none there, `None` if
/// it is not known.
type Latest = Option<Option<Version>>;

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    let listed = match arguments.folder.open().map_err(InstallError::from).and_then(|folder| list(&folder)) {
        Ok(listed) => listed,
        Err(why) => return BatchReport::of_failure(&why).finish(arguments.json),
    };
    let mut report = BatchReport::default();
    let latest = match arguments.outdated {
        true => ask_registries(&listed, &mut report),
        false => vec![None; listed.len()],
    };
    if arguments.json {
        for (skill, latest) in listed.iter().zip(&latest) {
            report.done("", record(skill, latest));
        }
    } else if listed.is_empty() {
        report.show("no skill is installed here\n");
    } else {
        report.show(&table(&listed, &latest, arguments.outdated));
    }
    report.finish(arguments.json)
}

/// Asks for the latest version of each skill. Skills of one registry share connections.
fn ask_registries<'l>(listed: &'l [ListedSkill], report: &mut BatchReport) -> Vec<Latest> {
    let mut sources: HashMap<&str, Source> = HashMap::new();
    let ask = |ListedSkill { installed, .. }: &'l ListedSkill| match ask_registry(&mut sources, installed) {
        Ok(latest) => Some(latest),
        Err(why) => {
            report.failed(&installed.coordinate.scoped(), &why);
            None
        }
    };
    listed.iter().map(ask).collect()
}

fn ask_registry<'l>(
    sources: &mut HashMap<&'l str, Source>,
    installed: &'l Installed,
) -> Result<Option<Version>, InstallError> {
    if let Some(source) = sources.get(installed.registry.as_str()) {
        return latest(source, installed);
    }
    let address: RegistryAddress = installed.registry.parse()?;
    let source = sources.entry(&installed.registry).or_insert(Source::open(address));
    latest(source, installed)
}

fn table(listed: &[ListedSkill], latest: &[Latest], with_latest: bool) -> String {
    let row = |(ListedSkill { installed, state }, latest): (&ListedSkill, &Latest)| {
        let latest = match latest {
            None => "?".to_owned(),
            Some(None) => "none".to_owned(),
            Some(Some(latest)) => latest.to_string(),
        };
        let name = SkillReference::argument(&installed.coordinate);
        let registry = escape_line(&installed.registry);
        [name, installed.version.to_string(), latest, state.as_str().to_owned(), registry]
    };
    let header = ["SKILL", "VERSION", "LATEST", "STATE", "REGISTRY"];
    // LATEST is the only column that may be left out.
    let shown = |cells: [String; 5]| -> Vec<String> {
        cells
            .into_iter()
            .enumerate()
            .filter(|(at, _)| with_latest || *at != 2)
            .map(|(_, cell)| cell)
            .collect()
    };
    let rows = listed.iter().zip(latest).map(|skill| shown(row(skill)));
    table_text(borderless(shown(header.map(str::to_owned)), rows))
}

fn record(listed: &ListedSkill, latest: &Latest) -> Value {
    let ListedSkill { installed, state } = listed;
    let changed = match state {
        State::Changed(files) => files.as_slice(),
        State::Unchanged | State::Missing => &[],
    };
    let mut record = json!({
        "coordinate": installed.coordinate.scoped(),
        "version": installed.version,
        "registry": installed.registry,
        "requested": installed.requested,
        "state": state.as_str(),
        "changed": changed,
        "sha256": installed.sha256,
        "contentDigest": installed.content_digest,
        "installedAt": installed.installed_at,
    });
    if let Some(latest) = latest {
        record["latest"] = json!(latest);
    }
    record
}

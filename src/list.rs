//! `skillmirror list`: what is installed in a folder of skills.

use std::collections::HashMap;
use std::process::ExitCode;

use clap::Args;
use client::install::{InstallError, Installed, Listed, State, latest, list};
use client::{RegistryAddress, SkillReference, Source};
use comfy_table::{Table, presets};
use registry::names::Version;
use serde_json::{Value, json};

use crate::one_by_one::OneByOne;
use crate::skills_folder::SkillsFolder;
use crate::terminal;

/// Which folder, and what of it.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: SkillsFolder,
    /// Ask the registry of each skill for its latest version
    #[arg(long)]
    outdated: bool,
    /// Print one JSON document, and failures as JSON
    #[arg(long)]
    json: bool,
}

/// What a registry says is the latest version; the outer None where nobody asked
/// or nobody answered.
type Latest = Option<Option<Version>>;

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    let begun = arguments.folder.place().map_err(InstallError::from).and_then(|place| list(&place));
    let listed = match begun {
        Ok(listed) => listed,
        Err(why) => {
            let mut outcomes = OneByOne::default();
            outcomes.failed("", &why);
            return outcomes.finish(arguments.json);
        }
    };
    let mut outcomes = OneByOne::default();
    let mut newest: Vec<Latest> = vec![None; listed.len()];
    if arguments.outdated {
        ask(&listed, &mut newest, &mut outcomes);
    }
    if arguments.json {
        for (listed, newest) in listed.iter().zip(&newest) {
            outcomes.done("", record(listed, newest, arguments.outdated));
        }
    } else if listed.is_empty() {
        outcomes.show("no skill is installed here\n");
    } else {
        outcomes.show(&terminal::text(table(&listed, &newest, arguments.outdated)));
    }
    outcomes.finish(arguments.json)
}

/// Asks each registry over connections of its own, which several skills share.
fn ask(listed: &[Listed], newest: &mut [Latest], outcomes: &mut OneByOne) {
    let mut sources: HashMap<&str, Source> = HashMap::new();
    for (Listed { installed, .. }, newest) in listed.iter().zip(newest) {
        match ask_one(&mut sources, installed) {
            Ok(latest) => *newest = Some(latest),
            Err(why) => outcomes.failed(&installed.coordinate.scoped(), &why),
        }
    }
}

fn ask_one<'l>(
    sources: &mut HashMap<&'l str, Source>,
    installed: &'l Installed,
) -> Result<Option<Version>, InstallError> {
    if let Some(source) = sources.get(installed.registry.as_str()) {
        return latest(source, installed);
    }
    let address: RegistryAddress = installed.registry.parse()?;
    let source = sources.entry(&installed.registry).or_insert(Source::open(address, None));
    latest(source, installed)
}

fn table(all: &[Listed], newest: &[Latest], with_latest: bool) -> Table {
    let mut table = Table::new();
    let mut header = vec!["SKILL", "VERSION", "STATE", "REGISTRY"];
    if with_latest {
        header.insert(2, "LATEST");
    }
    table.load_style(presets::NOTHING).set_header(header);
    for (Listed { installed, state }, newest) in all.iter().zip(newest) {
        let mut row = vec![
            SkillReference::argument(&installed.coordinate),
            installed.version.to_string(),
            state.as_str().to_owned(),
            terminal::line(&installed.registry),
        ];
        if with_latest {
            let latest = match newest {
                None => "?".to_owned(),
                Some(None) => "none".to_owned(),
                Some(Some(latest)) => latest.to_string(),
            };
            row.insert(2, latest);
        }
        table.add_row(row);
    }
    table
}

fn record(listed: &Listed, newest: &Latest, with_latest: bool) -> Value {
    let Listed { installed, state } = listed;
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
    if with_latest && let Some(fields) = record.as_object_mut() {
        // What nobody answered is left out.
        newest.iter().for_each(|latest| drop(fields.insert("latest".to_owned(), json!(latest))));
    }
    record
}

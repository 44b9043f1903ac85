//! `skillmirror source`: the places that the registry follows.

use std::fmt::Write;
use std::ops::Not;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, Subcommand, ValueEnum};
use registry::local::{SeenSkill, SourceState};
use registry::names::{Coordinate, Handle, Namespace, Slug};
use registry::publishing::PublishMode;
use registry::time::Timestamp;
use serde::Serialize;

use crate::Failure;
use crate::config::Config;
use crate::config::source::{SourceKind, SourceSection};
use crate::config::source_file::{add_source, remove_source};
use crate::operator::user::require_user;
use crate::output::{Items, Printer, borderless, count, escape_line, table_text};
use crate::process::interrupt::Interrupted;
use crate::sources::{Checked, Follower, check_goal};
use crate::storage::open_registry::{Opened, open_existing};
use crate::tree::update_tree::update_tree;

/// Follow places that publish skills: each new skill or version is submitted for review
///
/// A source is a section of config.toml. A running server checks it by itself: docs/sources.md.
#[derive(Subcommand)]
#[command(after_help = "
    source add office https://git.example/a --kind git --into @team  # A repository
    source check office --dry-run  # What would be submitted
    source list                    # All sources, and their last checks
")]
pub enum Command {
    /// Add a source to config.toml
    #[command(after_help = "
        source add office https://git.example/a --kind git --into @team  # A repository
        source add a /srv/a.git --kind git --into @a --private-network  # A folder
        source add hub https://b.example --kind clawhub --into @team  # A ClawHub registry
    ")]
    Add(Box<AddArguments>),
    /// List the sources, and their last checks
    #[command(after_help = "source list --json  # For programs")]
    List,
    /// Show a source and its skills, as they were seen last
    #[command(after_help = "source show office  # With what was refused, and why")]
    Show {
        /// The source
        name: String,
    },
    /// Remove a source. What was taken from it stays
    #[command(after_help = "source remove office  # Follow it no more")]
    Remove {
        /// The source
        name: String,
    },
    /// Check sources now, and submit what is new
    #[command(after_help = "
        source check                   # All sources
        source check office --dry-run  # What would be submitted
    ")]
    Check {
        /// The source [default: all]
        name: Option<String>,
        /// Submit nothing
        #[arg(long)]
        dry_run: bool,
    },
}

/// The settings of a new source, as its section has them.
#[derive(Args, Serialize)]
pub struct AddArguments {
    /// Its name: a-z, 0-9 and `-`
    #[serde(skip)]
    name: Slug,
    /// Its address, or for git also the absolute path of a folder
    // A text, because the parser of arguments would print a password in it.
    #[arg(value_name = "URL")]
    address: String,
    /// What it is
    #[arg(long, value_enum)]
    kind: SourceKind,
    /// The namespace that its skills are submitted to
    #[arg(long, value_name = "@NS", value_parser = namespace)]
    into: Namespace,
    /// The account in whose name they are submitted
    #[arg(long = "as", value_name = "HANDLE", default_value = "admin")]
    #[serde(rename = "as")]
    account: Handle,
    /// Only these skills (repeatable) [default: all]
    #[arg(long = "skill", value_name = "SLUG")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skills: Vec<Coordinate>,
    /// git: the folder that the skills are in
    #[arg(long, value_name = "PATH")]
    folder: Option<String>,
    /// git: the branch
    #[arg(long)]
    branch: Option<String>,
    /// git: the newest of these tags, with `*` for the version
    #[arg(long, value_name = "PATTERN")]
    tags: Option<String>,
    /// registry: its namespaces (repeatable)
    #[arg(long = "namespace", value_name = "NS", value_parser = namespace)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    namespaces: Vec<Namespace>,
    /// A file with a token for the source
    #[arg(long, value_name = "FILE")]
    credential_file: Option<PathBuf>,
    /// Publish without a review, unless a verdict makes it wait
    #[arg(long)]
    #[serde(skip_serializing_if = "Not::not")]
    publish: bool,
    /// Repair packages if possible
    #[arg(long)]
    #[serde(skip_serializing_if = "Not::not")]
    tolerant: bool,
    /// The source may be in a private network, or on this machine
    #[arg(long)]
    #[serde(skip_serializing_if = "Not::not")]
    private_network: bool,
}

/// Reads `@team` or `team`.
fn namespace(text: &str) -> Result<Namespace, String> {
    text.strip_prefix('@').unwrap_or(text).parse().map_err(|why: registry::names::NameError| why.to_string())
}

/// A source, for programs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    name: &'a str,
    kind: SourceKind,
    address: String,
    into: &'a Namespace,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<SourceState>,
}

impl<'a> Shown<'a> {
    fn new(name: &'a str, source: &'a SourceSection, state: Option<SourceState>) -> Self {
        Self { name, kind: source.kind, address: source.address.to_string(), into: &source.into, state }
    }
}

/// Runs the command. The exit code is 1 if a source could not be checked.
pub fn run(config: &Config, command: Command, printer: Printer) -> Result<ExitCode, Failure> {
    let opened = open_existing(config)?;
    match command {
        Command::Add(arguments) => add(config, &opened, &arguments, printer)?,
        Command::List => list(config, &opened, printer)?,
        Command::Show { name } => show(config, &opened, &name, printer)?,
        Command::Remove { name } => {
            remove_source(config.file(), &name)?;
            opened.local.remove_source_state(&name)?;
            let text = format!(
                "removed the source {name}. A running server follows it until it reads its settings \
                 again (SIGHUP)\n"
            );
            printer.report(text, &serde_json::json!({ "name": name }))?;
        }
        Command::Check { name, dry_run } => return check(config, &opened, name.as_deref(), dry_run, printer),
    }
    Ok(ExitCode::SUCCESS)
}

fn add(config: &Config, opened: &Opened, arguments: &AddArguments, printer: Printer) -> Result<(), Failure> {
    require_user(&opened.registry, &arguments.account)?;
    check_goal(&opened.registry, &arguments.into)?;
    let AddArguments { name, address, into, .. } = arguments;
    add_source(config.file(), name.as_str(), &toml::to_string(arguments)?)?;
    let text = format!(
        "added the source {name}: its skills will be submitted to @{into}. `skillmirror source check \
         {name}` checks it now; a running server begins after a reload (SIGHUP)\n"
    );
    let record = serde_json::json!({ "name": name, "file": config.file(), "address": address, "into": into });
    Ok(printer.report(text, &record)?)
}

fn find<'a>(config: &'a Config, name: &str) -> Result<(&'a String, &'a SourceSection), Failure> {
    let found = config.sources.get_key_value(name);
    Ok(found.ok_or_else(|| format!("there is no source `{name}`: `skillmirror source list` shows all"))?)
}

/// The result of the last check, in words.
fn last(state: &SourceState) -> String {
    match (&state.checked_at, &state.error) {
        (None, _) => "not checked yet".to_owned(),
        (Some(_), Some(why)) => escape_line(why),
        (Some(_), None) => {
            let refused = state.skills.values().filter(|seen| seen.outcome.is_refusal()).count();
            format!("{}, {refused} of them refused", count(state.skills.len(), "skill"))
        }
    }
}

fn time(at: Option<Timestamp>) -> String {
    at.map(|at| at.to_string()).unwrap_or_default()
}

fn list(config: &Config, opened: &Opened, printer: Printer) -> Result<(), Failure> {
    let mut items = Vec::new();
    let mut rows = Vec::new();
    for (name, source) in &config.sources {
        let state = opened.local.source_state(name)?;
        let (checked, last) = (time(state.checked_at), last(&state));
        let kind = source.kind.to_possible_value();
        let shown = Shown::new(name, source, Some(SourceState { skills: Default::default(), ..state }));
        rows.push([
            name.clone(),
            kind.map_or_else(String::new, |kind| kind.get_name().to_owned()),
            shown.address.clone(),
            format!("@{}", source.into),
            checked,
            last,
        ]);
        items.push(shown);
    }
    let table = borderless(["NAME", "KIND", "ADDRESS", "INTO", "CHECKED", "RESULT"], rows);
    Ok(printer.report(table_text(table.least_first(&["CHECKED", "KIND"])), &Items { items })?)
}

/// A table of skills, each with its name in the registry if that is another one.
fn skills<'a>(skills: impl Iterator<Item = (&'a String, &'a SeenSkill)>) -> String {
    let rows = skills.map(|(id, seen)| {
        let text = |text: Option<&String>| text.map(escape_line).unwrap_or_default();
        let version = text(seen.version.as_ref());
        let other = seen.slug.as_ref().filter(|slug| slug.as_str() != id);
        let name = escape_line(id) + &other.map(|slug| format!(" ({slug})")).unwrap_or_default();
        [name, version, seen.outcome.as_str().to_owned(), text(seen.message.as_ref())]
    });
    table_text(borderless(["SKILL", "VERSION", "RESULT", "WHY"], rows.collect::<Vec<_>>()))
}

fn show(config: &Config, opened: &Opened, name: &str, printer: Printer) -> Result<(), Failure> {
    let (name, source) = find(config, name)?;
    let state = opened.local.source_state(name)?;
    let mut text = format!("{name}: {} into @{}\n", escape_line(&source.address), source.into);
    let _ = writeln!(text, "last check  {} {}", time(state.checked_at), last(&state));
    let _ = writeln!(text, "next check  {}", time(state.next_check));
    if !state.skills.is_empty() {
        text += &format!("\n{}", skills(state.skills.iter()));
    }
    Ok(printer.report(text, &Shown::new(name, source, Some(state)))?)
}

fn check(
    config: &Config,
    opened: &Opened,
    name: Option<&str>,
    dry_run: bool,
    printer: Printer,
) -> Result<ExitCode, Failure> {
    let sources = match name {
        Some(name) => vec![find(config, name)?],
        None => config.sources.iter().collect(),
    };
    let interrupted = Interrupted::notice("stopping. Press Ctrl-C again to stop at once");
    let is_stopped = Arc::new(AtomicBool::new(false));
    let Opened { registry, local } = opened;
    let follower = Follower { config, registry, local, is_stopped: Arc::clone(&is_stopped) };
    let mode = if dry_run { PublishMode::DryRun } else { PublishMode::Commit };
    let mut items: Vec<Checked> = Vec::new();
    for (name, source) in sources {
        is_stopped.store(interrupted.is_set(), Ordering::Relaxed);
        items.push(follower.check(name, source, mode)?);
    }
    let has_failed = items.iter().any(|checked| checked.error.is_some());
    let mut text = String::new();
    for Checked { name, error, skills: seen } in &items {
        match error {
            Some(why) => _ = writeln!(text, "{name}: {}", escape_line(why)),
            None => _ = writeln!(text, "{name}:\n{}", skills(seen.iter()).trim_end()),
        }
    }
    if dry_run && !has_failed {
        text += "nothing was submitted (--dry-run)\n";
    }
    printer.report(text, &Items { items })?;
    if !dry_run {
        update_tree(config, registry);
    }
    Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

//! `skillmirror read-key`: makes, lists and revokes the keys with which programs read a closed registry.

use std::process::ExitCode;
use std::time::Duration;

use clap::Subcommand;
use generator::tree::{ReadKeyRecord, Tree};
use registry::read_key::ReadKey;
use registry::time::Timestamp;
use serde::Serialize;

use crate::Failure;
use crate::arguments::duration_arg::duration;
use crate::config::Config;
use crate::output::{Items, Printer, borderless, escape_line, print_note, table_text};

/// The longest life of a key: ten years.
const MAX_LIFETIME: Duration = Duration::from_secs(3660 * 24 * 60 * 60);

/// The most characters of a name.
const MAX_NAME: usize = 100;

/// Make, list and revoke keys that read a closed registry
///
/// They are for programs, and for hosts that serve the tree without a server. A key reads everything and
/// writes nothing. Its record is beside the tree, without the key itself: docs/private.md.
#[derive(Subcommand)]
#[command(after_help = "
    read-key new ci --expires 30d         # A key, printed this once
    read-key list                         # All keys
    read-key revoke UW0bMXezvhqi286B6h4oXA  # By the id that `read-key list` shows
")]
pub enum Command {
    /// Make a key. Prints only the key, this once
    #[command(after_help = "read-key new ci > ci.key  # It ends after 90 days")]
    New {
        /// What it is for, for the list
        name: String,
        /// The time until it expires: 30d, 12h, 45m; at most 3660d
        #[arg(long, value_name = "TIME", value_parser = lifetime, default_value = "90d")]
        expires: Duration,
    },
    /// List the keys
    #[command(after_help = "read-key list --json  # For programs")]
    List,
    /// Revoke a key: no host on this machine takes it from now on
    #[command(after_help = "read-key revoke ci  # By its name, if no other key has it")]
    Revoke {
        /// Its id or name, as `read-key list` shows it
        key: String,
    },
}

fn lifetime(text: &str) -> Result<Duration, String> {
    duration(text)
        .and_then(|time| if time <= MAX_LIFETIME { Ok(time) } else { Err("at most 3660d".to_owned()) })
}

/// Runs the command.
pub fn run(config: &Config, command: Command, printer: Printer) -> Result<ExitCode, Failure> {
    let tree = Tree::at(&config.public);
    if let Some(name) = config.private_namespace.as_ref().filter(|_| !config.public.exists()) {
        let shown = config.public.display();
        return Err(format!("the private namespace `{name}` has no tree in {shown}: check the name").into());
    }
    match command {
        Command::New { name, expires } => new(config, &tree, name, expires, printer)?,
        Command::List => list(&tree, printer)?,
        Command::Revoke { key } => revoke(&tree, &key, printer)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn new(
    config: &Config,
    tree: &Tree,
    name: String,
    expires: Duration,
    printer: Printer,
) -> Result<(), Failure> {
    if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
        return Err(
            format!("the name of a key has 1 to {MAX_NAME} characters, and no control characters").into()
        );
    }
    if tree.read_keys()?.iter().any(|record| record.name == name) {
        return Err(format!("there is a key {name:?}: choose another name, or revoke it first").into());
    }
    let key = ReadKey::generate(Timestamp::now().plus(expires))?;
    let record = ReadKeyRecord::new(&key, name);
    tree.add_read_key(&record)?;
    if !config.is_closed() {
        print_note("everyone can read this registry without a key: set `require = \"token\"` in [reads]");
    }
    let text = key.reveal();
    printer.report(format!("{text}\n"), &Shown { record, key: Some(text) })?;
    Ok(())
}

fn list(tree: &Tree, printer: Printer) -> Result<(), Failure> {
    let (items, now) = (tree.read_keys()?, Timestamp::now());
    let rows = items.iter().map(|record| {
        let ended = if record.expires_at <= now { "expired " } else { "" };
        let expires = format!("{ended}{}", record.expires_at);
        [record.id.to_string(), escape_line(&record.name), record.created_at.to_string(), expires]
    });
    let table = borderless(["ID", "NAME", "CREATED", "EXPIRES"], rows.collect::<Vec<_>>());
    Ok(printer.report(table_text(table.least_first(&["CREATED", "EXPIRES"])), &Items { items })?)
}

fn revoke(tree: &Tree, key: &str, printer: Printer) -> Result<(), Failure> {
    let records = tree.read_keys()?;
    let found = records.into_iter().find(|record| record.name == key || record.id.to_string() == key);
    let record = found.ok_or_else(|| format!("no key is {key:?}: `skillmirror read-key list` shows them"))?;
    tree.revoke_read_key(&record.id)?;
    let text = format!("revoked the key {} ({})\n", record.id, escape_line(&record.name));
    Ok(printer.report(text, &Shown { record, key: None })?)
}

/// A key for programs.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    record: ReadKeyRecord,
    /// The key itself, which is not kept anywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
}

//! `skillmirror key`: makes, shows and retires the keys that sign the history.

use std::process::ExitCode;

use clap::Subcommand;
use generator::settings::RegistryKey;
use registry::time::Timestamp;
use registry::transparency_log::minisign::public_key;
use registry::transparency_log::{LogName, SigningKey, VerifierKey};
use serde::Serialize;

use crate::Failure;
use crate::arguments::confirmation::Confirmation;
use crate::config::Config;
use crate::output::{Items, Printer, print_error, print_note};

/// Make, list and retire the keys that sign the history
///
/// The keys are in the folder `keys` beside the data folder, or in the one that the setting
/// `signing.keys` names. They are not in the data folder, so no backup has them.
#[derive(Subcommand)]
#[command(after_help = "
    key new --name skills.example.org  # Make a key that signs the history
    key list                           # All keys
    key show                           # What clients need to trust it
")]
pub enum Command {
    /// Make a key that signs the registry's history
    #[command(after_help = "key new --name skills.example.org  # The log is named after the host")]
    New {
        /// The registry's name in its log, such as skills.example.org. All keys have the same
        /// [default: the name of the other keys, or else public_url without its scheme]
        #[arg(long)]
        name: Option<LogName>,
    },
    /// List the keys, with those that sign no more
    #[command(after_help = "
        key list                         # All keys
        key list --config registry.toml  # With the folder that the settings name
    ")]
    List,
    /// Print the public keys that sign now, a line each, for clients and mirrors
    #[command(after_help = "key show --minisign  # For `minisign -P`")]
    Show {
        /// In the form of minisign, for `minisign -P`
        #[arg(long)]
        minisign: bool,
    },
    /// Let a key sign no more, and delete its private half
    #[command(after_help = "key retire c4042f35  # By the id that `key list` shows")]
    Retire {
        /// The id, as `key list` shows it
        id: String,
        #[command(flatten)]
        confirmation: Confirmation,
    },
}

/// Runs the command.
pub fn run(config: &Config, command: Command, printer: Printer) -> Result<ExitCode, Failure> {
    let keys = &config.keys;
    match command {
        Command::New { name } => {
            let of_url = || config.public_url.as_ref().and_then(|url| url.without_scheme().parse().ok());
            let (key, path) =
                keys.make(name.or_else(|| if keys.published().next().is_none() { of_url() } else { None }))?;
            print_error(format!(
                "the private key is in {}: keep a copy where nobody else can read it. Start serve again to sign \
                 with it. Clients and mirrors trust this line:",
                path.display()
            ));
            printer.report(format!("{key}\n"), &Shown { key: key.to_string() })?;
        }
        Command::List => {
            if keys.published().next().is_none() {
                let folder = keys.folder().display();
                print_note(format_args!(
                    "no key in {folder}: `skillmirror key new` makes one, and the setting `signing.keys` names another \
                     folder"
                ));
            }
            let line = |key: RegistryKey| {
                let at = key.retired.map(|at| format!(" {at}")).unwrap_or_default();
                format!("{}  {}{at}\n", key.key.short(), state(config, &key))
            };
            let items = keys.published().map(|key| Record::of(config, key)).collect();
            printer.report(keys.published().map(line).collect::<String>(), &Items { items })?;
        }
        Command::Show { minisign } => {
            let of_command = if minisign { &[] } else { keys.of_command() };
            if keys.signing().is_empty() && of_command.is_empty() {
                return Err(
                    "no key signs this registry's history: make one with `skillmirror key new`".into()
                );
            }
            let public =
                |key: &_| if minisign { public_key(key) } else { SigningKey::verifier(key).to_string() };
            let shown = keys.signing().iter().map(public).chain(of_command.iter().map(ToString::to_string));
            let items: Vec<_> = shown.map(|key| Shown { key }).collect();
            let text: String = items.iter().map(|shown| format!("{}\n", shown.key)).collect();
            printer.report(text, &Items { items })?;
        }
        Command::Retire { id, confirmation } => {
            let after = "It signs no more, and its private half is deleted. This cannot be undone.";
            confirmation.ask(&format!("retire the key {}", keys.find(&id)?.short()), after)?;
            let key = keys.retire(&id)?;
            print_error(format!("{} signs no more. Start serve again", key.short()));
            printer.report("", &Shown { key: key.to_string() })?;
            if keys.signing().len() + keys.of_command().len() == 1 {
                print_error("no key is left: the registry signs its history no more");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What a key does.
fn state(config: &Config, key: &RegistryKey) -> &'static str {
    match key.retired {
        Some(_) => "retired",
        None if config.keys.of_command().contains(&key.key) => "signs with a command",
        None => "signs",
    }
}

/// The text of a public key, for programs.
#[derive(Serialize)]
struct Shown {
    key: String,
}

/// A key for programs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    id: String,
    name: String,
    key: VerifierKey,
    state: &'static str,
    retired_at: Option<Timestamp>,
}

impl Record {
    fn of(config: &Config, key: RegistryKey) -> Self {
        Self {
            id: key.key.id(),
            name: key.key.name().to_string(),
            state: state(config, &key),
            retired_at: key.retired,
            key: key.key,
        }
    }
}

//! The commands for those who run a registry. They work on its data folder, its output
//! folder, or both.

mod audit;
mod count_downloads;
mod downloads;
mod gc;
mod generate;
mod hosts;
mod import;
mod journal;
mod key;
mod open_files;
mod serve;
mod snapshot;
mod token;
mod upgrade;
mod user;
mod verify;
mod watch;

use std::path::Path;
use std::process::ExitCode;

use clap::Subcommand;
use client::ClientError;
use registry::journal::SqliteJournal;
use registry::with_causes;

use crate::Failure;
use crate::config::{self, Config, Source};
use crate::folders::Folders;
use crate::output::Printer;
pub use snapshot::{TrustedKeys, beside, follow as follow_snapshot};

/// A command that works on the folders of a registry.
#[derive(Subcommand)]
pub enum OperatorCommand {
    /// Run the server
    ///
    /// It accepts writes, updates the static tree and answers reads, until SIGTERM. The first start
    /// creates the registry, and writes the token of its admin to `admin-token` in the data folder.
    Serve(serve::Arguments),
    /// Add, list, disable and enable accounts
    #[command(subcommand)]
    User(user::Command),
    /// Create, list and revoke tokens
    ///
    /// `create`, `list` and `revoke` are about your own tokens at a registry. With `--data` or `--config`,
    /// and with `issue`, they are about those of all users in a data folder.
    #[command(subcommand)]
    Token(token::Command),
    /// Publish existing skills without a server
    ///
    /// Publishes at once, without a review. A server of the registry may be running.
    Import(import::Arguments),
    /// Write the whole static tree again
    ///
    /// Writes it from the journal, or with `--feed` from the feed of another tree.
    Generate(generate::Arguments),
    /// Keep the static tree up to date
    ///
    /// Follows the journal, or with `--feed` the feed of another tree, until SIGTERM.
    Watch(watch::Arguments),
    /// Verify installed skills, packages, or a registry's own tree
    ///
    /// Proves that packages and installed skills are in the signed history of their registry: those at the
    /// paths, or those of this project. In the folder of a registry, and with --data or --config, it compares
    /// the static tree with the journal instead, and lists every wrong file.
    Verify(crate::client_commands::verify::Arguments),
    /// Check, back up and restore all data
    #[command(subcommand)]
    Journal(journal::Command),
    /// Make, list and retire the keys that sign the history
    ///
    /// The keys are in the folder `keys` beside the data folder, or in the one that the setting
    /// `signing.keys` names. They are not in the data folder, so no backup has them.
    #[command(subcommand)]
    Key(key::Command),
    /// Print the configuration of a host, such as nginx
    ///
    /// The host serves the static tree alone, or in front of a server.
    Hosts(hosts::Arguments),
    /// Carry the tree to another place as one file
    #[command(subcommand)]
    Snapshot(snapshot::Command),
    /// Say what starting this release would do
    ///
    /// Reads the folders of a registry and changes nothing. To update installed skills, use
    /// `skillmirror update`.
    Upgrade(upgrade::Arguments),
    /// List who did what and when
    Audit(audit::Arguments),
    /// Remove packages that no version uses any more
    Gc(gc::Arguments),
    /// Count downloads in the access logs of hosts
    ///
    /// Hosts that serve the static tree count nothing themselves. No line is counted twice.
    CountDownloads(count_downloads::Arguments),
    /// Show how often skills were downloaded
    Downloads(downloads::Arguments),
}

/// Whether a command without paths is about a registry: one is named, or has its settings or data here.
fn is_of_registry(folders: &Folders) -> bool {
    // Other projects have a folder `data` and a file `config.toml`, too.
    let has_journal = || SqliteJournal::is_in(Path::new("data")).unwrap_or(true);
    !folders.is_empty() || folders.name_a_registry() || has_journal() || config::is_here()
}

impl OperatorCommand {
    /// Runs the command, on the registry that `folders` names, and prints its result.
    pub fn run(self, folders: Folders) -> ExitCode {
        let printer = Printer { as_json: folders.json };
        self.run_in(folders, printer).unwrap_or_else(|why| {
            let code = why.downcast_ref::<ClientError>().map_or("failed", ClientError::code);
            printer.failure(code, with_causes(&*why));
            ExitCode::FAILURE
        })
    }

    /// Whether the command runs until SIGTERM.
    pub fn runs_on(&self) -> bool {
        match self {
            Self::Serve(_) | Self::Snapshot(snapshot::Command::Serve(_)) => true,
            Self::Watch(arguments) => !arguments.once,
            _ => false,
        }
    }

    fn run_in(self, folders: Folders, printer: Printer) -> Result<ExitCode, Failure> {
        match &self {
            Self::Verify(arguments) if arguments.is_about_skills() || !is_of_registry(&folders) => {
                return Ok(arguments.run());
            }
            // These need no settings either.
            Self::Token(command) => {
                if let Some(code) = command.ask_registry(folders.name_a_registry()) {
                    return Ok(code);
                }
            }
            _ => {}
        }
        let Folders { config: file, data, public, public_url, .. } = folders;
        self.run_with(Config::load(Source { file, data, public, public_url, listen: None })?, printer)
    }

    fn run_with(self, config: Config, printer: Printer) -> Result<ExitCode, Failure> {
        match self {
            Self::Serve(arguments) => serve::run(config, arguments),
            Self::User(command) => user::run(&config, command, printer),
            Self::Token(command) => token::run(&config, command, printer),
            Self::Import(arguments) => import::run(&config, &arguments, printer),
            Self::Generate(arguments) => generate::run(&config, &arguments, printer),
            Self::Watch(arguments) => watch::run(&config, &arguments, printer),
            Self::Verify(_) => verify::run(&config, printer),
            Self::Journal(command) => journal::run(&config, command, printer),
            Self::Key(command) => key::run(&config, command, printer),
            Self::Hosts(arguments) => hosts::run(&config, arguments, printer),
            Self::Snapshot(command) => snapshot::run(config, command, printer),
            Self::Upgrade(arguments) => upgrade::run(&config, &arguments, printer),
            Self::Audit(arguments) => audit::run(&config, arguments, printer),
            Self::Gc(arguments) => gc::run(&config, &arguments, printer),
            Self::CountDownloads(arguments) => count_downloads::run(&config, &arguments, printer),
            Self::Downloads(arguments) => downloads::run(&config, &arguments, printer),
        }
    }
}

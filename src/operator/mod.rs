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
mod sign;
mod snapshot;
mod token;
mod upgrade;
mod user;
mod verify;
mod watch;

use std::process::ExitCode;

use clap::Subcommand;

use crate::Failure;
use crate::config::Config;
pub use snapshot::{TrustedKeys, beside, follow as follow_snapshot};

/// A command that works on the folders of a registry.
#[derive(Subcommand)]
pub enum OperatorCommand {
    /// Run the server. It accepts writes, updates the static tree and answers reads
    Serve(serve::Arguments),
    /// Add, list, disable and enable accounts
    #[command(subcommand)]
    User(user::Command),
    /// Create, list and revoke your tokens at a registry, or those of all users in its data folder
    #[command(subcommand)]
    Token(token::Command),
    /// Publish skill folders, zips, or folders of them
    Import(import::Arguments),
    /// Regenerate the static tree from the journal or from another tree's feed
    Generate(generate::Arguments),
    /// Keep the static tree up to date with the journal or another tree's feed
    Watch(watch::Arguments),
    /// Compare the static tree with the journal and list every wrong file, or prove that packages and
    /// installed skills are in a signed history
    Verify(crate::client_commands::verify::Arguments),
    /// Check, back up and restore the journal and all packages
    #[command(subcommand)]
    Journal(journal::Command),
    /// Make, list and retire the keys that sign the history
    #[command(subcommand)]
    Key(key::Command),
    /// Sign the history of a registry that has no key of its own
    Sign(sign::Arguments),
    /// Print the configuration of a host that serves the static tree, such as nginx
    Hosts(hosts::Arguments),
    /// Carry the tree to another place as one file
    #[command(subcommand)]
    Snapshot(snapshot::Command),
    /// Say what starting this release would do with the folders of a registry
    Upgrade(upgrade::Arguments),
    /// List who did what and when
    Audit(audit::Arguments),
    /// Remove packages that no version uses any more
    Gc(gc::Arguments),
    /// Count the downloads in access logs of hosts that serve the static tree
    CountDownloads(count_downloads::Arguments),
    /// Show how often skills were downloaded
    Downloads(downloads::Arguments),
}

impl OperatorCommand {
    /// Runs the command.
    pub fn run(self, config: Config) -> Result<ExitCode, Failure> {
        match self {
            Self::Serve(arguments) => serve::run(config, arguments),
            Self::User(command) => user::run(&config, command),
            Self::Token(command) => token::run(&config, command),
            Self::Import(arguments) => import::run(&config, &arguments),
            Self::Generate(arguments) => generate::run(&config, &arguments),
            Self::Watch(arguments) => watch::run(&config, &arguments),
            Self::Verify(_) => verify::run(&config),
            Self::Journal(command) => journal::run(&config, command),
            Self::Key(command) => key::run(&config, command),
            Self::Sign(arguments) => sign::run(&config, arguments),
            Self::Hosts(arguments) => hosts::run(&config, arguments),
            Self::Snapshot(command) => snapshot::run(config, command),
            Self::Upgrade(arguments) => upgrade::run(&config, &arguments),
            Self::Audit(arguments) => audit::run(&config, arguments),
            Self::Gc(arguments) => gc::run(&config, &arguments),
            Self::CountDownloads(arguments) => count_downloads::run(&config, &arguments),
            Self::Downloads(arguments) => downloads::run(&config, &arguments),
        }
    }
}

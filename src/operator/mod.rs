//! The commands for those who run a registry. They work on its data folder, its output
//! folder, or both.

mod audit;
mod count_downloads;
mod downloads;
mod gc;
mod generate;
mod hosts;
mod huge_pages;
mod import;
mod journal;
mod key;
mod open_files;
mod read_key;
mod scan;
mod serve;
mod snapshot;
mod source;
pub mod token;
mod upgrade;
mod user;
pub mod verify;
mod watch;

use std::process::ExitCode;

use clap::Subcommand;
use client::ClientError;
use registry::with_causes;

use crate::Failure;
use crate::arguments::folders::Folders;
use crate::config::{Config, Source};
use crate::output::Printer;

/// A command that runs a registry, on its folders.
#[derive(Subcommand)]
pub enum RunCommand {
    Serve(serve::Arguments),
    #[command(subcommand)]
    User(user::Command),
    Import(import::Arguments),
    #[command(subcommand)]
    Source(source::Command),
    Hosts(hosts::Arguments),
    Audit(audit::Arguments),
    Downloads(downloads::Arguments),
    CountDownloads(count_downloads::Arguments),
    Scan(scan::Arguments),
    Gc(gc::Arguments),
    #[command(subcommand)]
    Journal(journal::Command),
    #[command(subcommand)]
    Key(key::Command),
    #[command(subcommand)]
    ReadKey(read_key::Command),
    Upgrade(upgrade::Arguments),
}

/// A command that writes trees and mirrors.
#[derive(Subcommand)]
pub enum MirrorCommand {
    Generate(generate::Arguments),
    Watch(watch::Arguments),
    #[command(subcommand)]
    Snapshot(snapshot::Command),
}

impl RunCommand {
    /// Whether the command runs until SIGTERM.
    pub fn runs_on(&self) -> bool {
        matches!(self, Self::Serve(_))
    }

    /// Runs the command on the registry that `folders` names, and prints its result.
    pub fn run(self, folders: Folders) -> ExitCode {
        run_in(folders, |config, printer| {
            if matches!(self, Self::Serve(_) | Self::User(_) | Self::Key(_) | Self::Source(_)) {
                config.require_main()?;
            }
            match self {
                Self::Serve(arguments) => serve::run(config, arguments),
                Self::User(command) => user::run(&config, command, printer),
                Self::Source(command) => source::run(&config, command, printer),
                Self::Import(arguments) => import::run(&config, &arguments, printer),
                Self::Hosts(arguments) => hosts::run(&config, arguments, printer),
                Self::Audit(arguments) => audit::run(&config, arguments, printer),
                Self::Downloads(arguments) => downloads::run(&config, &arguments, printer),
                Self::Scan(arguments) => scan::run(&config, &arguments, printer),
                Self::CountDownloads(arguments) => count_downloads::run(&config, &arguments, printer),
                Self::Gc(arguments) => gc::run(&config, &arguments, printer),
                Self::Journal(command) => journal::run(&config, command, printer),
                Self::Key(command) => key::run(&config, command, printer),
                Self::ReadKey(command) => read_key::run(&config, command, printer),
                Self::Upgrade(arguments) => upgrade::run(&config, &arguments, printer),
            }
        })
    }
}

impl MirrorCommand {
    /// Whether the command runs until SIGTERM.
    pub fn runs_on(&self) -> bool {
        match self {
            Self::Watch(arguments) => !arguments.once,
            Self::Snapshot(snapshot::Command::Serve(_)) => true,
            Self::Generate(_) | Self::Snapshot(_) => false,
        }
    }

    /// Runs the command on the registry that `folders` names, and prints its result.
    pub fn run(self, folders: Folders) -> ExitCode {
        run_in(folders, |config, printer| match self {
            Self::Generate(arguments) => generate::run(&config, &arguments, printer),
            Self::Watch(arguments) => watch::run(&config, &arguments, printer),
            Self::Snapshot(command) => snapshot::run(config, command, printer),
        })
    }
}

/// Runs a command with the settings of the registry that `folders` names. Prints why it fails.
pub fn run_in(
    folders: Folders,
    command: impl FnOnce(Config, Printer) -> Result<ExitCode, Failure>,
) -> ExitCode {
    huge_pages::disable();
    let Folders { config: file, data, public, public_url, private, json } = folders;
    let printer = Printer { as_json: json };
    let config = Config::load(Source { file, data, public, public_url, private, listen: None });
    config.map_err(Failure::from).and_then(|config| command(config, printer)).unwrap_or_else(|why| {
        let code = why.downcast_ref::<ClientError>().map_or("failed", ClientError::code);
        printer.failure(code, with_causes(&*why));
        ExitCode::FAILURE
    })
}

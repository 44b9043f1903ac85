//! `skillmirror snapshot`: a registry's tree as one file that people carry.

mod apply;
mod create;
mod delta;
mod new_file;
mod serve;

use std::path::Path;
use std::process::ExitCode;

use clap::Subcommand;
use generator::snapshot::Manifest;
use serde::Serialize;

use crate::Failure;
use crate::config::Config;
use crate::output::Printer;

/// Carry the tree to another place as one file
#[derive(Subcommand)]
#[command(after_help = "
    snapshot create --out skills.tar.zst       # The tree as one file
    snapshot serve skills.tar.zst              # Serve it elsewhere
    snapshot apply skills.tar.zst --to mirror  # Make or update a mirror from it
")]
pub enum Command {
    /// Write the tree to a file. A server may be running
    #[command(after_help = "
        snapshot create --out skills.tar.zst                   # Everything
        snapshot create --out tools.tar.zst --namespace tools  # Only one team
    ")]
    Create(create::Arguments),
    /// Write what a newer snapshot has and an older one lacks
    #[command(after_help = "
        snapshot delta may.tar.zst june.tar.zst --out delta.tar.zst  # What the older one lacks
    ")]
    Delta(delta::Arguments),
    /// Check a snapshot, without writing anything but temporary files
    #[command(after_help = "snapshot verify skills.tar.zst  # Read and check all of it")]
    Verify(apply::VerifyArguments),
    /// Serve a snapshot, or a mirror that was made from one, for reading
    #[command(after_help = "snapshot serve skills.tar.zst  # On http://127.0.0.1:8080")]
    Serve(serve::Arguments),
    /// Make or update a mirror from a snapshot
    #[command(after_help = "snapshot apply skills.tar.zst --to mirror  # Into a mirror")]
    Apply(apply::Arguments),
}

/// A snapshot, for programs.
#[derive(Serialize)]
struct Described<'a> {
    file: String,
    /// What is in its first file.
    #[serde(flatten)]
    manifest: &'a Manifest,
}

impl<'a> Described<'a> {
    fn of(file: &Path, manifest: &'a Manifest) -> Self {
        Self { file: file.display().to_string(), manifest }
    }
}

/// Runs the command.
pub fn run(config: Config, command: Command, printer: Printer) -> Result<ExitCode, Failure> {
    match command {
        Command::Serve(arguments) => serve::run(config, arguments),
        Command::Create(arguments) => create::run(&config, &arguments, printer),
        Command::Delta(arguments) => delta::run(&config, &arguments, printer),
        Command::Verify(arguments) => apply::verify(&config, &arguments, printer),
        Command::Apply(arguments) => apply::run(&config, &arguments, printer),
    }
}

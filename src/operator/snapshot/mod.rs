//! `skillmirror snapshot`: a registry's tree as one file that people carry.

mod apply;
mod create;
mod delta;
mod new_file;
mod serve;

use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use generator::snapshot::{Manifest, SnapshotLimits, SnapshotReader};
use indicatif::ProgressBar;
use registry::transparency_log::VerifierKey;
use serde::Serialize;

use crate::Failure;
use crate::config::Config;
use crate::output::{Printer, progress_bar};
pub use apply::follow;

/// What to do with snapshots.
#[derive(Subcommand)]
pub enum Command {
    /// Write the tree to a file. A server may be running
    Create(create::Arguments),
    /// Write what a newer snapshot has and an older one lacks
    Delta(delta::Arguments),
    /// Check a snapshot, without writing anything but temporary files
    Verify(apply::VerifyArguments),
    /// Serve a snapshot, or a mirror that was made from one, for reading
    Serve(serve::Arguments),
    /// Make or update a mirror from a snapshot
    Apply(apply::Arguments),
}

/// The keys whose signature a snapshot needs.
#[derive(Debug, Args)]
pub struct TrustedKeys {
    /// The public key of the registry, as `skillmirror key show` prints it. The history must be
    /// signed with it, or with one of several
    #[arg(long = "vkey", value_name = "KEY")]
    keys: Vec<VerifierKey>,
}

impl TrustedKeys {
    /// Whether no key was given.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
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

/// How large a snapshot may be: the limits of a mirror.
fn limits(config: &Config) -> SnapshotLimits {
    SnapshotLimits { total: config.mirror.feed_max_total, package: config.mirror.feed_max_package }
}

/// The first bytes of what zstd has compressed.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Opens a snapshot, with a bar that shows how much of it is read.
fn open(file: &Path) -> Result<(File, ProgressBar), Failure> {
    let shown = file.display();
    let mut opened = File::open(file).map_err(|why| format!("cannot read {shown}: {why}"))?;
    let length = opened.metadata()?.len();
    let mut start = Vec::new();
    (&opened)
        .take(ZSTD.len() as u64)
        .read_to_end(&mut start)
        .map_err(|why| format!("cannot read {shown}: {why}"))?;
    // The beginning of one ends too early, which is said later.
    if !ZSTD.starts_with(&start) {
        let why =
            format!("the snapshot cannot be read: `skillmirror snapshot create` has not written {shown}");
        return Err(why.into());
    }
    opened.rewind()?;
    Ok((opened, bar(length)))
}

/// The first file of a snapshot.
fn read_manifest(config: &Config, file: &Path) -> Result<Manifest, Failure> {
    Ok(SnapshotReader::open(open(file)?.0, &limits(config))?.manifest().clone())
}

/// The path of a file with something appended to its name.
fn named(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    file.with_file_name(name)
}

/// The folder beside a snapshot that it is unpacked to.
pub fn beside(file: &Path) -> PathBuf {
    named(file, ".tree")
}

fn bar(length: u64) -> ProgressBar {
    progress_bar(length, "{bar:32} {bytes} of {total_bytes} ({eta})")
}

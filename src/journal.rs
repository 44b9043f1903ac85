//! `skillmirror journal`: what the registry rests on.

use std::process::ExitCode;

use clap::Subcommand;
use registry::keeping::{self, Checked};

use crate::Failure;
use crate::config::Config;
use crate::store::open_journal;

/// What to do with the journal.
#[derive(Subcommand)]
pub enum Command {
    /// Read every row and every package, and name all that is damaged
    Check,
}

/// Runs the command. Exit code 1 where something is damaged.
pub fn run(config: &Config, command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Check => check(config),
    }
}

fn check(config: &Config) -> Result<ExitCode, Failure> {
    let checked = keeping::check(&open_journal(config)?)?;
    if checked.faults.is_empty() {
        println!("{} is whole: {}", config.data.display(), contents(&checked));
        return Ok(ExitCode::SUCCESS);
    }
    for fault in &checked.faults {
        println!("{fault}");
    }
    let faults = checked.faults.len();
    let (noun, verb) = if faults == 1 { ("thing", "is") } else { ("things", "are") };
    eprintln!(
        "skillmirror: {faults} {noun} in {} {verb} damaged: restore a backup of it",
        config.data.display()
    );
    Ok(ExitCode::FAILURE)
}

/// What was looked at.
fn contents(checked: &Checked) -> String {
    let Checked { head, packages, bytes, .. } = checked;
    format!(
        "revisions 1 to {head} agree with their digests and can be read, and the packages they name \
         ({packages}, of {bytes} bytes) are there"
    )
}

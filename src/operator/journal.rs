//! `skillmirror journal`: what the registry rests on.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use registry::maintenance::{self, CheckReport, RestoreOutcome};

use crate::Failure;
use crate::config::Config;
use crate::folder_overlap::keep_private;
use crate::open_registry::{open_existing, open_journal};

/// What to do with the journal.
#[derive(Subcommand)]
pub enum Command {
    /// Read every row and every package, and name all that is damaged
    Check,
    /// Write the journal and all packages to a new file, while a server runs or not
    Backup {
        /// The file to make
        file: PathBuf,
    },
    /// Put a backup in the place of what is in the data folder, which nobody may have open
    Restore {
        /// The backup
        file: PathBuf,
    },
}

/// Runs the command. Exit code 1 where something is damaged.
pub fn run(config: &Config, command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Check => check(config),
        Command::Backup { file } => back_up(config, &file),
        Command::Restore { file } => restore(config, &file),
    }
}

fn check(config: &Config) -> Result<ExitCode, Failure> {
    let checked = maintenance::check(&open_journal(config)?)?;
    if checked.faults.is_empty() {
        println!("{} is whole: {}", config.data.display(), contents(&checked));
        return Ok(ExitCode::SUCCESS);
    }
    let faults = list_faults(&checked);
    eprintln!("skillmirror: {faults} in {}: restore a backup of it", config.data.display());
    Ok(ExitCode::FAILURE)
}

fn back_up(config: &Config, file: &Path) -> Result<ExitCode, Failure> {
    keep_private(file, &config.public)?;
    let done = maintenance::back_up(&open_journal(config)?, file)?;
    println!(
        "{} has revisions 1 to {} and the packages they name ({}); passwords, `admin-token` and the configuration are not in it",
        file.display(),
        done.head,
        done.packages
    );
    Ok(ExitCode::SUCCESS)
}

fn restore(config: &Config, file: &Path) -> Result<ExitCode, Failure> {
    let (data, shown) = (&config.data, file.display());
    let (checked, epoch, aside) = match maintenance::restore(data, file)? {
        RestoreOutcome::Done { report, epoch, replaced } => (report, epoch, replaced),
        RestoreOutcome::Damaged(checked) => {
            let faults = list_faults(&checked);
            eprintln!("skillmirror: {faults} in {shown}: nothing was replaced; restore another backup");
            return Ok(ExitCode::FAILURE);
        }
    };
    // At once, before anything is said: a reader may be gone. Opening forgets what
    // was remembered of the other history.
    open_existing(config)?;
    println!("restored {shown} into {}: {}", data.display(), contents(&checked));
    if let Some(aside) = aside {
        println!("what was there before is in {}: remove it when you need it no more", aside.display());
    }
    println!("the history is called {epoch} now, so that every mirror reads it anew");
    println!(
        "passwords are not in a backup: who has none here gets along with their token, or a new one from \
         `skillmirror token issue`"
    );
    println!("the tree is made anew when the server starts, or by `skillmirror generate`");
    Ok(ExitCode::SUCCESS)
}

/// Prints what is damaged, and gives a short name for all of it.
fn list_faults(checked: &CheckReport) -> String {
    for fault in &checked.faults {
        println!("{fault}");
    }
    match checked.faults.len() {
        1 => "1 thing is damaged".to_owned(),
        many => format!("{many} things are damaged"),
    }
}

/// What was looked at.
fn contents(checked: &CheckReport) -> String {
    let CheckReport { head, packages, bytes, .. } = checked;
    format!(
        "revisions 1 to {head} agree with their digests and can be read, and the packages they name \
         ({packages}, of {bytes} bytes) are there"
    )
}

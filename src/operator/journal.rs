//! `skillmirror journal`: checks, backs up and restores the journal and the packages.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use registry::maintenance::{self, CheckReport, RestoreOutcome};

use crate::Failure;
use crate::config::Config;
use crate::folder_overlap::keep_private;
use crate::open_registry::{open_existing, open_journal};
use crate::output::{print, print_error};

/// What to do with the journal.
#[derive(Subcommand)]
pub enum Command {
    /// Check every row and the packages that versions name. Stops after 1,000 faults
    Check,
    /// Write the journal and all packages to a new file. A server may be running
    Backup {
        /// The file to create
        file: PathBuf,
    },
    /// Replace the data folder's journal and packages with a backup. No process may have it open
    Restore {
        /// The backup
        file: PathBuf,
    },
}

/// Runs the command. The exit code is 1 if something is damaged.
pub fn run(config: &Config, command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Check => check(config),
        Command::Backup { file } => back_up(config, &file),
        Command::Restore { file } => restore(config, &file),
    }
}

fn check(config: &Config) -> Result<ExitCode, Failure> {
    let report = maintenance::check(&open_journal(config)?)?;
    let data = config.data.display();
    if report.faults.is_empty() {
        print(&format!("{data} is intact: {}\n", summary(&report)))?;
        return Ok(ExitCode::SUCCESS);
    }
    print_error(format_args!("{} in {data}: restore a backup", list_faults(&report)?));
    Ok(ExitCode::FAILURE)
}

fn back_up(config: &Config, file: &Path) -> Result<ExitCode, Failure> {
    keep_private(file, &config.public)?;
    let backup = maintenance::back_up(&open_journal(config)?, file)?;
    print(&format!(
        "{} has revisions 1 to {} and their packages ({}). It leaves out `local.sqlite` (passwords, sessions, \
         download counts), `admin-token` and the configuration\n",
        file.display(),
        backup.head,
        backup.packages
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn restore(config: &Config, file: &Path) -> Result<ExitCode, Failure> {
    let (data, file_name) = (&config.data, file.display());
    let (report, epoch, replaced) = match maintenance::restore(data, file)? {
        RestoreOutcome::Done { report, epoch, replaced } => (report, epoch, replaced),
        RestoreOutcome::Damaged(report) => {
            let faults = list_faults(&report)?;
            print_error(format_args!(
                "{faults} in {file_name}: nothing was replaced. Restore another backup"
            ));
            return Ok(ExitCode::FAILURE);
        }
    };
    // Opening the registry discards local data about the replaced history. It comes before
    // the report, because printing may fail.
    open_existing(config)?;
    let mut text = format!("restored {file_name} into {}: {}\n", data.display(), summary(&report));
    if let Some(replaced) = replaced {
        text += &format!(
            "the previous data is in {}: remove it when you no longer need it\n",
            replaced.display()
        );
    }
    text += &format!(
        "the history has the new epoch {epoch}, so every mirror reads it again from the start\n\
         passwords are not part of a backup: accounts without a password can still use their tokens, or get one \
         with `skillmirror token issue`\n\
         the tree is regenerated at the next start of the server, or by `skillmirror generate`\n"
    );
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints each fault on a line, and returns their number in words.
fn list_faults(report: &CheckReport) -> Result<String, Failure> {
    print(&report.faults.iter().map(|fault| format!("{fault}\n")).collect::<String>())?;
    Ok(match report.faults.len() {
        1 => "1 thing is damaged".to_owned(),
        many => format!("{many} things are damaged"),
    })
}

/// What was checked.
fn summary(report: &CheckReport) -> String {
    let CheckReport { head, packages, bytes, .. } = report;
    format!(
        "revisions 1 to {head} match their digests, and all their packages exist ({packages}, {bytes} bytes)"
    )
}

//! `skillmirror journal`: checks, backs up and restores the journal and the packages.

mod backup;
mod copying;
mod package_copy;
mod packages;
mod redaction;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use generator::follower::state_of;
use generator::tree::{State, Tree};
use registry::maintenance::{self, CheckReport, LocalData, RestoreOutcome, RestoreSummary};
use registry::names::Namespace;

use crate::Failure;
use crate::arguments::confirmation::Confirmation;
use crate::config::Config;
use crate::output::Printer;
use crate::storage::new_folders::NewFolders;
use crate::storage::open_registry::open_existing;
use crate::storage::stores::{open_storage, require_folder};
use crate::tree::mirror_source::MirrorSource;

/// Check, back up and restore all data
#[derive(Subcommand)]
#[command(after_help = "
    journal check                                     # Check everything
    journal backup skills.backup                      # Back up while the server runs
    journal restore skills.backup --seen /srv/mirror  # Restore, and stay newer than a mirror
")]
pub enum Command {
    /// Check every row and the packages that versions name. Stops after 1,000 faults
    #[command(after_help = "
        journal check --data /var/lib/skillmirror  # Of another data folder
        journal check --json                       # For a monitor
    ")]
    Check,
    /// Write the journal, all packages, password hashes and download counts to a new file. A
    /// server may be running
    #[command(after_help = "
        journal backup skills.backup                 # Everything, in one file
        journal backup skills.backup --journal-only  # Without passwords and counts
    ")]
    Backup {
        /// The file to create
        file: PathBuf,
        /// Only the journal and the packages: no password hashes, no download counts. The file
        /// is still private: it has accounts, reviews and digests of tokens
        #[arg(long)]
        journal_only: bool,
    },
    /// Remove the text of a public row for good, such as a version that must not exist. No process may
    /// have the data folder open. The history gets a new epoch
    #[command(after_help = "
        journal redact @tools/lint@1.0.0 --reason \"a leaked key\"  # A version that must not exist
    ")]
    Redact {
        /// A version (@namespace/skill@1.0.0), or the number of a row that published or yanked one
        target: String,
        /// Why. Everybody can read it
        #[arg(long)]
        reason: String,
        #[command(flatten)]
        confirmation: Confirmation,
    },
    /// Copy the journal, passwords and download counts into another kind of store, or go on with a copy.
    /// Servers may run until the last step
    #[command(after_help = "
        journal copy --from data --to postgres://ann@db/skills  # From a folder into a database
    ")]
    Copy {
        /// The data folder or the database (postgres://USER@HOST/DATABASE) to copy from. With
        /// --packages, the data folder or the bucket (s3://BUCKET/PREFIX)
        #[arg(long, value_name = "DIR|URL")]
        from: copying::Place,
        /// The data folder or the database to copy into. It is made if it is missing
        #[arg(long, value_name = "DIR|URL")]
        to: copying::Place,
        /// Copy the packages alone, between a folder and a bucket. Run it again when nothing uses the
        /// registry any more
        #[arg(long, conflicts_with = "finish")]
        packages: bool,
        /// The last step, when nothing uses the source any more: the copy can then be used
        #[arg(long)]
        finish: bool,
    },
    /// Replace the data folder's journal and packages with a backup. No process may have it open
    #[command(after_help = "journal restore skills.backup  # Into ./data")]
    Restore {
        /// The backup
        file: PathBuf,
        /// A tree or mirror of this registry: its folder or URL. New revisions are higher than all
        /// that it has. The replaced journal and the output folder are always looked at
        #[arg(long, value_name = "DIR|URL")]
        seen: Vec<MirrorSource>,
    },
}

/// Runs the command. The exit code is 1 if something is damaged.
pub fn run(config: &Config, command: Command, printer: Printer) -> Result<ExitCode, Failure> {
    match command {
        Command::Check => check(config, printer),
        Command::Backup { file, journal_only } => backup::run(config, &file, journal_only, printer),
        Command::Copy { from, to, packages: true, .. } => packages::run(config, &from, &to, printer),
        Command::Copy { from, to, finish, .. } => copying::run(config, &from, &to, finish, printer),
        Command::Restore { file, seen } => restore(config, &file, &seen, printer),
        Command::Redact { target, reason, confirmation } => {
            redaction::run(config, &target, &reason, &confirmation, printer)
        }
    }
}

fn check(config: &Config, printer: Printer) -> Result<ExitCode, Failure> {
    let report = maintenance::check(&open_storage(config)?)?;
    let place = config.journal_name()?;
    if report.faults.is_empty() {
        printer.report(format!("{place} is intact: {}\n", summary(&report)), &report)?;
        return Ok(ExitCode::SUCCESS);
    }
    let faults = list_faults(&report, printer)?;
    printer.failure("damaged", format_args!("{faults} in {place}: restore a backup"));
    Ok(ExitCode::FAILURE)
}

fn restore(
    config: &Config,
    file: &Path,
    seen: &[MirrorSource],
    printer: Printer,
) -> Result<ExitCode, Failure> {
    require_folder(
        config,
        "restore the backup with other settings into a folder, then copy that into an empty database or bucket with \
         `skillmirror journal copy`",
    )?;
    let (data, file_name) = (&config.data, file.display());
    let of_tree = Tree::at(&config.public).head().map(|head| State::from(&head));
    let mut used = of_tree.filter(|state| state.is_plausible()).map(State::sum);
    for source in seen {
        used = used.max(Some(state_of(&*source.open(&config.data, "--data")?)?.sum()));
    }
    let _new = NewFolders::of(std::slice::from_ref(data));
    let first = config.private_namespace.clone().unwrap_or_else(Namespace::global);
    let restored = match maintenance::restore(data, file, used, &first)? {
        RestoreOutcome::Done(restored) => restored,
        RestoreOutcome::Other(found) if found.is_global() => {
            return Err(format!("{file_name} is a backup of a main registry: leave out --private").into());
        }
        RestoreOutcome::Other(found) => {
            let why =
                format!("{file_name} is a backup of the private namespace {found}: use --private {found}");
            return Err(why.into());
        }
        RestoreOutcome::Damaged(report) => {
            let faults = list_faults(&report, printer)?;
            let message = format!("{faults} in {file_name}: nothing was replaced. Restore another backup");
            printer.failure("damaged", message);
            return Ok(ExitCode::FAILURE);
        }
    };
    let RestoreSummary { report, epoch, revision, is_end_known, local, replaced } = &restored;
    // Opening the registry discards local data about the replaced history. It comes before
    // the report, because printing may fail.
    open_existing(config)?;
    let mut text = format!("restored {file_name} into {}: {}\n", data.display(), summary(report));
    if let Some(replaced) = replaced {
        text += &format!(
            "the previous data is in {}: remove it when you no longer need it\n",
            replaced.display()
        );
    }
    if !*is_end_known {
        text += "no readable journal says how far the registry got after the backup, so 100,000 revisions are skipped\n";
    }
    let passwords = match local {
        LocalData::Kept => "passwords and download counts are those that were here, for what the backup has",
        LocalData::Restored => "passwords and download counts are those of the backup",
        LocalData::Missing => {
            "the backup has no passwords: accounts can still use their tokens, or get one with \
             `skillmirror token issue`"
        }
    };
    text += &format!(
        "the history has the new epoch {epoch} and goes on at revision {revision}: start mirrors once with \
         --accept-new-history\n\
         {passwords}\n\
         the tree is regenerated at the next start of the server, or by `skillmirror generate`\n"
    );
    printer.report(text, &restored)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints each fault on a line, and returns their number in words.
fn list_faults(report: &CheckReport, printer: Printer) -> Result<String, Failure> {
    printer.report(report.faults.iter().map(|fault| format!("{fault}\n")).collect::<String>(), report)?;
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

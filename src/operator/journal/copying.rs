//! `skillmirror journal copy`: moves a registry to another kind of store.

use std::io::{BufReader, Cursor};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;

use client::user_path;
use registry::journal::{BlobFolder, Journal, Revision, SqliteJournal, copy_journal};
use registry::local::LocalStore;
use serde::Serialize;

use super::package_copy::copy_packages;
use crate::Failure;
use crate::config::Config;
use crate::engines::{Address, TargetUrl, open_database};
use crate::output::{Printer, count, print_note};
use crate::process::interrupt::explain_interrupt;

/// A note is printed after so many rows.
const ROWS_PER_NOTE: u64 = 100_000;

/// The end of a copy.
#[derive(Debug, Clone)]
pub enum Place {
    /// A data folder.
    Folder(PathBuf),
    /// A bucket, for packages.
    Bucket(TargetUrl),
    /// A database.
    Database(Address),
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if TargetUrl::is_one(text) {
            return text.parse().map(Self::Bucket);
        }
        match text.parse::<Address>() {
            Ok(address) => Ok(Self::Database(address)),
            Err(why) if text.contains("://") => Err(why.to_string()),
            Err(_) => user_path(text.as_ref()).map(Self::Folder),
        }
    }
}

/// An opened place.
struct Opened {
    journal: Arc<dyn Journal>,
    local: OpenedLocal,
}

/// The local data of a place.
enum OpenedLocal {
    /// A data folder has them.
    Folder(PathBuf),
    /// The database of the journal has them.
    Database(LocalStore),
}

impl Opened {
    fn source(config: &Config, place: &Place) -> Result<Self, Failure> {
        match place {
            Place::Folder(folder) if !SqliteJournal::is_in(folder)? => {
                Err(format!("no registry in {}: name its data folder with --from", folder.display()).into())
            }
            Place::Folder(folder) => {
                let journal = Arc::new(SqliteJournal::open(folder)?);
                Ok(Self { journal, local: OpenedLocal::Folder(folder.clone()) })
            }
            other => Self::target(config, other),
        }
    }

    /// Opens a place, and makes what is missing.
    fn target(config: &Config, place: &Place) -> Result<Self, Failure> {
        Ok(match place {
            Place::Folder(folder) => Self {
                journal: Arc::new(SqliteJournal::open_for_copy(folder)?),
                local: OpenedLocal::Folder(folder.clone()),
            },
            Place::Database(address) => {
                let (journal, local) = open_database(config.storage.with_password(address.clone())?)?;
                Self { journal, local: OpenedLocal::Database(local) }
            }
            Place::Bucket(url) => {
                let why = "a bucket has packages only: add --packages, or name a data folder or a database";
                return Err(format!("{url}: {why}").into());
            }
        })
    }

    fn into_local(self) -> Result<LocalStore, Failure> {
        Ok(match self.local {
            OpenedLocal::Folder(folder) => LocalStore::open_undamaged(&folder)?,
            OpenedLocal::Database(local) => local,
        })
    }
}

/// A copy, for programs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Copied {
    /// The last revision.
    head: Revision,
    is_finished: bool,
}

/// Runs the command.
pub fn run(
    config: &Config,
    from: &Place,
    to: &Place,
    is_last: bool,
    printer: Printer,
) -> Result<ExitCode, Failure> {
    let source = Opened::source(config, from)?;
    let target = Opened::target(config, to)?;
    if source.journal.is_unfinished_copy()? {
        return Err(
            "the source is an unfinished copy itself: finish it first, or copy from its own source".into()
        );
    }
    explain_interrupt("the rows that were copied stay: run the command again to go on".to_owned());
    let (before, head) = (target.journal.head()?, source.journal.head()?);
    let mut next = ROWS_PER_NOTE;
    let last = copy_journal(&*source.journal, &*target.journal, head, |revision| {
        if revision - before >= next {
            next += ROWS_PER_NOTE;
            print_note(format_args!("copied up to revision {revision} of {head}"));
        }
    })?;
    let mut text = format!("copied revisions {} to {last}; each matches its digest\n", before + 1);
    if before == last {
        text = format!("all {last} revisions are there already, and match their digests\n");
    }
    if let (OpenedLocal::Folder(from), OpenedLocal::Folder(to)) = (&source.local, &target.local) {
        let packages = copy_packages(&BlobFolder::open(from)?, &BlobFolder::open(to)?)?;
        text += &format!("copied {}\n", count(packages, "package"));
    }
    if !is_last {
        text += "the copy is not finished: stop every server and command of the source, then run this again with --finish\n";
        printer.report(text, &Copied { head: last, is_finished: false })?;
        return Ok(ExitCode::SUCCESS);
    }
    if source.journal.head()? != last {
        return Err(
            "somebody still writes to the source: stop every server and command of it, then run this again"
                .into(),
        );
    }
    let finished = Arc::clone(&target.journal);
    text += copy_local(source, target)?;
    finished.finish_copy()?;
    text +=
        "the copy is finished: name it in the settings before anything starts, and move the source away\n";
    printer.report(text, &Copied { head: last, is_finished: true })?;
    Ok(ExitCode::SUCCESS)
}

/// Copies passwords and download counts, unless the target has any. Returns what was done.
fn copy_local(source: Opened, target: Opened) -> Result<&'static str, Failure> {
    let epoch = source.journal.epoch()?;
    let (from, to) = (source.into_local()?, target.into_local()?);
    if to.history_epoch()?.is_some() {
        return Ok("passwords and download counts are there already\n");
    }
    let mut lines = Vec::new();
    from.export(&mut lines)?;
    to.import_lines(&epoch, BufReader::new(Cursor::new(lines)))?;
    Ok(
        "copied passwords and download counts; sessions end, and access logs are counted from their beginning\n",
    )
}

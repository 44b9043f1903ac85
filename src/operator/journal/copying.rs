//! `skillmirror journal copy`: moves a registry to another kind of store.

use std::io::{BufReader, Cursor};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;

use client::user_path;
use registry::journal::{BlobFolder, Journal, SqliteJournal, copy_journal};
use registry::local::LocalStore;

use super::packages::copy_packages;
use crate::Failure;
use crate::config::Config;
use crate::engines::{Address, TargetUrl, bucket_journal, has_bucket_journal, open_database};
use crate::interrupt::explain_interrupt;
use crate::output::{count, print, print_note};

/// A note is printed after so many rows.
const ROWS_PER_NOTE: u64 = 100_000;

/// The end of a copy.
#[derive(Debug, Clone)]
pub enum Place {
    /// A data folder.
    Folder(PathBuf),
    /// A bucket, for rows or packages.
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
    /// The data folder of the settings has them.
    Data,
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
            Place::Bucket(url) if !has_bucket_journal(config, url, "--from")? => {
                Err(format!("no journal in {url}: correct --from").into())
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
                Self { journal: bucket_journal(config, url, "the bucket")?, local: OpenedLocal::Data }
            }
        })
    }

    fn into_local(self, data: &Path) -> Result<LocalStore, Failure> {
        Ok(match self.local {
            OpenedLocal::Folder(folder) => LocalStore::open_undamaged(&folder)?,
            OpenedLocal::Data => LocalStore::open_undamaged(data)?,
            OpenedLocal::Database(local) => local,
        })
    }
}

/// Runs the command.
pub fn run(config: &Config, from: &Place, to: &Place, is_last: bool) -> Result<ExitCode, Failure> {
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
        print(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    if source.journal.head()? != last {
        return Err(
            "somebody still writes to the source: stop every server and command of it, then run this again"
                .into(),
        );
    }
    let finished = Arc::clone(&target.journal);
    text += copy_local(config, source, target)?;
    finished.finish_copy()?;
    text +=
        "the copy is finished: name it in the settings before anything starts, and move the source away\n";
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Copies passwords and download counts, unless the target has any. Returns what was done.
fn copy_local(config: &Config, source: Opened, target: Opened) -> Result<&'static str, Failure> {
    let epoch = source.journal.epoch()?;
    let (from, to) = (source.into_local(&config.data)?, target.into_local(&config.data)?);
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

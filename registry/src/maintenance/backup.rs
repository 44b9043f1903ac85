//! Backs up a whole registry into one file, and restores it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::check::{CheckReport, check, distinct};
use crate::journal::{
    BackupError, Epoch, Journal, PendingRestore, Restored, Revision, Snapshot, SqliteJournal,
};
use crate::registry::Registry;

/// What a backup contains.
#[derive(Debug, PartialEq, Eq)]
pub struct BackupSummary {
    /// The last revision.
    pub head: Revision,
    /// The number of packages.
    pub packages: usize,
}

/// Writes the journal as it is now, and every package that it names, to the new
/// file `target`. Other processes may read and write meanwhile, but no package
/// is removed.
pub fn back_up(journal: &SqliteJournal, target: &Path) -> Result<BackupSummary, BackupError> {
    let snapshot = Snapshot::take(journal, target)?;
    // The copy decides which packages are needed: the journal may have grown.
    let copy: Arc<dyn Journal> = Arc::new(snapshot.open()?);
    let head = copy.head()?;
    let registry = Registry::open(copy)?;
    let packages = registry.read(|catalog| distinct(catalog.packages()));
    drop(registry);
    let packages: Vec<_> = packages.iter().map(|package| package.archive.sha256).collect();
    snapshot.write(journal, &packages)?;
    Ok(BackupSummary { head, packages: packages.len() })
}

/// The outcome of [`restore`].
#[derive(Debug)]
pub enum RestoreOutcome {
    /// The backup is in place.
    Done {
        /// What it contains.
        report: CheckReport,
        /// The new name of the history.
        epoch: Epoch,
        /// The folder with the files that were replaced, if there were any.
        replaced: Option<PathBuf>,
    },
    /// The backup is damaged. Nothing was replaced.
    Damaged(CheckReport),
}

/// Checks the backup `file` and replaces the journal in the folder `data` with it.
///
/// The history gets a new name, because readers may have seen rows that came
/// after the backup. They must not take the two histories for one.
pub fn restore(data: &Path, file: &Path) -> Result<RestoreOutcome, BackupError> {
    let pending = PendingRestore::begin(data, file)?;
    let report = check(&pending.open()?)?;
    if !report.faults.is_empty() {
        return Ok(RestoreOutcome::Damaged(report));
    }
    let Restored { epoch, replaced } = pending.finish()?;
    Ok(RestoreOutcome::Done { report, epoch, replaced })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

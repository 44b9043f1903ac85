//! The whole registry goes into one file, and comes back.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::check::{CheckReport, check, distinct};
use crate::journal::{
    BackupError, Epoch, Journal, PendingRestore, Restored, Revision, Snapshot, SqliteJournal,
};
use crate::registry::Registry;

/// What is in a backup.
#[derive(Debug, PartialEq, Eq)]
pub struct BackupSummary {
    /// The last revision in it.
    pub head: Revision,
    /// How many packages it has.
    pub packages: usize,
}

/// Writes the journal as it is now, and every package that it names, to the new
/// file `target`. Others read and write meanwhile; no package is removed.
pub fn back_up(journal: &SqliteJournal, target: &Path) -> Result<BackupSummary, BackupError> {
    let snapshot = Snapshot::take(journal, target)?;
    // What the copy names, and not what the journal does by now.
    let copy: Arc<dyn Journal> = Arc::new(snapshot.open()?);
    let head = copy.head()?;
    let registry = Registry::open(copy)?;
    let packages = registry.read(|catalog| distinct(catalog.packages()));
    drop(registry);
    let packages: Vec<_> = packages.iter().map(|package| package.archive.sha256).collect();
    snapshot.write(journal, &packages)?;
    Ok(BackupSummary { head, packages: packages.len() })
}

/// What came of restoring a backup.
#[derive(Debug)]
pub enum RestoreOutcome {
    /// It is in place.
    Done {
        /// What was checked in it.
        checked: CheckReport,
        /// The new name of its history.
        epoch: Epoch,
        /// Where that is which was there before.
        aside: Option<PathBuf>,
    },
    /// It is damaged, and nothing was replaced.
    Damaged(CheckReport),
}

/// Checks the backup `file` and puts it in the place of what is in the data
/// folder `data`, as a history with a new name: who has read what came after
/// the backup must not take the two for one.
pub fn restore(data: &Path, file: &Path) -> Result<RestoreOutcome, BackupError> {
    let restoring = PendingRestore::begin(data, file)?;
    let checked = check(&restoring.open()?)?;
    if !checked.faults.is_empty() {
        return Ok(RestoreOutcome::Damaged(checked));
    }
    let Restored { epoch, aside } = restoring.finish()?;
    Ok(RestoreOutcome::Done { checked, epoch, aside })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

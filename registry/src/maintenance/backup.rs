//! Backs up a whole registry into one file, and restores it.

use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::check::{CheckReport, check_history, distinct};
use crate::journal::{
    BackupError, Epoch, Journal, JournalError, PendingRestore, PublicRow, Restored, Revision, Row, Snapshot,
    Storage,
};
use crate::local::{ImportError, LocalError, LocalStore, SqliteLocal};
use crate::names::Namespace;
use crate::private::{self, Audit};
use crate::public::{self, DecodedRow, HistoryRestored, PublicChange};
use crate::registry::Registry;
use crate::time::Timestamp;

/// What a backup contains.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct BackupSummary {
    /// The last revision.
    pub head: Revision,
    /// The number of packages.
    pub packages: usize,
}

/// Writes the journal as it is now, and every package that it names, to the new
/// file `target`. If `local` is given, also its password hashes and download
/// counts. Other processes may read and write meanwhile, but no package is
/// removed.
pub fn back_up(
    storage: &Storage,
    local: Option<&LocalStore>,
    target: &Path,
) -> Result<BackupSummary, BackupError> {
    let snapshot = Snapshot::take(storage, target)?;
    if let Some(local) = local {
        let mut file = BufWriter::new(snapshot.create_local()?);
        local.export(&mut file).map_err(local_failed)?;
        file.flush().map_err(JournalError::from)?;
    }
    // The copy decides which packages are needed: the journal may have grown.
    let journal: Arc<dyn Journal> = Arc::new(snapshot.open()?);
    let head = journal.head()?;
    let registry = Registry::open(Storage { journal, blobs: Arc::clone(&storage.blobs) })?;
    let packages = registry.read(|catalog| distinct(catalog.packages()));
    drop(registry);
    let packages: Vec<_> = packages.iter().map(|package| package.archive.sha256).collect();
    snapshot.write(storage, &packages)?;
    Ok(BackupSummary { head, packages: packages.len() })
}

/// A restored registry.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RestoreSummary {
    /// What the backup contains.
    #[serde(rename = "backup")]
    pub report: CheckReport,
    /// The new name of the history.
    pub epoch: Epoch,
    /// The number with which the history goes on.
    pub revision: Revision,
    /// Whether the replaced journal said how far the old history got. Otherwise numbers
    /// are skipped.
    pub is_end_known: bool,
    /// The origin of the passwords and download counts.
    pub local: LocalData,
    /// The folder with the files that were replaced, if there were any.
    pub replaced: Option<PathBuf>,
}

/// The origin of a restored registry's passwords and download counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LocalData {
    /// The data folder had those of this registry, which are newer.
    Kept,
    /// The backup.
    Restored,
    /// Neither had any.
    Missing,
}

/// The outcome of [`restore`].
#[derive(Debug)]
pub enum RestoreOutcome {
    /// The backup is in place.
    Done(RestoreSummary),
    /// The backup is damaged. Nothing was replaced.
    Damaged(CheckReport),
    /// The backup is of another registry, whose first namespace is this. Nothing was replaced.
    Other(Namespace),
}

/// The numbers that a restore skips if the replaced journal does not say how far the old
/// history got. Trees tell only the last public revision, and tokens, reviews and stars
/// have numbers too.
const SKIPPED_REVISIONS: u64 = 100_000;

/// Checks the backup `file` and replaces the journal in the folder `data` with it.
/// A local store of the same registry stays. Another one is replaced, too.
///
/// The history gets a new name, because readers may have seen rows that came
/// after the backup. They must not take the two histories for one. Its numbers go
/// on above all that were used: ids are numbers, and so are the modification times
/// of files. `seen` is the highest sum of revision and counter generation that
/// trees of the old history have.
///
/// `first` is the first namespace of the registry: `global`, or that of a private namespace.
pub fn restore(
    data: &Path,
    file: &Path,
    seen: Option<u64>,
    first: &Namespace,
) -> Result<RestoreOutcome, BackupError> {
    let mut pending = PendingRestore::begin(data, file)?;
    let backup = pending.open()?;
    if let Some(row) = backup.journal.public_since(0, 1)?.first()
        && let Ok(DecodedRow { change: PublicChange::NamespaceCreated(state), .. }) = DecodedRow::decode(row)
        && state.slug != *first
    {
        return Ok(RestoreOutcome::Other(state.slug));
    }
    let (report, end) = check_history(&backup)?;
    let origin = backup.journal.link_at(1)?;
    drop(backup);
    if !report.faults.is_empty() {
        return Ok(RestoreOutcome::Damaged(report));
    }
    pending.remove_unnamed(&end.packages)?;
    let mut earlier_epochs = end.epochs.clone();
    // A journal of another registry has nothing in common with this history.
    let replaced = pending.replaced().filter(|replaced| replaced.origin == origin);
    if let Some(replaced) = &replaced {
        earlier_epochs.push(replaced.epoch.clone());
        for row in &replaced.restored {
            if let Ok(DecodedRow { change: PublicChange::HistoryRestored(row), .. }) = DecodedRow::decode(row)
            {
                earlier_epochs.extend(row.earlier_epochs);
            }
        }
    }
    earlier_epochs.sort();
    earlier_epochs.dedup();
    let (local_epoch, generation) = local_state(data)?;
    let local = if local_epoch.is_some_and(|epoch| earlier_epochs.contains(&epoch)) {
        LocalData::Kept
    } else {
        // The passwords of another registry must not open this one.
        replace_local(&mut pending, file, end.epochs.first().unwrap_or(&Epoch::new()))?
    };
    let of_replaced = replaced.map(|replaced| replaced.head.saturating_add(generation));
    let is_end_known = of_replaced.is_some();
    let known = of_replaced.max(seen).map_or(report.head, |used| used.max(report.head));
    let skipped = if is_end_known { 0 } else { SKIPPED_REVISIONS };
    let revision = known.saturating_add(skipped).saturating_add(1);
    let restored = HistoryRestored { backup_revision: report.head, earlier_epochs };
    let row = history_row(revision, Timestamp::now().max(end.at), restored)?;
    let Restored { epoch, replaced } = pending.finish(&row)?;
    Ok(RestoreOutcome::Done(RestoreSummary { report, epoch, revision, is_end_known, local, replaced }))
}

/// The history that the local store in `data` belongs to, and the last counter
/// generation that it has published.
pub(super) fn local_state(data: &Path) -> Result<(Option<Epoch>, u64), BackupError> {
    if !SqliteLocal::is_in(data) {
        return Ok((None, 0));
    }
    let local = match LocalStore::open_undamaged(data) {
        // Nobody can use it, so it is replaced.
        Err(LocalError::Damaged(_)) => return Ok((None, 0)),
        opened => opened.map_err(local_failed)?,
    };
    let epoch = local.history_epoch().map_err(local_failed)?;
    Ok((epoch, local.counter_generation().map_err(local_failed)?))
}

/// Prepares a local store with the part that is in the backup `file`, whose
/// history is `epoch`.
fn replace_local(pending: &mut PendingRestore, file: &Path, epoch: &str) -> Result<LocalData, BackupError> {
    let exported = pending.local()?;
    let folder = pending.replace_local();
    let Some(exported) = exported else { return Ok(LocalData::Missing) };
    LocalStore::import(folder, epoch, BufReader::new(exported)).map_err(|error| match error {
        ImportError::Line(_) => BackupError::not_a_backup(file, format!("`local.jsonl`: {error}")),
        ImportError::Local(error) => local_failed(error),
    })?;
    Ok(LocalData::Restored)
}

fn local_failed(why: LocalError) -> BackupError {
    JournalError::Storage(why.into()).into()
}

/// The row with which a restored history goes on.
pub(super) fn history_row(
    revision: Revision,
    at: Timestamp,
    restored: HistoryRestored,
) -> Result<Row, JournalError> {
    let failed = |why: serde_json::Error| JournalError::Storage(why.into());
    let record = PublicChange::HistoryRestored(restored).into();
    let public = Some(PublicRow::new(revision, public::encode(revision, at, &record).map_err(failed)?));
    let private = private::encode(&Audit::default(), &[]).map_err(failed)?;
    Ok(Row { revision, at, private, public })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

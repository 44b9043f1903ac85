//! The history that the store belongs to. The data of a history that a backup has replaced is removed.

use std::collections::HashSet;

use super::auth::{self, PASSWORDS};
use super::counters::PUBLISHED_COUNTERS;
use super::downloads::{DOWNLOAD_DAYS, DayKey, EARLIER_DOWNLOADS, SEQUENCES, recompute_totals};
use super::sources::SOURCES;
use super::uploads::{UPLOAD_SIZES, UPLOADS};
use super::{LocalError, LocalStore, Place, Record, Space, Transaction};
use crate::names::Handle;
use crate::public::Id;

/// The epoch of the history, under one key.
const HISTORY: Space = Space::new("history.1");

/// The accounts, skills and versions of a restored history.
#[derive(Debug, Clone, Default)]
pub struct HistoryContents {
    /// The accounts.
    pub accounts: HashSet<Handle>,
    /// The skills, with the removed ones that can be restored.
    pub skills: HashSet<Id>,
    /// The versions of these skills.
    pub versions: HashSet<Id>,
}

impl LocalStore {
    /// The epoch of the history that the store belongs to. None before the first
    /// start.
    pub fn history_epoch(&self) -> Result<Option<String>, LocalError> {
        self.single(epoch)
    }

    /// Compares the journal's epoch with the last known one. If it is another, a
    /// backup has replaced the history, and data of the old one is removed. Call
    /// it at every start.
    ///
    /// Passwords of other accounts go, because their handles are free again. So do
    /// token uses, downloads and published counters of other skills and versions,
    /// because their ids will be reused. All sessions end. The positions in logs
    /// stay: downloads of remaining skills are still counted.
    pub fn follow_history(
        &self,
        epoch: &str,
        contents: impl FnOnce() -> HistoryContents,
    ) -> Result<(), LocalError> {
        match self.history_epoch()? {
            Some(known) if known == epoch => Ok(()),
            Some(_) => self.replace_history(epoch, &contents()),
            None => self.begin_history(epoch),
        }
    }

    /// Stores the epoch, unless there is one.
    pub(super) fn begin_history(&self, new: &str) -> Result<(), LocalError> {
        self.write(Some(HISTORY), |records| match epoch(records)? {
            Some(_) => Ok(()),
            None => records.put(&[record(new)?]),
        })
    }

    /// Stores another epoch, and removes all that does not belong to `contents`.
    pub(super) fn replace_history(&self, epoch: &str, contents: &HistoryContents) -> Result<(), LocalError> {
        let HistoryContents { accounts, skills, versions } = contents;
        let is_of_account =
            |record: &Record| record.place.1.parse::<Handle>().is_ok_and(|handle| accounts.contains(&handle));
        let is_of_skill = |record: &Record| record.place.1.parse().is_ok_and(|id| skills.contains(&Id(id)));
        let is_of_version = |record: &Record| {
            DayKey::read(record)
                .is_ok_and(|key| skills.contains(&key.skill) && versions.contains(&key.version))
        };
        self.write(Some(SEQUENCES), |records| {
            let ended = auth::ENDED_BY_RESTORE.iter().chain(&[SOURCES, UPLOADS, UPLOAD_SIZES]);
            ended.copied().try_for_each(|space| records.delete_prefix(space, ""))?;
            records.retain(PASSWORDS, &is_of_account)?;
            records.retain(DOWNLOAD_DAYS, &is_of_version)?;
            records.retain(EARLIER_DOWNLOADS, &is_of_skill)?;
            records.retain(PUBLISHED_COUNTERS, &is_of_skill)?;
            recompute_totals(records)?;
            records.put(&[record(epoch)?])
        })
    }
}

fn place() -> Place {
    (HISTORY, "epoch".to_owned())
}

/// The record of an epoch.
pub(super) fn record(epoch: &str) -> Result<Record, LocalError> {
    Record::new(place(), &epoch)
}

fn epoch(records: &mut dyn Transaction) -> Result<Option<String>, LocalError> {
    let (space, key) = place();
    records.value(space, &key)
}

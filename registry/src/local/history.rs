//! Removes the data of a history that a backup has replaced.

use std::collections::HashSet;

use super::{LocalError, LocalStore};
use crate::names::Handle;
use crate::public::Id;

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
        self.backend.history_epoch()
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
            Some(_) => self.backend.replace_history(epoch, &contents()),
            None => self.backend.begin_history(epoch),
        }
    }
}

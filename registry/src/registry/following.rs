//! Follows the journal, to which other processes append, too.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::Registry;
use crate::journal::{JournalError, Revision};
use crate::replay::{Decoded, Position, ROWS_PER_BATCH};

/// How long [`Registry::try_catch_up`] waits for a writer.
const TRY_LOCK_TIMEOUT: Duration = Duration::from_millis(50);

impl Registry {
    /// The last revision that the state contains. Neither reads the journal nor waits for a writer.
    pub fn revision(&self) -> Revision {
        self.applied.load(Ordering::SeqCst)
    }

    /// Applies the rows that other processes have appended. Returns the last
    /// revision.
    pub fn catch_up(&self) -> Result<Revision, JournalError> {
        self.catch_up_from(&mut self.position.lock())
    }

    /// Like [`Self::catch_up`], but returns at once, or after 50 ms, if someone
    /// is writing. For reads that anyone can cause.
    pub fn try_catch_up(&self) -> Result<(), JournalError> {
        match self.position.try_lock_for(TRY_LOCK_TIMEOUT) {
            Some(mut position) => self.catch_up_from(&mut position).map(drop),
            None => Ok(()),
        }
    }

    pub(super) fn catch_up_from(&self, position: &mut Position) -> Result<Revision, JournalError> {
        let head = self.journal().head()?;
        while position.revision < head {
            let rows = self.journal().since(position.revision, ROWS_PER_BATCH)?;
            if rows.is_empty() {
                break;
            }
            for row in rows {
                self.apply(position, Decoded::from_row(row)?);
            }
        }
        Ok(position.revision)
    }
}

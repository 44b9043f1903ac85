//! Whether the journal's storage takes writes: a full disk is known by the
//! write that it refuses, and is tried again by whoever wants to know.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::journal::JournalError;
use crate::registry::Registry;

/// A write that is refused counts as at least this many bytes: even a small row
/// takes some pages of the database and of its log.
const LEAST: u64 = 64 * 1024;

/// The size in bytes of the largest write that was refused since as much was
/// taken; 0 where there is none.
#[derive(Debug, Default)]
pub(crate) struct Storage(AtomicU64);

impl Storage {
    /// Takes note of how the write of `size` bytes went.
    pub(crate) fn noted<T>(&self, size: u64, outcome: Result<T, JournalError>) -> Result<T, JournalError> {
        match &outcome {
            Err(JournalError::Storage(_)) => {
                self.0.fetch_max(size.max(LEAST), Ordering::AcqRel);
            }
            Ok(_) => {
                let taken = |refused| (refused > 0 && refused <= size).then_some(0);
                // Where it stays as it is, that is right too.
                let _ = self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, taken);
            }
            Err(JournalError::Conflict { .. } | JournalError::Damaged(_)) => {}
        }
        outcome
    }

    fn refused(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}

impl Registry {
    /// Whether the storage has refused no write, or has taken as much since.
    pub fn takes_writes(&self) -> bool {
        self.storage.refused() == 0
    }

    /// Where the storage has refused a write: finds out whether it takes as much
    /// by now, with bytes that are not kept. Elsewhere it does nothing.
    ///
    /// Errors: it does not.
    pub fn try_storage(&self) -> Result<(), JournalError> {
        match self.storage.refused() {
            0 => Ok(()),
            size => self.storage.noted(size, self.journal().try_storage(size)),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_as_much_as_was_refused_proves_that_it_works_again() {
        let storage = Storage::default();
        let full = || Err::<(), _>(JournalError::Storage("full".into()));
        storage.noted(1 << 20, full()).unwrap_err();
        storage.noted(10, full()).unwrap_err();
        assert_eq!(storage.refused(), 1 << 20);
        storage.noted(LEAST, Ok(())).unwrap();
        assert_eq!(storage.refused(), 1 << 20);
        storage.noted(1 << 20, Ok(())).unwrap();
        assert_eq!(storage.refused(), 0);
        storage.noted::<()>(1, Err(JournalError::Conflict { head: 1 })).unwrap_err();
        assert_eq!(storage.refused(), 0, "another writer's row is no failure");
        storage.noted(1, full()).unwrap_err();
        assert_eq!(storage.refused(), LEAST);
    }
}

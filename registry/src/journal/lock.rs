//! Who has a data folder's journal open: whoever does shares a lock on the file
//! `lock`, and whoever replaces the journal has it alone.
//!
//! Another lock than the folder's own, which is only for the moment of opening.
//! The system drops it with the process, however that ends.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::{JournalError, folder};

/// The name of the file in the data folder. It is empty, and never removed:
/// who waits for it would wait for another file than who has it.
const FILE: &str = "lock";

/// While it lives, the journal is not replaced, or nobody else has it open.
#[derive(Debug)]
pub(super) struct JournalLock(#[expect(dead_code, reason = "dropping it is what ends the lock")] File);

impl JournalLock {
    /// Keeps others from replacing the journal in `data`.
    pub(super) fn shared(data: &Path) -> Result<Self, JournalError> {
        let file = folder::open_for_locks(&data.join(FILE))?;
        match file.try_lock_shared() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(JournalError::Storage(format!(
                "a backup is being restored into `{}`: try again when that has ended",
                data.display()
            ))),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }

    /// Keeps everyone from opening the journal in `data`. None where someone has
    /// it open.
    pub(super) fn exclusive(data: &Path) -> Result<Option<Self>, JournalError> {
        let file = folder::open_for_locks(&data.join(FILE))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_are_present_and_one_is_alone() {
        let data = tempfile::tempdir().unwrap();
        let (one, other) =
            (JournalLock::shared(data.path()).unwrap(), JournalLock::shared(data.path()).unwrap());
        drop(one);
        assert!(JournalLock::exclusive(data.path()).unwrap().is_none());
        drop(other);
        let alone = JournalLock::exclusive(data.path()).unwrap().unwrap();
        let refused = JournalLock::shared(data.path()).unwrap_err().to_string();
        assert!(refused.contains("is being restored"), "{refused}");
        drop(alone);
        JournalLock::shared(data.path()).unwrap();
    }
}

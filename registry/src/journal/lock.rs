//! The lock on the file `lock` of a data folder. Processes that have the journal
//! open share it, and a restore takes it exclusively.
//!
//! It is not the folder's own lock ([`folder::lock`]), which is held only while
//! databases are opened. The system drops both when a process ends, however it
//! ends.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::{JournalError, folder};

/// The empty lock file. It is never removed: processes would then lock
/// different files.
const FILE: &str = "lock";

/// A lock on the journal of a data folder, held until the value is dropped.
#[derive(Debug)]
pub(super) struct JournalLock(#[expect(dead_code, reason = "dropping it releases the lock")] File);

impl JournalLock {
    /// Keeps other processes from replacing the journal in `data`.
    pub(super) fn shared(data: &Path) -> Result<Self, JournalError> {
        let file = folder::open_for_locks(&data.join(FILE))?;
        match file.try_lock_shared() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => {
                let data = data.display();
                let why = format!("a backup is being restored into `{data}`: try again when that has ended");
                Err(JournalError::Storage(why.into()))
            }
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }

    /// Keeps other processes from opening the journal in `data`. Returns None if
    /// a process has it open.
    pub(super) fn exclusive(data: &Path) -> Result<Option<Self>, JournalError> {
        let file = folder::open_for_locks(&data.join(FILE))?;
        Ok(folder::try_lock(&file)?.then_some(Self(file)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exclusive_lock_waits_for_all_shared_locks() {
        let data = tempfile::tempdir().unwrap();
        let shared = || JournalLock::shared(data.path());
        let (one, other) = (shared().unwrap(), shared().unwrap());
        drop(one);
        assert!(JournalLock::exclusive(data.path()).unwrap().is_none());
        drop(other);
        let exclusive = JournalLock::exclusive(data.path()).unwrap().unwrap();
        let refused = crate::with_causes(&shared().unwrap_err());
        assert!(refused.contains("is being restored"), "{refused}");
        drop(exclusive);
        shared().unwrap();
    }
}

//! Locks that commands in one folder wait for.

use std::fs::{File, TryLockError};
use std::io;
use std::sync::Once;

use crate::notice;

/// Locks the file, until it is closed. Waits as long as another process has the lock, and says so once.
pub(crate) fn lock(file: &File) -> io::Result<()> {
    static SHOWN: Once = Once::new();
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            SHOWN.call_once(|| notice::show("waiting for another skillmirror in this folder"));
            file.lock()
        }
        Err(TryLockError::Error(why)) => Err(why),
        Ok(()) => Ok(()),
    }
}

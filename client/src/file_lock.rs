//! Locks that commands in one folder wait for.

use std::fs::{File, TryLockError};
use std::io;
use std::sync::{Once, OnceLock};

/// Shows a line to the person who waits.
static NOTICE: OnceLock<fn(&str)> = OnceLock::new();

/// Sets the function that shows, once, that this command waits for another one. Only the first call
/// has an effect.
pub fn show_waits(show: fn(&str)) {
    NOTICE.get_or_init(|| show);
}

/// Locks the file, until it is closed. Waits as long as another process has the lock.
pub(crate) fn lock(file: &File) -> io::Result<()> {
    static SHOWN: Once = Once::new();
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            SHOWN.call_once(|| {
                if let Some(show) = NOTICE.get() {
                    show("waiting for another skillmirror in this folder");
                }
            });
            file.lock()
        }
        Err(TryLockError::Error(why)) => Err(why),
        Ok(()) => Ok(()),
    }
}

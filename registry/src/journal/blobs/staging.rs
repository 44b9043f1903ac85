//! Where blobs are written before they are moved into place.
//!
//! Each process has a folder of its own in `blobs/tmp`, and that folder's lock.
//! The system drops the lock with the process, however that ends: a folder
//! whose lock is free was left behind, and nobody writes to it any more.

use std::fs::{self, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;

use crate::journal::folder;

/// A folder that is this process's until the value is dropped, and then gone.
pub(super) struct StagingDir {
    folder: TempDir,
    _lock: File,
}

impl StagingDir {
    /// Makes one in `temporary`, which is made where someone has removed it.
    pub(super) fn make(data: &Path, temporary: &Path) -> io::Result<Self> {
        // Else the clearing of another process that starts could come between
        // the folder and its lock.
        let _opening = folder::lock(data)?;
        folder::make(temporary)?;
        let owners = Permissions::from_mode(0o700);
        let folder = tempfile::Builder::new().prefix("of-").permissions(owners).tempdir_in(temporary)?;
        let lock = File::open(folder.path())?;
        lock.lock()?;
        Ok(Self { folder, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes what processes that are gone have left in `temporary`. To be called
/// with the data folder's lock held.
pub(super) fn clear(temporary: &Path) -> io::Result<()> {
    for entry in temporary.read_dir()? {
        let entry = entry?;
        let path = entry.path();
        let removed = if entry.file_type()?.is_dir() {
            let Ok(lock) = File::open(&path) else { continue };
            match lock.try_lock() {
                Ok(()) => fs::remove_dir_all(&path),
                Err(TryLockError::WouldBlock) => continue,
                Err(TryLockError::Error(error)) => return Err(error),
            }
        } else {
            fs::remove_file(&path)
        };
        match removed {
            // A process that ends takes its own away.
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

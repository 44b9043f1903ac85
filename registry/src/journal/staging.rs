//! Folders for files that belong to one process: blobs before they are moved into place.
//!
//! Each process has its own locked folder in `blobs/tmp`. The system releases the
//! lock when the process ends, however it ends. So a folder whose lock is free
//! was left behind and can be removed.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;

use crate::journal::folder;

/// A folder of this process. Dropping the value removes it.
pub(crate) struct StagingDir {
    folder: TempDir,
    _lock: File,
}

impl StagingDir {
    /// Creates a staging folder in `temporary`, which is created if missing.
    pub(crate) fn create(data: &Path, temporary: &Path) -> io::Result<Self> {
        // A process that starts now must not clear the folder before it is locked.
        let _opening = folder::lock(data)?;
        folder::make(temporary)?;
        let owner_only = Permissions::from_mode(0o700);
        let folder = tempfile::Builder::new().prefix("of-").permissions(owner_only).tempdir_in(temporary)?;
        let lock = File::open(folder.path())?;
        lock.lock()?;
        Ok(Self { folder, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes what dead processes left in `temporary`. Call it with the data
/// folder's lock held.
pub(crate) fn clear(temporary: &Path) -> io::Result<()> {
    for entry in temporary.read_dir()? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            let Ok(lock) = File::open(entry.path()) else { continue };
            if !folder::try_lock(&lock)? {
                continue;
            }
        }
        match folder::remove(&entry) {
            // A process that ends removes its own folder.
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

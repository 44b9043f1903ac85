//! Files that clients upload one by one, until a publication takes them.
//!
//! Each process has a folder of its own, which is removed when the process ends.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::journal::folder;
use crate::journal::staging::{self, StagingDir};
use crate::local::{LocalError, LocalStore};

/// The folder of this process's uploads.
pub struct UploadFolder {
    staging: StagingDir,
    next: AtomicU64,
}

/// A file of an [`UploadFolder`]. Dropping it removes the file.
pub struct StoredUpload(PathBuf);

impl LocalStore {
    /// Creates a folder for uploads.
    pub fn upload_folder(&self) -> Result<UploadFolder, LocalError> {
        let staging = StagingDir::create(&self.data, &self.data.join(folder::UPLOADS))?;
        Ok(UploadFolder { staging, next: AtomicU64::new(0) })
    }
}

impl UploadFolder {
    /// Stores an upload. It does not survive a power loss.
    pub fn store(&self, bytes: &[u8]) -> Result<StoredUpload, LocalError> {
        let name = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        let upload = StoredUpload(self.staging.path().join(name));
        fs::write(&upload.0, bytes)?;
        Ok(upload)
    }
}

impl StoredUpload {
    /// The bytes.
    pub fn read(&self) -> Result<Vec<u8>, LocalError> {
        Ok(fs::read(&self.0)?)
    }
}

impl Drop for StoredUpload {
    fn drop(&mut self) {
        // The process's folder may be gone already. What is left ends with it.
        let _ = fs::remove_file(&self.0);
    }
}

/// Removes the uploads of dead processes from the folder `data`.
pub(super) fn clear(data: &Path) -> io::Result<()> {
    let _opening = folder::lock(data)?;
    let uploads = data.join(folder::UPLOADS);
    if uploads.is_dir() { staging::clear(&uploads) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::opened;

    /// The number of stored uploads of all processes.
    fn files(data: &Path) -> usize {
        let processes = data.join(folder::UPLOADS).read_dir().unwrap();
        processes.map(|folder| folder.unwrap().path().read_dir().unwrap().count()).sum()
    }

    #[test]
    fn stored_upload_is_read_until_it_is_dropped() {
        let data = tempfile::tempdir().unwrap();
        let store = opened(data.path());
        let uploads = store.upload_folder().unwrap();
        let (one, empty) = (uploads.store(b"one").unwrap(), uploads.store(b"").unwrap());
        assert_eq!((one.read().unwrap(), empty.read().unwrap()), (b"one".to_vec(), Vec::new()));
        assert_eq!(files(data.path()), 2);
        drop(one);
        assert_eq!(files(data.path()), 1);
        drop(uploads);
        assert_eq!(files(data.path()), 0);
        assert!(empty.read().is_err());
    }

    #[test]
    fn opening_the_store_removes_uploads_of_dead_processes_only() {
        let data = tempfile::tempdir().unwrap();
        let store = opened(data.path());
        let uploads = store.upload_folder().unwrap();
        let kept = uploads.store(b"kept").unwrap();
        let dead = data.path().join(folder::UPLOADS).join("of-dead");
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join("0"), "left").unwrap();
        opened(data.path());
        assert!(!dead.exists() && kept.read().is_ok());
    }
}

//! Restores a backup into a data folder.
//!
//! The backup is unpacked into the folder `restoring` and stays there until it
//! has been checked. Then the old journal is moved away first, and the new one
//! into place last. While there is no journal, the folder `restoring` keeps
//! every process from beginning an empty history.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::backup::{self, BackupError};
use super::folder::{self, BLOBS, JOURNAL, REPLACED_PREFIX, RESTORING};
use super::lock::JournalLock;
use super::sqlite::snapshot;
use super::{Epoch, JournalError, SqliteJournal};
use crate::time::Timestamp;

/// An unpacked backup beside the journal that it will replace. No other process
/// has that journal open. Dropping the value leaves the data folder as it was.
#[derive(Debug)]
pub struct PendingRestore {
    data: PathBuf,
    staging: PathBuf,
    /// Whether this restore, or an earlier one, may have left no journal.
    interrupted: bool,
    _lock: JournalLock,
}

/// The outcome of a restore.
#[derive(Debug)]
pub struct Restored {
    /// The new name of the history.
    pub epoch: Epoch,
    /// The folder with the files that were replaced, if there were any.
    pub replaced: Option<PathBuf>,
}

impl PendingRestore {
    /// Unpacks the backup `file` in the data folder `data`, which is created if
    /// missing.
    pub fn begin(data: &Path, file: &Path) -> Result<Self, BackupError> {
        let zip = backup::open(file)?;
        folder::make(data).map_err(|cause| BackupError::file(data, cause))?;
        let Some(lock) = JournalLock::exclusive(data)? else {
            return Err(BackupError::InUse(data.to_owned()));
        };
        let staging = data.join(RESTORING);
        let interrupted = staging.exists() && !SqliteJournal::is_in(data);
        folder::make(&staging)
            .and_then(|()| clear(&staging))
            .map_err(|cause| BackupError::file(&staging, cause))?;
        let pending = Self { data: data.to_owned(), staging, interrupted, _lock: lock };
        backup::unpack(zip, file, &pending.staging)?;
        Ok(pending)
    }

    /// Opens the unpacked journal. Drop it before [`PendingRestore::finish`].
    pub fn open(&self) -> Result<SqliteJournal, JournalError> {
        SqliteJournal::open(&self.staging)
    }

    /// Gives the history a new name and replaces the journal in the data folder.
    pub fn finish(mut self) -> Result<Restored, BackupError> {
        let epoch = snapshot::renew_epoch(&self.staging)?;
        let replaced = self.replace().map_err(|cause| BackupError::file(&self.data, cause))?;
        Ok(Restored { epoch, replaced })
    }

    fn replace(&mut self) -> io::Result<Option<PathBuf>> {
        folder::make(&self.staging.join(BLOBS))?;
        // Brings everything below the folder to the disk.
        rustix::fs::syncfs(File::open(&self.staging)?)?;
        // From here on there may be no journal, however this ends.
        self.interrupted = true;
        let replaced = self.move_away()?;
        for name in [BLOBS, JOURNAL] {
            fs::rename(self.staging.join(name), self.data.join(name))?;
            folder::sync(&self.data)?;
        }
        Ok(replaced)
    }

    /// Moves all files of the old journal into a new folder.
    fn move_away(&self) -> io::Result<Option<PathBuf>> {
        let logs = ["-wal", "-shm"].map(|suffix| format!("{JOURNAL}{suffix}"));
        let mut found = Vec::new();
        for name in [JOURNAL, &logs[0], &logs[1], BLOBS] {
            match self.data.join(name).symlink_metadata() {
                Ok(entry) if entry.dev() == self.data.metadata()?.dev() => found.push(name),
                // A rename would fail, so this is found before the first one.
                Ok(_) => {
                    return Err(io::Error::other(format!("`{name}` is on another disk: move it away first")));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        if found.is_empty() {
            return Ok(None);
        }
        let mut number = Timestamp::now().as_unix();
        let mut target = self.data.join(format!("{REPLACED_PREFIX}{number}"));
        while target.try_exists()? {
            number += 1;
            target = self.data.join(format!("{REPLACED_PREFIX}{number}"));
        }
        folder::make(&target)?;
        for name in found {
            fs::rename(self.data.join(name), target.join(name))?;
            folder::sync(&target)?;
            folder::sync(&self.data)?;
        }
        Ok(Some(target))
    }
}

impl Drop for PendingRestore {
    fn drop(&mut self) {
        // Files that cannot be removed are removed by the next restore. The folder
        // stays if an empty history could be begun without it.
        let is_clear = clear(&self.staging).is_ok();
        if is_clear && (SqliteJournal::is_in(&self.data) || !self.interrupted) {
            let _ = fs::remove_dir(&self.staging);
        }
    }
}

/// Removes everything in `folder`.
fn clear(folder: &Path) -> io::Result<()> {
    for entry in folder.read_dir()? {
        folder::remove(&entry?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;

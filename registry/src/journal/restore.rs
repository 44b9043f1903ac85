//! A backup takes the place of what is in a data folder.
//!
//! It is unpacked into the folder `restoring` and stays there until it was
//! checked. Then the old journal goes first and the new one comes last: while
//! there is none, `restoring` keeps anyone from beginning an empty history.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::backup::{BackupError, BackupFile};
use super::lock::JournalLock;
use super::sqlite::{layout, snapshot};
use super::{Epoch, JournalError, SqliteJournal, folder};
use crate::time::Timestamp;

/// Where a backup waits for being checked.
pub(super) const RESTORING: &str = "restoring";

/// How the name of the folder begins that has what was replaced.
pub(super) const ASIDE: &str = "replaced-";

/// The blobs' folder.
const BLOBS: &str = "blobs";

/// A backup beside the journal that it is to replace. Nobody else has that
/// journal open meanwhile. When this is dropped, nothing has happened.
#[derive(Debug)]
pub struct PendingRestore {
    data: PathBuf,
    staging: PathBuf,
    /// Whether this one or an earlier one may have left no journal.
    interrupted: bool,
    _lock: JournalLock,
}

/// A history took the place of another.
#[derive(Debug)]
pub struct Restored {
    /// Its new name.
    pub epoch: Epoch,
    /// Where that is which was there before; None where nothing was.
    pub aside: Option<PathBuf>,
}

impl PendingRestore {
    /// Unpacks the backup `file` in the data folder `data`, made where it is
    /// missing.
    pub fn begin(data: &Path, file: &Path) -> Result<Self, BackupError> {
        let backup = BackupFile::open(file)?;
        folder::make(data).map_err(|why| BackupError::file(data, why))?;
        let Some(lock) = JournalLock::exclusive(data)? else {
            return Err(BackupError::InUse(data.display().to_string()));
        };
        let staging = data.join(RESTORING);
        let failed = |why: io::Error| BackupError::file(&staging, why);
        let interrupted = staging.exists() && !SqliteJournal::is_in(data);
        folder::make(&staging).and_then(|()| clear(&staging)).map_err(failed)?;
        let restoring = Self { data: data.to_owned(), staging, interrupted, _lock: lock };
        backup.unpack(&restoring.staging)?;
        Ok(restoring)
    }

    /// Opens what was unpacked, to be checked, and dropped before
    /// [`PendingRestore::finish`].
    pub fn open(&self) -> Result<SqliteJournal, JournalError> {
        SqliteJournal::open(&self.staging)
    }

    /// Gives the history a new name, and puts it in the place of what is there.
    pub fn finish(mut self) -> Result<Restored, BackupError> {
        let epoch = snapshot::renew_epoch(&self.staging)?;
        let data = self.data.clone();
        let failed = |why: io::Error| BackupError::file(&data, why);
        folder::make(&self.staging.join(BLOBS)).and_then(|()| sync_all(&self.staging)).map_err(failed)?;
        // From here on there may be no journal, however this ends.
        self.interrupted = true;
        let aside = self.move_aside().map_err(failed)?;
        let bring = |name: &str| fs::rename(self.staging.join(name), self.data.join(name));
        bring(BLOBS).and_then(|()| folder::sync(&self.data)).map_err(failed)?;
        bring(layout::FILE).and_then(|()| folder::sync(&self.data)).map_err(failed)?;
        Ok(Restored { epoch, aside })
    }

    /// Moves everything aside that is part of the old journal.
    fn move_aside(&self) -> io::Result<Option<PathBuf>> {
        let logs = ["-wal", "-shm"].map(|suffix| format!("{}{suffix}", layout::FILE));
        let names = [layout::FILE, &logs[0], &logs[1], BLOBS];
        let mut found = Vec::new();
        for name in names {
            match self.data.join(name).symlink_metadata() {
                Ok(entry) if entry.dev() == self.data.metadata()?.dev() => found.push(name),
                // Found out now, and not between two of the moves.
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
        let aside = loop {
            let aside = self.data.join(format!("{ASIDE}{number}"));
            match aside.try_exists()? {
                true => number += 1,
                false => break aside,
            }
        };
        folder::make(&aside)?;
        for name in found {
            fs::rename(self.data.join(name), aside.join(name))?;
            folder::sync(&aside)?;
            folder::sync(&self.data)?;
        }
        Ok(Some(aside))
    }
}

impl Drop for PendingRestore {
    fn drop(&mut self) {
        // What can't be removed is of no use to anyone, and goes the next time.
        // It stays where without it an empty history would be begun.
        let is_gone = clear(&self.staging).is_ok();
        if is_gone && (SqliteJournal::is_in(&self.data) || !self.interrupted) {
            let _ = fs::remove_dir(&self.staging);
        }
    }
}

/// Removes all that is in `folder`.
fn clear(folder: &Path) -> io::Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Brings everything below `folder` to the disk.
fn sync_all(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

#[cfg(test)]
mod tests;

//! Restores a backup into a data folder.
//!
//! The backup is unpacked into the folder `restoring` and stays there until it
//! has been checked. Then the old journal is moved away first, and the new one
//! into place last. While there is no journal, the folder `restoring` keeps
//! every process from beginning an empty history.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::backup::{self, BackupError};
use super::blob_folder::relative_path;
use super::folder::{self, BLOBS, JOURNAL, LOCAL, LOCAL_EXPORT, REPLACED_PREFIX, RESTORING};
use super::lock::JournalLock;
use super::sqlite::snapshot;
use super::{Epoch, JournalError, RedactedHalves, ReplacedJournal, Row, SqliteJournal, Storage};
use crate::names::Digest;
use crate::time::Timestamp;

/// An unpacked backup beside the journal that it will replace. No other process
/// has that journal open. Dropping the value leaves the data folder as it was.
#[derive(Debug)]
pub struct PendingRestore {
    data: PathBuf,
    staging: PathBuf,
    /// Whether this restore, or an earlier one, may have left no journal.
    interrupted: bool,
    replaces_local: bool,
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

impl Restored {
    /// Removes the files that were replaced.
    pub fn remove_replaced(&self) -> Result<(), BackupError> {
        let Some(replaced) = &self.replaced else { return Ok(()) };
        fs::remove_dir_all(replaced).map_err(|cause| BackupError::file(replaced, cause))
    }
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
        let is_in = SqliteJournal::is_in(data).map_err(|cause| BackupError::file(data, cause))?;
        let interrupted = staging.exists() && !is_in;
        folder::make(&staging)
            .and_then(|()| clear(&staging))
            .map_err(|cause| BackupError::file(&staging, cause))?;
        let pending =
            Self { data: data.to_owned(), staging, interrupted, replaces_local: false, _lock: lock };
        backup::unpack(zip, file, &pending.staging)?;
        if let Some(why) = snapshot::foreign_item(&pending.staging)? {
            return Err(BackupError::not_a_backup(file, why));
        }
        Ok(pending)
    }

    /// Copies the journal in `data`, and links its packages. No other process may have it open.
    pub fn of_copy(data: &Path) -> Result<Self, BackupError> {
        let Some(lock) = JournalLock::exclusive(data)? else {
            return Err(BackupError::InUse(data.to_owned()));
        };
        let staging = data.join(RESTORING);
        let failed = |cause: io::Error| BackupError::file(&staging, cause);
        folder::make(&staging).and_then(|()| clear(&staging)).map_err(failed)?;
        let pending = Self {
            data: data.to_owned(),
            staging: staging.clone(),
            interrupted: false,
            replaces_local: false,
            _lock: lock,
        };
        snapshot::copy(data, &staging)?;
        link_all(&data.join(BLOBS), &staging.join(BLOBS)).map_err(failed)?;
        Ok(pending)
    }

    /// Replaces halves of rows by what is left of them. Nothing of the old text stays in the file.
    pub fn redact(&self, rows: &[RedactedHalves]) -> Result<(), BackupError> {
        Ok(snapshot::redact(&self.staging, rows)?)
    }

    /// Removes the unpacked packages other than `named`. A backup has none, and an
    /// unnamed one must not take room in the registry.
    pub fn remove_unnamed(&self, named: &HashSet<Digest>) -> Result<(), BackupError> {
        let mut unnamed = Vec::new();
        let unpacked = self.open()?;
        unpacked.blobs.visit_blobs(&mut |blob| {
            if !named.contains(&blob.digest) {
                unnamed.push(relative_path(blob.digest));
            }
        })?;
        for path in unnamed.iter().map(|path| self.staging.join(path)) {
            fs::remove_file(&path).map_err(|cause| BackupError::file(&path, cause))?;
        }
        Ok(())
    }

    /// The folders that earlier restores have left in `data`.
    pub fn earlier(data: &Path) -> Vec<PathBuf> {
        let entries = data.read_dir().into_iter().flatten().flatten();
        let is_earlier =
            |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(REPLACED_PREFIX);
        entries.filter(is_earlier).map(|entry| entry.path()).collect()
    }

    /// Opens the unpacked journal and packages. Drop them before [`PendingRestore::finish`].
    pub fn open(&self) -> Result<Storage, JournalError> {
        Storage::in_folder(&self.staging)
    }

    /// Opens the unpacked part of the local store, if the backup has one.
    pub fn local(&self) -> Result<Option<File>, BackupError> {
        let path = self.staging.join(LOCAL_EXPORT);
        match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => Ok(Some(opened.map_err(|cause| BackupError::file(&path, cause))?)),
        }
    }

    /// Moves the local store in the data folder away too, at
    /// [`PendingRestore::finish`]. Returns the folder for a new one, which may stay
    /// without.
    pub fn replace_local(&mut self) -> &Path {
        self.replaces_local = true;
        &self.staging
    }

    /// Reads how far the journal got that will be replaced. None if there is none,
    /// or if it is damaged.
    pub fn replaced(&self) -> Option<ReplacedJournal> {
        snapshot::read_end(&self.data).ok()
    }

    /// Gives the history a new name, appends `row`, and replaces the journal in
    /// the data folder.
    pub fn finish(mut self, row: &Row) -> Result<Restored, BackupError> {
        let epoch = snapshot::renew_epoch(&self.staging, row)?;
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
        let local = Some(LOCAL).filter(|name| self.replaces_local && self.staging.join(name).exists());
        for name in [BLOBS].into_iter().chain(local).chain([JOURNAL]) {
            fs::rename(self.staging.join(name), self.data.join(name))?;
            folder::sync(&self.data)?;
        }
        Ok(replaced)
    }

    /// Moves all files that are replaced into a new folder.
    fn move_away(&self) -> io::Result<Option<PathBuf>> {
        let databases = if self.replaces_local { &[JOURNAL, LOCAL][..] } else { &[JOURNAL] };
        let of = |database: &&str| ["", "-wal", "-shm"].map(|suffix| format!("{database}{suffix}"));
        let mut found = Vec::new();
        for name in databases.iter().flat_map(of).chain([BLOBS.to_owned()]) {
            match self.data.join(&name).symlink_metadata() {
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
            fs::rename(self.data.join(&name), target.join(&name))?;
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
        if is_clear && (SqliteJournal::is_in(&self.data).unwrap_or(false) || !self.interrupted) {
            let _ = fs::remove_dir(&self.staging);
        }
    }
}

/// Links all files below a folder into a new one.
fn link_all(from: &Path, to: &Path) -> io::Result<()> {
    folder::make(to)?;
    for entry in from.read_dir()? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            link_all(&from, &to)?;
        } else {
            fs::hard_link(from, to)?;
        }
    }
    Ok(())
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

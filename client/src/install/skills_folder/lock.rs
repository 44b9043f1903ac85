//! The lock of a folder of skills.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::record::Record;
use super::scratch::Scratch;
use super::{RECORD, SkillsFolder};
use crate::install::error::{InstallError, at};
use crate::{file_lock, platform};

/// The exclusive right to change a folder of skills.
pub(in crate::install) struct FolderLock<'f> {
    pub(super) folder: &'f SkillsFolder,
    /// Closing the file unlocks it, and so does the end of the process.
    _file: File,
}

impl<'f> FolderLock<'f> {
    /// Waits for the lock. Creates the folder if it is missing.
    pub(super) fn acquire(folder: &'f SkillsFolder) -> Result<Self, InstallError> {
        let state = folder.state();
        folder.check()?;
        fs::create_dir_all(&state).map_err(at("cannot create", &state))?;
        let path = lock_file(folder);
        let file = platform::open_lock(&path).map_err(at("cannot open", &path))?;
        file_lock::lock(&file).map_err(at("cannot lock", &path))?;
        Ok(Self { folder, _file: file })
    }

    /// A new scratch folder, on the file system of the locked folder.
    pub(in crate::install) fn scratch(&self) -> Result<Scratch, InstallError> {
        Scratch::new(&self.folder.state())
    }

    /// Replaces the record with one that was prepared with [`Scratch::prepare`].
    ///
    /// The rename is not synced: after a power loss the old record or the new one is there,
    /// and either is complete.
    pub(in crate::install) fn publish(&self, prepared: &Path) -> Result<(), InstallError> {
        let path = self.folder.state().join(RECORD);
        fs::rename(prepared, &path).map_err(at("cannot replace", &path))
    }

    /// Replaces the record.
    pub(in crate::install) fn write_record(&self, record: &Record) -> Result<(), InstallError> {
        let scratch = self.scratch()?;
        self.publish(&scratch.prepare(record)?)
    }
}

/// The path of the lock file.
pub(super) fn lock_file(folder: &SkillsFolder) -> PathBuf {
    folder.state().join("lock")
}

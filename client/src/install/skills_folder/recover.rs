//! Recovery after a run that was killed: the next one completes or undoes its work.
//!
//! A run prepares everything in a scratch folder `.skillmirror/tmp-…`. When it no longer
//! needs that folder, it renames it to `rubbish-…` and removes it. Scratch folders may have
//! been checked out with somebody else's project. Recovery uses only folders that the
//! current user owns and nobody else can access, and follows no link in them.

use std::fs;
use std::path::{Path, PathBuf};

use super::differences::differences;
use super::folder_state::{FolderState, inspect};
use super::lock::{FolderLock, lock_file};
use super::record::Record;
use super::scratch::{DISCARDED, SCRATCH, folders, remove};
use super::{OLD, RECORD, SkillsFolder};
use crate::install::error::{InstallError, at};

/// Recovers from a killed run, if there was one. Cheap otherwise. Returns leftover folders
/// that cannot be removed.
pub(in crate::install) fn recover(folder: &SkillsFolder) -> Result<Vec<PathBuf>, InstallError> {
    folder.check()?;
    let state = folder.state();
    // Scratch folders belong to the holder of the lock. Those found with the lock held have
    // no owner any more.
    if folders(&state, SCRATCH)?.is_empty() && folders(&state, DISCARDED)?.is_empty() {
        return Ok(Vec::new());
    }
    clear(&FolderLock::acquire(folder)?)
}

/// Waits for the lock of a folder, and recovers from a killed run. Creates the folder if it
/// is missing.
pub(in crate::install) fn lock(folder: &SkillsFolder) -> Result<FolderLock<'_>, InstallError> {
    let lock = FolderLock::acquire(folder)?;
    clear(&lock)?;
    Ok(lock)
}

/// Like [`lock`], but creates nothing. None if the folder was never locked, or cannot be.
pub(in crate::install) fn lock_existing(folder: &SkillsFolder) -> Option<FolderLock<'_>> {
    if lock_file(folder).exists() { lock(folder).ok() } else { None }
}

/// Clears the scratch folders of killed runs. Records a skill that such a run had put in
/// place, and restores one that it had moved aside. Returns the folders that cannot be
/// removed.
fn clear(lock: &FolderLock<'_>) -> Result<Vec<PathBuf>, InstallError> {
    let state = lock.folder.state();
    for scratch in folders(&state, SCRATCH)? {
        finish(lock, &scratch)?;
        let _ = remove(&scratch);
    }
    let discarded = folders(&state, DISCARDED)?;
    Ok(discarded.into_iter().filter_map(|path| remove(&path).err().map(|_| path)).collect())
}

/// Completes or undoes the run that used `scratch`.
fn finish(lock: &FolderLock<'_>, scratch: &Path) -> Result<(), InstallError> {
    let prepared = match Record::read(&scratch.join(RECORD), &|_, _| true) {
        Ok(prepared) => prepared,
        // The run was killed while it wrote its record. It had not changed any skill.
        Err(InstallError::RecordDamaged { .. } | InstallError::RecordRefused { .. }) => return Ok(()),
        // A record of a newer program or an unreadable one: the folder may have the only copy of a skill.
        Err(why) => return Err(why),
    };
    let folder = lock.folder;
    let mut record = folder.record()?;
    let mut has_changed = false;
    for (slug, installed) in prepared.skills {
        if record.skills.get(&slug) == Some(&installed) {
            continue;
        }
        if let FolderState::Folder(files) = inspect(&folder.skill(&slug))?
            && differences(&folder.skill(&slug), &installed.files, &files).is_empty()
        {
            record.skills.insert(slug, installed);
            has_changed = true;
        }
    }
    restore(folder, &record, &scratch.join(OLD))?;
    if has_changed { lock.write_record(&record) } else { Ok(()) }
}

/// Moves the skills in `old` back, unless something has taken their places.
fn restore(folder: &SkillsFolder, record: &Record, old: &Path) -> Result<(), InstallError> {
    if !is_folder(old) {
        return Ok(());
    }
    for slug in record.skills.keys() {
        let (old, path) = (old.join(slug.as_str()), folder.skill(slug));
        if is_folder(&old) && fs::symlink_metadata(&path).is_err() {
            fs::rename(&old, &path).map_err(at("cannot restore", &path))?;
        }
    }
    Ok(())
}

/// Whether `path` is a folder, and not a link to one.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

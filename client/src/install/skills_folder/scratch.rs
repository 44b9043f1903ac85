//! Scratch folders, in which a run prepares its changes.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::RECORD;
use super::record::Record;
use crate::install::error::{InstallError, at};
use crate::platform::{self, PRIVATE_FOLDER};

/// The name prefix of a scratch folder in use.
pub(super) const SCRATCH: &str = "tmp-";

/// The name prefix of a scratch folder that is no longer needed.
pub(super) const DISCARDED: &str = "rubbish-";

/// A new scratch folder, removed on drop.
pub(in crate::install) struct Scratch(PathBuf);

impl Scratch {
    /// Creates a scratch folder in `state`, so that it is on the same file system.
    pub(super) fn new(state: &Path) -> Result<Self, InstallError> {
        let mut builder = tempfile::Builder::new();
        platform::set_mode(&mut builder, PRIVATE_FOLDER);
        let created = builder.prefix(SCRATCH).tempdir_in(state);
        created.map(|created| Self(created.keep())).map_err(at("cannot create a folder in", state))
    }

    /// The path of the folder.
    pub(in crate::install) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a record to the scratch folder. Recovery completes a run from it.
    pub(in crate::install) fn prepare(&self, record: &Record) -> Result<PathBuf, InstallError> {
        let path = self.0.join(RECORD);
        record.write(&path)?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The next run reports a folder that cannot be removed.
        let _ = remove(&self.0);
    }
}

/// The folders in `state` with this name prefix that the current user has created.
pub(super) fn folders(state: &Path, prefix: &str) -> Result<Vec<PathBuf>, InstallError> {
    let read = || -> io::Result<Vec<PathBuf>> {
        let mut folders = Vec::new();
        for entry in fs::read_dir(state)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(prefix) && is_ours(&entry.metadata()?) {
                folders.push(entry.path());
            }
        }
        Ok(folders)
    };
    match read() {
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        folders => folders.map_err(at("cannot read", state)),
    }
}

/// Whether this is a private folder of the current user. One that git checked out never is. `metadata`
/// is that of the entry itself, not of the target of a link.
fn is_ours(metadata: &Metadata) -> bool {
    let is_private = platform::mode(metadata).is_none_or(|mode| mode == PRIVATE_FOLDER);
    metadata.is_dir() && is_private && platform::is_own(metadata)
}

/// Removes a scratch folder. If that fails half-way, its new name says that it is not
/// needed.
pub(super) fn remove(scratch: &Path) -> io::Result<()> {
    let name = scratch.file_name().unwrap_or_default().to_string_lossy();
    let mut discarded = scratch.to_owned();
    if let Some(rest) = name.strip_prefix(SCRATCH) {
        discarded.set_file_name(format!("{DISCARDED}{rest}"));
        fs::rename(scratch, &discarded)?;
    }
    fs::remove_dir_all(&discarded).or_else(|_| {
        // A user may have made a folder in a skill read-only.
        make_writable(&discarded);
        fs::remove_dir_all(&discarded)
    })
}

/// Makes `folder` and all folders below it writable where that is allowed.
fn make_writable(folder: &Path) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let _ = platform::make_writable(&folder);
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        // `file_type` is that of a link itself, so links are not followed.
        let below = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        folders.extend(below.map(|entry| entry.path()));
    }
}

//! Inspects the folder of an installed skill.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use registry::names::Digest;
use walkdir::WalkDir;

use super::file_marks::{FileMark, FoundFiles};
use crate::install::error::{InstallError, at};
use crate::platform;

/// The state of the path where a skill belongs.
pub(in crate::install) enum FolderState {
    Missing,
    /// Something else than a folder, in words.
    NotAFolder(&'static str),
    /// A folder with these files.
    Folder(FoundFiles),
}

/// Inspects the path where a skill belongs. Follows no link.
pub(in crate::install) fn inspect(path: &Path) -> Result<FolderState, InstallError> {
    read_state(path).map_err(at("cannot inspect", path))
}

fn read_state(path: &Path) -> io::Result<FolderState> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(FolderState::Missing),
        Err(why) => return Err(why),
    };
    if metadata.is_symlink() {
        return Ok(FolderState::NotAFolder("a symbolic link"));
    }
    if !metadata.is_dir() {
        return Ok(FolderState::NotAFolder("a file"));
    }
    let mut files = BTreeMap::new();
    for entry in WalkDir::new(path).min_depth(1) {
        let entry = entry?;
        if entry.file_type().is_dir() {
            continue;
        }
        let relative = entry.path().strip_prefix(path).unwrap_or(entry.path());
        let (name, is_plain) = match platform::slashed(relative) {
            Some(name) => (name, entry.file_type().is_file()),
            // It has a backslash, so it is different from the path of every file in a package.
            None => (format!("{relative:?}"), false),
        };
        let mark = if is_plain { Some(mark(entry.path(), &entry.metadata()?)?) } else { None };
        files.insert(name, mark);
    }
    Ok(FolderState::Folder(files))
}

fn mark(path: &Path, metadata: &Metadata) -> io::Result<FileMark> {
    let (sha256, _) = Digest::of_reader(File::open(path)?)?;
    let executable = platform::mode(metadata).is_some_and(|mode| mode & 0o100 != 0);
    Ok(FileMark { executable, sha256 })
}

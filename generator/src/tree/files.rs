//! Small file operations that several parts of the tree need.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use registry::names::Digest;

/// The metadata of a regular file, without following a link.
pub(super) fn regular(path: &Path) -> Option<Metadata> {
    fs::symlink_metadata(path).ok().filter(Metadata::is_file)
}

/// The modification time, if the file exists and the file system records one.
pub(super) fn modified(file: Option<&Metadata>) -> Option<SystemTime> {
    file.and_then(|file| file.modified().ok())
}

/// Whether an error means that the path does not exist.
pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Removes a file, or a folder with all its contents. Returns whether anything was there.
pub(super) fn remove_any(path: &Path) -> io::Result<bool> {
    let removed = match fs::remove_file(path) {
        // Somebody has put a folder where a file belongs.
        Err(why) if why.kind() == io::ErrorKind::IsADirectory => fs::remove_dir_all(path),
        removed => removed,
    };
    match removed {
        Ok(()) => Ok(true),
        Err(why) if is_missing(&why) => Ok(false),
        Err(why) => Err(why),
    }
}

/// The sha256 of a file.
pub(super) fn digest(path: &Path) -> io::Result<Digest> {
    Ok(Digest::of_reader(File::open(path)?)?.0)
}

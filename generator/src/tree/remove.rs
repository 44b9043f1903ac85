//! Removes a file or folder, whatever it is.

use std::io;
use std::path::Path;

use super::is_missing;

/// Removes a file, or a folder with all its contents. Returns whether anything was there.
pub(super) fn remove_any(path: &Path) -> io::Result<bool> {
    let removed = match std::fs::remove_file(path) {
        // Somebody has put a folder where a file belongs.
        Err(why) if why.kind() == io::ErrorKind::IsADirectory => std::fs::remove_dir_all(path),
        removed => removed,
    };
    match removed {
        Ok(()) => Ok(true),
        Err(why) if is_missing(&why) => Ok(false),
        Err(why) => Err(why),
    }
}

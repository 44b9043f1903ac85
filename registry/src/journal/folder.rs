//! The data folder itself: made for its owner alone, and locked while someone
//! looks whether it holds databases and makes them.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// Makes `folder` and what is missing above it, for the owner alone (0700),
/// durably. An existing folder keeps the mode that its operator gave it.
pub(crate) fn make(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    make(parent)?;
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
        made => made?,
    }
    sync(parent)
}

/// Makes the names in `folder` durable. What a file holds needs its own sync.
pub(crate) fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Waits until no other process is opening databases in `folder`, and keeps
/// others waiting until the value is dropped. Nobody holds it for longer than
/// it takes to open a file.
pub(crate) fn lock(folder: &Path) -> io::Result<File> {
    let handle = File::open(folder)?;
    handle.lock()?;
    Ok(handle)
}

/// Opens the file `path`, made where it is missing, whose only use is its lock.
pub(crate) fn open_for_locks(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// How the names begin of what is written into the data folder itself before it
/// gets its own name; only ever with the folder's lock held.
const UNFINISHED: [&str; 2] = [MAKING, SECRET];

/// A database in the making.
pub(crate) const MAKING: &str = ".making-";

/// A secret file in the making.
pub(crate) const SECRET: &str = ".secret-";

/// Removes from `folder` what killed processes have not finished. To be called
/// with the folder's lock held.
pub(crate) fn clear(folder: &Path) -> io::Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        let name = entry.file_name();
        if !UNFINISHED.iter().any(|start| name.to_string_lossy().starts_with(start)) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// The most that [`probe_write`] writes. What a disk has room for beyond that it
/// is asked for: filling it up to find out would fail others.
const MAX_PROBE_BYTES: u64 = 64 * 1024;

/// Whether the disk of `folder` takes `size` bytes: it says that it has room for
/// them, and takes some of them in a file without a name.
pub(crate) fn probe_write(folder: &Path, size: u64) -> io::Result<()> {
    let disk = rustix::fs::statvfs(folder)?;
    if disk.f_bavail.saturating_mul(disk.f_frsize) < size {
        return Err(rustix::io::Errno::NOSPC.into());
    }
    let mut file = tempfile::tempfile_in(folder)?;
    // Not zeros, which some file systems do not store.
    io::copy(&mut io::repeat(0xa5).take(size.min(MAX_PROBE_BYTES)), &mut file)?;
    file.sync_all()
}

/// Why the databases in `folder` could not be opened, in the system's words and
/// with what to do, where it is that nothing can be written there; else `why`.
/// SQLite only says "disk I/O error".
pub(crate) fn explain(folder: &Path, why: String) -> String {
    if !folder.is_dir() {
        return why;
    }
    // As much as opening a database takes.
    match probe_write(folder, 64 * 1024) {
        Ok(()) => why,
        Err(error) => format!(
            "nothing can be written to the data folder `{}` ({error}): make room on its disk, or see that it can be written to",
            folder.display()
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn new_folders_are_the_owners_alone() {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("a/b");
        make(&deep).unwrap();
        make(&deep).unwrap();
        for folder in [&deep, deep.parent().unwrap()] {
            assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o7777, 0o700);
        }
        std::fs::write(root.path().join("file"), "").unwrap();
        assert!(make(&root.path().join("file")).is_err());
        assert!(make(&root.path().join("file/below")).is_err());
    }
}

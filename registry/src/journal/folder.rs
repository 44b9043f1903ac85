//! The data folder: its names, its creation for the owner alone, and the lock
//! that is held while databases in it are created or opened.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// The journal's database.
pub(super) const JOURNAL: &str = "journal.sqlite";

/// The database of the local store.
pub(crate) const LOCAL: &str = "local.sqlite";

/// The part of the local store that is in a backup.
pub(super) const LOCAL_EXPORT: &str = "local.jsonl";

/// The folder of the blobs.
pub(super) const BLOBS: &str = "blobs";

/// The folder in which a backup waits until it has been checked. While it exists
/// without a journal, nobody begins an empty history.
pub(super) const RESTORING: &str = "restoring";

/// Prefix of the folders that contain what a restore replaced.
pub(super) const REPLACED_PREFIX: &str = "replaced-";

/// Prefix of a database that is being created.
pub(super) const DATABASE_PREFIX: &str = ".making-";

/// Prefix of a secret file that is being written.
pub(crate) const SECRET_PREFIX: &str = ".secret-";

/// The most bytes that [`probe_write`] writes. Filling the disk to find out
/// whether it is full would make other writers fail.
const MAX_PROBE_BYTES: u64 = 64 * 1024;

/// The bytes of the journal's database in the data folder, with what is not yet in its main file.
/// Errors: the folder cannot be read.
pub fn size(data: &Path) -> io::Result<u64> {
    let main = fs::metadata(data.join(JOURNAL))?.len();
    let log = fs::metadata(data.join(format!("{JOURNAL}-wal"))).map_or(0, |log| log.len());
    Ok(main + log)
}

/// Creates `folder` and its missing parents, durably and for the owner alone
/// (0700). An existing folder keeps its mode.
pub(crate) fn make(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let parent = parent(folder);
    make(parent)?;
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
        made => made?,
    }
    sync(parent)
}

/// The folder that contains `path`.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the names in `folder` durable. The contents of files need their own
/// sync.
pub(crate) fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Locks `folder` until the returned file is dropped, and waits for the process
/// that has the lock. Nobody holds it longer than it takes to open a file.
pub(crate) fn lock(folder: &Path) -> io::Result<File> {
    let handle = File::open(folder)?;
    handle.lock()?;
    Ok(handle)
}

/// Takes an exclusive lock on a file or folder, or returns false if another
/// process has it.
pub(super) fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Opens the file `path` to lock it, and creates it if it is missing.
pub(crate) fn open_for_locks(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// Removes unfinished files that killed processes left in `folder`. Call it with
/// the folder's lock held: such files are written under it.
pub(crate) fn clear_unfinished(folder: &Path) -> io::Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(DATABASE_PREFIX) || name.starts_with(SECRET_PREFIX) {
            remove(&entry)?;
        }
    }
    Ok(())
}

/// Removes a file, or a folder with everything in it.
pub(super) fn remove(entry: &fs::DirEntry) -> io::Result<()> {
    if entry.file_type()?.is_dir() { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) }
}

/// Checks that the disk of `folder` takes `size` bytes: it must report as much
/// free space, and take some of the bytes in a file without a name.
pub(crate) fn probe_write(folder: &Path, size: u64) -> io::Result<()> {
    let disk = rustix::fs::statvfs(folder)?;
    if disk.f_bavail.saturating_mul(disk.f_frsize) < size {
        return Err(rustix::io::Errno::NOSPC.into());
    }
    let mut file = tempfile::tempfile_in(folder)?;
    // Some file systems do not store zeros.
    io::copy(&mut io::repeat(0xa5).take(size.min(MAX_PROBE_BYTES)), &mut file)?;
    file.sync_all()
}

/// A data folder that cannot be created.
pub(crate) fn unusable(data: &Path, error: &io::Error) -> super::JournalError {
    super::JournalError::Storage(format!("the data folder `{}`: {error}", data.display()).into())
}

/// Explains why a database in `folder` could not be opened, if the reason is
/// that the folder cannot be written to. Else returns `why`. SQLite only says
/// "disk I/O error".
pub(crate) fn explain(folder: &Path, why: super::Cause) -> super::Cause {
    if !folder.is_dir() {
        return why;
    }
    match probe_write(folder, MAX_PROBE_BYTES) {
        Ok(()) => why,
        Err(error) => format!(
            "nothing can be written to the data folder `{}` ({error}): make room on its disk, or make it writable",
            folder.display()
        )
        .into(),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn make_creates_folders_for_the_owner_alone() {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("a/b");
        make(&deep).unwrap();
        make(&deep).unwrap();
        for folder in [&deep, deep.parent().unwrap()] {
            assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o7777, 0o700);
        }
        fs::write(root.path().join("file"), "").unwrap();
        assert!(make(&root.path().join("file")).is_err());
        assert!(make(&root.path().join("file/below")).is_err());
    }
}

//! Backups: a zip without compression that contains a copy of the journal and
//! the packages that it names, under their paths in the data folder. It may also
//! contain a part of the local store, in `local.jsonl`.

use std::collections::HashSet;
use std::fs::{File, Permissions};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime, ZipArchive};

use super::blob_folder::relative_path;
use super::{BlobHold, BlobSource, Cause, JournalError, SqliteJournal, Storage, folder};
use crate::names::{Digest, DigestBuilder, copy_with_digest};

/// Why a backup was not written, or not restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The target exists.
    #[error("{} already exists, and backups never overwrite a file: choose another name", .0.display())]
    Exists(PathBuf),
    /// The file is not a backup, or was truncated or changed.
    #[error("{} is not a complete backup", path.display())]
    NotABackup {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        cause: Cause,
    },
    /// A file or folder other than the journal's cannot be read or written.
    #[error("cannot use {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        #[source]
        cause: io::Error,
    },
    /// A package cannot be copied.
    #[error(
        "package {digest} is {state}, so the backup would be incomplete: run `skillmirror journal check` to list all damage"
    )]
    Package {
        /// The package.
        digest: Digest,
        /// `missing` or `damaged`.
        state: &'static str,
    },
    /// Another process has the journal open that a restore would replace.
    #[error("a server or another command has the registry in {} open: stop it first", .0.display())]
    InUse(PathBuf),
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl BackupError {
    pub(crate) fn file(path: &Path, cause: impl Into<io::Error>) -> Self {
        Self::File { path: path.to_owned(), cause: cause.into() }
    }

    pub(crate) fn not_a_backup(path: &Path, cause: impl Into<Cause>) -> Self {
        Self::NotABackup { path: path.to_owned(), cause: cause.into() }
    }
}

/// A copy of the journal that goes into a backup. No package is removed while it
/// lives.
#[derive(Debug)]
pub struct Snapshot {
    staging: TempDir,
    target: PathBuf,
    _hold: BlobHold,
}

impl Snapshot {
    /// Copies the journal into a temporary folder beside `target`. Dropping the
    /// snapshot removes the folder.
    pub fn take(storage: &Storage, target: &Path) -> Result<Self, BackupError> {
        if target.symlink_metadata().is_ok() {
            return Err(BackupError::Exists(target.to_owned()));
        }
        // Held before the copy, so that every package that the copy names stays.
        let hold = storage.blobs.hold_blobs()?;
        let staging = tempfile::Builder::new()
            .prefix(".skillmirror-backup-")
            .tempdir_in(folder::parent(target))
            .map_err(|cause| BackupError::file(target, cause))?;
        storage.journal.snapshot(staging.path())?;
        Ok(Self { staging, target: target.to_owned(), _hold: hold })
    }

    /// Opens the copy. Drop it before [`Snapshot::write`].
    pub fn open(&self) -> Result<SqliteJournal, JournalError> {
        SqliteJournal::open(self.staging.path())
    }

    /// Creates the file for the part of the local store that is backed up. Without
    /// it, the backup has no such part.
    pub fn create_local(&self) -> Result<File, BackupError> {
        let path = self.staging.path().join(folder::LOCAL_EXPORT);
        let created = File::options().write(true).create_new(true).mode(0o600).open(&path);
        created.map_err(|cause| BackupError::file(&path, cause))
    }

    #[cfg(test)]
    pub(super) fn staged_journal(&self) -> PathBuf {
        self.staging.path().join(folder::JOURNAL)
    }

    /// Writes the backup with `packages` from `store`. The file appears complete
    /// and durable, is for its owner alone, and replaces no other file.
    pub fn write(self, store: &dyn BlobSource, packages: &[Digest]) -> Result<(), BackupError> {
        let target = &self.target;
        let failed = |cause: io::Error| BackupError::file(target, cause);
        let file = NamedTempFile::new_in(self.staging.path()).map_err(failed)?;
        let mut zip = ZipWriter::new(BufWriter::new(file));
        for name in [folder::JOURNAL, folder::LOCAL_EXPORT] {
            let mut copy = match File::open(self.staging.path().join(name)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound && name != folder::JOURNAL => continue,
                opened => opened.map_err(failed)?,
            };
            let size = copy.metadata().map_err(failed)?.len();
            add(&mut zip, name, size, &mut copy).map_err(failed)?;
        }
        for &digest in packages {
            let mut blob =
                store.open_blob(digest)?.ok_or(BackupError::Package { digest, state: "missing" })?;
            let size = blob.size().map_err(failed)?;
            if add(&mut zip, &relative_path(digest), size, &mut blob).map_err(failed)? != digest {
                return Err(BackupError::Package { digest, state: "damaged" });
            }
        }
        let buffered = zip.finish().map_err(|cause| BackupError::file(target, cause))?;
        let file = buffered.into_inner().map_err(|cause| failed(cause.into()))?;
        file.as_file().sync_all().map_err(failed)?;
        file.persist_noclobber(target).map_err(|refused| match refused.error.kind() {
            io::ErrorKind::AlreadyExists => BackupError::Exists(target.clone()),
            _ => failed(refused.error),
        })?;
        folder::sync(folder::parent(target)).map_err(failed)
    }
}

/// Adds a file to a zip. Returns the digest of its content.
fn add<W: Write + Seek>(
    zip: &mut ZipWriter<W>,
    name: &str,
    size: u64,
    from: &mut impl Read,
) -> io::Result<Digest> {
    zip.start_file(name, options(size))?;
    Ok(copy_with_digest(from, zip)?.0)
}

fn options(size: u64) -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(0o600)
        .large_file(size > u64::from(u32::MAX / 2))
}

/// An entry of the zip is damaged.
const UNREADABLE: &str = "one of its files is damaged";

/// Opens a backup.
pub(super) fn open(path: &Path) -> Result<ZipArchive<BufReader<File>>, BackupError> {
    let file = File::open(path).map_err(|cause| BackupError::file(path, cause))?;
    ZipArchive::new(BufReader::new(file))
        .map_err(|_| BackupError::not_a_backup(path, "it is no zip, or its end is missing"))
}

/// Unpacks the backup `zip`, which is the file `path`, into the empty folder
/// `data`. Writes at most as many bytes as the file has, and compares each blob
/// with the digest in its name.
pub(super) fn unpack(
    mut zip: ZipArchive<BufReader<File>>,
    path: &Path,
    data: &Path,
) -> Result<(), BackupError> {
    let invalid = |cause: Cause| BackupError::not_a_backup(path, cause);
    // Nothing in a backup is compressed. More bytes would come from a bomb, or from
    // entries that share their bytes.
    let mut room = path.metadata().map_err(|cause| BackupError::file(path, cause))?.len();
    let mut made = HashSet::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).map_err(|_| invalid(UNREADABLE.into()))?;
        let name = entry.name().map_err(|_| invalid(UNREADABLE.into()))?.into_owned();
        let digest = name.rsplit('/').next().and_then(|last| last.parse::<Digest>().ok());
        let mode = match digest {
            Some(digest) if name == relative_path(digest) => 0o444,
            None if name == folder::JOURNAL || name == folder::LOCAL_EXPORT => 0o600,
            _ => {
                let why = format!("`{}` is not part of a backup", name.escape_debug());
                return Err(invalid(why.into()));
            }
        };
        if entry.compression() != CompressionMethod::Stored {
            return Err(invalid(
                format!("`{name}` is compressed, and backups store every file as it is").into(),
            ));
        }
        let target = data.join(&name);
        let failed = |cause: io::Error| BackupError::file(&target, cause);
        let parent = folder::parent(&target);
        if made.insert(parent.to_owned()) {
            folder::make(parent).map_err(failed)?;
        }
        let mut file =
            File::options().write(true).create_new(true).mode(mode).open(&target).map_err(failed)?;
        // Set again, because the umask applies to the creation.
        file.set_permissions(Permissions::from_mode(mode)).map_err(failed)?;
        let mut buffer = vec![0; 64 * 1024];
        let mut content = DigestBuilder::default();
        loop {
            let length =
                entry.read(&mut buffer).map_err(|_| invalid(format!("`{name}` is damaged").into()))?;
            if length == 0 {
                break;
            }
            room = room.checked_sub(length as u64).ok_or_else(|| {
                invalid(format!("`{name}` would be unpacked to more bytes than the backup has").into())
            })?;
            content.update(&buffer[..length]);
            file.write_all(&buffer[..length]).map_err(failed)?;
        }
        if digest.is_some_and(|digest| digest != content.finish()) {
            return Err(invalid(format!("`{name}` does not match the digest in its name").into()));
        }
    }
    if data.join(folder::JOURNAL).is_file() { Ok(()) } else { Err(invalid("it has no journal".into())) }
}

#[cfg(test)]
mod tests;

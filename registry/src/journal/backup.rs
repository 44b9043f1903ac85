//! A backup: one zip, nothing in it compressed, with the journal as it was at
//! one moment and the packages that it names, laid out as in a data folder.

use std::collections::HashSet;
use std::fs::{File, Permissions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime, ZipArchive};

use super::blobs::relative_path;
use super::sqlite::layout;
use super::{BlobHold, Journal, JournalError, PublicStore, SqliteJournal, folder};
use crate::names::{Digest, copy_with_digest};

/// Why there is no backup, or none was restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There is a file of that name.
    #[error("{0} exists already, and no backup is overwritten: give another name")]
    Exists(String),
    /// What was given is no backup, or one that was cut off or changed.
    #[error("{0} is no whole backup: {1}")]
    NotABackup(String, String),
    /// A file or folder that is not the journal's fails.
    #[error("{0}: {1}")]
    File(String, String),
    /// A package can't be copied.
    #[error(
        "the package {0} {1}, so this would be no whole backup: `skillmirror journal check` names all that is damaged"
    )]
    Package(Digest, String),
    /// Someone has the journal open that is to be replaced.
    #[error("a server or another command has the registry in {0} open: stop it first")]
    InUse(String),
    /// The journal fails.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl BackupError {
    pub(super) fn file(path: &Path, why: impl ToString) -> Self {
        Self::File(path.display().to_string(), why.to_string())
    }

    fn not_a_backup(path: &Path, why: impl ToString) -> Self {
        Self::NotABackup(path.display().to_string(), why.to_string())
    }
}

/// The journal at one moment, on its way into a backup. None of its packages is
/// removed while it lives.
#[derive(Debug)]
pub struct Snapshot {
    staging: TempDir,
    target: PathBuf,
    _hold: BlobHold,
}

impl Snapshot {
    /// Copies the journal as it is now into a folder beside `target`, which
    /// goes again with this value.
    pub fn take(journal: &SqliteJournal, target: &Path) -> Result<Self, BackupError> {
        if target.symlink_metadata().is_ok() {
            return Err(BackupError::Exists(target.display().to_string()));
        }
        // Before the copy: all that it names is there when it is made.
        let hold = journal.hold_blobs()?;
        let staging = tempfile::Builder::new()
            .prefix(".skillmirror-backup-")
            .tempdir_in(folder_of(target))
            .map_err(|why| BackupError::file(target, why))?;
        journal.snapshot(staging.path())?;
        Ok(Self { staging, target: target.to_owned(), _hold: hold })
    }

    /// Opens the copy, to find out what it names. To be dropped before
    /// [`Snapshot::write`].
    pub fn open(&self) -> Result<SqliteJournal, JournalError> {
        SqliteJournal::open(self.staging.path())
    }

    /// Writes the backup with these packages of `store`. It appears whole,
    /// durably, for its owner alone; never in the place of another file.
    pub fn write(self, store: &dyn PublicStore, packages: &[Digest]) -> Result<(), BackupError> {
        let failed = |why: String| BackupError::file(&self.target, why);
        let file = NamedTempFile::new_in(self.staging.path()).map_err(|why| failed(why.to_string()))?;
        let mut zip = ZipWriter::new(BufWriter::new(file));
        let journal = File::open(self.staging.path().join(layout::FILE)).map_err(JournalError::from)?;
        let size = journal.metadata().map_err(JournalError::from)?.len();
        zip.start_file(layout::FILE, options(size)).map_err(|why| failed(why.to_string()))?;
        io::copy(&mut { journal }, &mut zip).map_err(|why| failed(why.to_string()))?;
        for digest in packages {
            let mut blob = store
                .open_blob(*digest)?
                .ok_or_else(|| BackupError::Package(*digest, "is missing".into()))?;
            zip.start_file(relative_path(*digest), options(blob.size()))
                .map_err(|why| failed(why.to_string()))?;
            let (found, _) = copy_with_digest(&mut blob, &mut zip).map_err(|why| failed(why.to_string()))?;
            if found != *digest {
                return Err(BackupError::Package(*digest, "is damaged".into()));
            }
        }
        let buffered = zip.finish().map_err(|why| failed(why.to_string()))?;
        let file = buffered.into_inner().map_err(|why| failed(why.to_string()))?;
        file.as_file().sync_all().map_err(|why| failed(why.to_string()))?;
        file.persist_noclobber(&self.target).map_err(|refused| match refused.error.kind() {
            io::ErrorKind::AlreadyExists => BackupError::Exists(self.target.display().to_string()),
            _ => failed(refused.error.to_string()),
        })?;
        folder::sync(folder_of(&self.target)).map_err(|why| failed(why.to_string()))
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn options(size: u64) -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(0o600)
        .large_file(size > u64::from(u32::MAX / 2))
}

/// A backup that can be opened.
pub struct BackupFile {
    path: PathBuf,
    zip: ZipArchive<BufReader<File>>,
}

impl BackupFile {
    /// Opens a backup.
    pub fn open(path: &Path) -> Result<Self, BackupError> {
        let file = File::open(path).map_err(|why| BackupError::file(path, why))?;
        let zip =
            ZipArchive::new(BufReader::new(file)).map_err(|why| BackupError::not_a_backup(path, why))?;
        Ok(Self { path: path.to_owned(), zip })
    }

    /// Unpacks it into the empty folder `data`, whence it can be checked.
    pub(super) fn unpack(mut self, data: &Path) -> Result<(), BackupError> {
        let wrong = |why: String| BackupError::NotABackup(self.path.display().to_string(), why);
        let mut made = HashSet::new();
        for index in 0..self.zip.len() {
            let mut entry = self.zip.by_index(index).map_err(|why| wrong(why.to_string()))?;
            let name = entry.name().map_err(|why| wrong(why.to_string()))?.into_owned();
            let digest = name.rsplit('/').next().and_then(|last| last.parse::<Digest>().ok());
            let (path, mode) = match digest {
                Some(digest) if name == relative_path(digest) => (data.join(&name), 0o444),
                None if name == layout::FILE => (data.join(&name), 0o600),
                _ => return Err(wrong(format!("`{}` is none of its files", name.escape_debug()))),
            };
            if let Some(parent) = path.parent().filter(|parent| made.insert(parent.to_path_buf())) {
                folder::make(parent).map_err(|why| BackupError::file(parent, why))?;
            }
            let failed = |why: io::Error| BackupError::file(&path, why);
            let mut file =
                File::options().write(true).create_new(true).mode(mode).open(&path).map_err(failed)?;
            // Once more, because the creation's mode is cut by the umask.
            file.set_permissions(Permissions::from_mode(mode)).map_err(failed)?;
            let mut piece = vec![0; 64 * 1024];
            loop {
                let length = entry.read(&mut piece).map_err(|why| wrong(format!("`{name}`: {why}")))?;
                if length == 0 {
                    break;
                }
                file.write_all(&piece[..length]).map_err(failed)?;
            }
        }
        if data.join(layout::FILE).is_file() { Ok(()) } else { Err(wrong("it has no journal".into())) }
    }
}

#[cfg(test)]
mod tests;

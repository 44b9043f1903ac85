//! Blobs as files that are named by their content: `blobs/ab/<64 hexadecimal
//! digits>`, where `ab` are the first two digits.
//!
//! Two kinds of locks on folders protect them. To put or renew a blob, a process
//! shares the lock of the blob's own folder; to remove one, it takes that lock
//! exclusively. Otherwise a blob could be renewed just after it was found old.
//! Processes that need every blob to stay share the lock of `blobs/`
//! ([`BlobFolder::hold`]), and a removal takes it exclusively.

mod removal;

use std::fs::{DirBuilder, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use parking_lot::Mutex;

use super::staging::{self, StagingDir};
use super::{BlobReader, JournalError, StoredBlob, folder};
use crate::names::Digest;

pub(super) struct BlobFolder {
    data: PathBuf,
    root: PathBuf,
    temporary: PathBuf,
    /// Created by the first write.
    staging: Mutex<Option<StagingDir>>,
    /// Which of the 256 shard folders are known to survive a power loss.
    durable: [AtomicBool; 256],
}

impl BlobFolder {
    /// Opens `<data>/blobs`, or creates it, and removes what killed processes
    /// left. Call it with the data folder's lock held.
    pub(super) fn open(data: &Path) -> Result<Self, JournalError> {
        let root = data.join(folder::BLOBS);
        let temporary = root.join("tmp");
        folder::make(&temporary)?;
        staging::clear(&temporary)?;
        let durable = [const { AtomicBool::new(false) }; 256];
        Ok(Self { data: data.to_owned(), root, temporary, staging: Mutex::default(), durable })
    }

    /// Whether `data` contains any blob.
    pub(super) fn has_any(data: &Path) -> io::Result<bool> {
        let root = data.join(folder::BLOBS);
        if !root.is_dir() {
            return Ok(false);
        }
        for entry in root.read_dir()? {
            let entry = entry?;
            if entry.file_name() != "tmp" && entry.path().read_dir()?.next().is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// See [`super::Journal::put_blob`].
    pub(super) fn put(&self, bytes: &[u8]) -> Result<Digest, JournalError> {
        let digest = Digest::of(bytes);
        let (shard, path) = self.paths(digest);
        let shard = match open_existing(&shard)? {
            Some(shard) => shard,
            None => {
                self.create_shard(&shard, digest)?;
                File::open(&shard)?
            }
        };
        shard.lock_shared()?;
        if !renew(&path, bytes.len() as u64)? {
            self.sync_shard_name(digest)?;
            self.write(&path, bytes)?;
        }
        // An existing blob needs this too: the process that wrote it may have
        // been killed before this step.
        shard.sync_all()?;
        Ok(digest)
    }

    /// See [`super::Journal::renew_blob`].
    pub(super) fn renew(&self, digest: Digest, size: u64) -> Result<bool, JournalError> {
        let (shard, path) = self.paths(digest);
        let Some(shard) = open_existing(&shard)? else { return Ok(false) };
        shard.lock_shared()?;
        Ok(renew(&path, size)?)
    }

    /// See [`super::PublicStore::open_blob`].
    pub(super) fn open_blob(&self, digest: Digest) -> Result<Option<Box<dyn BlobReader>>, JournalError> {
        let file = open_existing(&self.paths(digest).1)?;
        Ok(file.map(|file| Box::new(file) as Box<dyn BlobReader>))
    }

    /// The shard folder and the file of a blob.
    fn paths(&self, digest: Digest) -> (PathBuf, PathBuf) {
        let name = digest.to_string();
        let shard = self.root.join(&name[..2]);
        let path = shard.join(name);
        (shard, path)
    }

    fn create_shard(&self, shard: &Path, digest: Digest) -> io::Result<()> {
        match DirBuilder::new().mode(0o700).create(shard) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            created => {
                created?;
                self.durable[usize::from(digest.as_bytes()[0])].store(false, Ordering::Release);
                Ok(())
            }
        }
    }

    /// Makes the name of a blob's shard folder durable, whichever process created
    /// the folder.
    fn sync_shard_name(&self, digest: Digest) -> io::Result<()> {
        let durable = &self.durable[usize::from(digest.as_bytes()[0])];
        if !durable.load(Ordering::Acquire) {
            folder::sync(&self.root)?;
            durable.store(true, Ordering::Release);
        }
        Ok(())
    }

    /// The folder in which this process writes new blobs.
    fn staging(&self) -> io::Result<PathBuf> {
        let mut staging = self.staging.lock();
        if let Some(existing) = staging.as_ref().filter(|existing| existing.path().is_dir()) {
            return Ok(existing.path().to_owned());
        }
        let created = StagingDir::create(&self.data, &self.temporary)?;
        Ok(staging.insert(created).path().to_owned())
    }

    /// See [`super::Journal::probe_storage`].
    pub(super) fn probe_storage(&self, size: u64) -> io::Result<()> {
        folder::probe_write(&self.staging()?, size)
    }

    /// Writes a file that appears under its name with all bytes on the disk.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let read_only = Permissions::from_mode(0o444);
        let mut file = tempfile::Builder::new()
            .prefix("put-")
            .permissions(read_only.clone())
            .tempfile_in(self.staging()?)?;
        // Set again, because the umask applies to the creation.
        file.as_file().set_permissions(read_only)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|refused| refused.error)?;
        Ok(())
    }
}

/// The path of a blob in its data folder.
pub(super) fn relative_path(digest: Digest) -> String {
    let name = digest.to_string();
    format!("{}/{}/{name}", folder::BLOBS, &name[..2])
}

/// Sets the time of the file at `path` to now, so that garbage collection spares
/// it. Returns false if there is no such file of that size: it must be written
/// then.
fn renew(path: &Path, size: u64) -> io::Result<bool> {
    let Some(file) = open_existing(path)? else { return Ok(false) };
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() != size {
        return Ok(false);
    }
    // The owner may set times through a handle that is open for reading.
    file.set_modified(SystemTime::now())?;
    Ok(true)
}

fn open_existing(path: &Path) -> io::Result<Option<File>> {
    match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        opened => opened.map(Some),
    }
}

impl BlobReader for File {
    fn as_file(&self) -> Option<&File> {
        Some(self)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

#[cfg(test)]
mod tests;

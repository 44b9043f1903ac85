//! Blobs as files named by what they hold: `blobs/ab/<64 hexadecimal digits>`,
//! where `ab` are the first two of the digits.
//!
//! Two locks are taken on folders. Whoever puts or renews a blob shares that of
//! the blob's own folder with others who do, and whoever removes one has it
//! alone: else a blob that is found and renewed could be the one just looked at
//! and found old. The lock of `blobs/` is shared by those who need every blob
//! to stay ([`BlobFolder::hold`]), and had alone by whoever removes any.

mod removal;
mod staging;

use std::fs::{DirBuilder, File, Permissions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use parking_lot::Mutex;

use super::{BlobReader, JournalError, StoredBlob, folder};
use crate::names::Digest;
use staging::StagingDir;

pub(super) struct BlobFolder {
    data: PathBuf,
    root: PathBuf,
    temporary: PathBuf,
    /// Made when something is written for the first time.
    staging: Mutex<Option<StagingDir>>,
    /// Which of the 256 folders below are known to outlive a power loss.
    durable: [AtomicBool; 256],
}

impl BlobFolder {
    /// Opens `<data>/blobs`, making it where it is missing, and clears away
    /// what killed processes have left. To be called with the data folder's
    /// lock held.
    pub(super) fn open(data: &Path) -> Result<Self, JournalError> {
        let root = data.join("blobs");
        let temporary = root.join("tmp");
        folder::make(&temporary)?;
        staging::clear(&temporary)?;
        let durable = [const { AtomicBool::new(false) }; 256];
        Ok(Self { data: data.to_owned(), root, temporary, staging: Mutex::default(), durable })
    }

    /// Whether `data` holds any blob.
    pub(super) fn has_any(data: &Path) -> io::Result<bool> {
        let root = data.join("blobs");
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
        let (shard, path) = self.place(digest);
        let shard = match existing(&shard)? {
            Some(shard) => shard,
            None => {
                self.ensure(&shard, digest)?;
                File::open(&shard)?
            }
        };
        shard.lock_shared()?;
        if !renew(&path, bytes.len() as u64)? {
            self.ensure_durable(digest)?;
            self.write(&path, bytes)?;
        }
        // For an existing blob too: whoever renamed it there may have been
        // killed, or be, just before this step.
        shard.sync_all()?;
        Ok(digest)
    }

    /// See [`super::Journal::renew_blob`].
    pub(super) fn renew(&self, digest: Digest, size: u64) -> Result<bool, JournalError> {
        let (shard, path) = self.place(digest);
        let Some(shard) = existing(&shard)? else { return Ok(false) };
        shard.lock_shared()?;
        Ok(renew(&path, size)?)
    }

    /// See [`super::PublicStore::open_blob`].
    pub(super) fn open_blob(&self, digest: Digest) -> Result<Option<Box<dyn BlobReader>>, JournalError> {
        let Some(file) = existing(&self.place(digest).1)? else { return Ok(None) };
        let size = file.metadata()?.len();
        Ok(Some(Box::new(BlobFile { file, size })))
    }

    /// The folder and the file of a blob.
    fn place(&self, digest: Digest) -> (PathBuf, PathBuf) {
        let name = digest.to_string();
        let shard = self.root.join(&name[..2]);
        let path = shard.join(name);
        (shard, path)
    }

    /// Makes a blob's folder.
    fn ensure(&self, shard: &Path, digest: Digest) -> io::Result<()> {
        match DirBuilder::new().mode(0o700).create(shard) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => {
                made?;
                self.durable[usize::from(digest.as_bytes()[0])].store(false, Ordering::Release);
            }
        }
        Ok(())
    }

    /// Sees to it that the existing folder of a blob outlives a power loss,
    /// whoever has made it.
    fn ensure_durable(&self, digest: Digest) -> io::Result<()> {
        let durable = &self.durable[usize::from(digest.as_bytes()[0])];
        if !durable.load(Ordering::Acquire) {
            folder::sync(&self.root)?;
            durable.store(true, Ordering::Release);
        }
        Ok(())
    }

    /// The folder where this process writes what is to be a blob.
    fn staging(&self) -> io::Result<PathBuf> {
        let mut staging = self.staging.lock();
        if let Some(there) = staging.as_ref().filter(|there| there.path().is_dir()) {
            return Ok(there.path().to_owned());
        }
        let made = StagingDir::make(&self.data, &self.temporary)?;
        let path = made.path().to_owned();
        *staging = Some(made);
        Ok(path)
    }

    /// See [`super::Journal::probe_storage`].
    pub(super) fn probe_storage(&self, size: u64) -> io::Result<()> {
        folder::probe_write(&self.staging()?, size)
    }

    /// Writes a file that appears whole, and with its bytes on the disk.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let read_only = Permissions::from_mode(0o444);
        let mut file = tempfile::Builder::new()
            .prefix("put-")
            .permissions(read_only.clone())
            .tempfile_in(self.staging()?)?;
        // Once more, because the creation's mode is cut by the umask.
        file.as_file().set_permissions(read_only)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|refused| refused.error)?;
        Ok(())
    }
}

/// Where a blob is in its data folder.
pub(super) fn relative_path(digest: Digest) -> String {
    let name = digest.to_string();
    format!("blobs/{}/{name}", &name[..2])
}

/// Sets the time of the file at `path` to the clock's, so that the sweep for
/// unnamed blobs spares it. False where there is no such file or its size is
/// wrong: it has to be written then.
fn renew(path: &Path, size: u64) -> io::Result<bool> {
    let Some(file) = existing(path)? else { return Ok(false) };
    let found = file.metadata()?;
    if !found.is_file() || found.len() != size {
        return Ok(false);
    }
    // The owner may set times through a handle that is only for reading.
    file.set_modified(SystemTime::now())?;
    Ok(true)
}

fn existing(path: &Path) -> io::Result<Option<File>> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

struct BlobFile {
    file: File,
    size: u64,
}

impl Read for BlobFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.file.read(into)
    }
}

impl Seek for BlobFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl BlobReader for BlobFile {
    fn as_file(&self) -> Option<&File> {
        Some(&self.file)
    }

    fn size(&self) -> u64 {
        self.size
    }
}

#[cfg(test)]
mod tests;

//! Blobs as files that are named by their content: `blobs/ab/<64 hexadecimal
//! digits>`, where `ab` are the first two digits.
//!
//! Two kinds of locks on folders protect them. To put or renew a blob, a process
//! shares the lock of the blob's own folder; to remove one, it takes that lock
//! exclusively. Otherwise a blob could be renewed just after it was found old.
//! Processes that need every blob to stay share the lock of `blobs/`
//! ([`Blobs::hold_blobs`]), and a removal takes it exclusively.

mod removal;

use std::fmt;
use std::fs::{DirBuilder, File, Permissions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use parking_lot::Mutex;

use super::lock::JournalLock;
use super::staging::{self, StagingDir};
use super::{BlobHold, BlobReader, BlobSource, Blobs, JournalError, Removal, StoredBlob, folder};
use crate::names::Digest;

/// Up to this size (bytes), two calls of our own are cheaper than the system's copy.
const SMALL: u64 = 32 * 1024;

/// The packages in a data folder. Any number of processes may have it open.
pub struct BlobFolder {
    data: PathBuf,
    root: PathBuf,
    temporary: PathBuf,
    /// Created by the first write.
    staging: Mutex<Option<StagingDir>>,
    /// Which of the 256 shard folders are known to survive a power loss.
    durable: [AtomicBool; 256],
    // Dropped last: until then nobody may replace the files.
    _lock: JournalLock,
}

impl BlobFolder {
    /// Opens the packages in the folder `data`. Creates both if they are missing, for
    /// their owner alone, and removes what killed processes left.
    ///
    /// Errors: the folder cannot be written to, or a backup is being restored into it.
    pub fn open(data: &Path) -> Result<Self, JournalError> {
        folder::make(data).map_err(|error| folder::unusable(data, &error))?;
        let lock = JournalLock::shared(data)?;
        let opening = folder::lock(data)?;
        folder::clear_unfinished(data)?;
        let root = data.join(folder::BLOBS);
        let temporary = root.join("tmp");
        folder::make(&temporary)?;
        staging::clear(&temporary)?;
        drop(opening);
        let durable = [const { AtomicBool::new(false) }; 256];
        let data = data.to_owned();
        Ok(Self { data, root, temporary, staging: Mutex::default(), durable, _lock: lock })
    }

    /// Whether the folder `data` contains any package.
    ///
    /// Errors: the folder cannot be read.
    pub fn has_any(data: &Path) -> io::Result<bool> {
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

    fn put(&self, bytes: &[u8]) -> Result<Digest, JournalError> {
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

impl BlobSource for BlobFolder {
    fn open_blob(&self, digest: Digest) -> Result<Option<Box<dyn BlobReader>>, JournalError> {
        let file = open_existing(&self.paths(digest).1)?;
        Ok(file.map(|file| Box::new(file) as Box<dyn BlobReader>))
    }
}

impl Blobs for BlobFolder {
    fn put_blob(&self, bytes: &[u8]) -> Result<Digest, JournalError> {
        self.put(bytes)
    }

    fn renew_blob(&self, digest: Digest, size: u64) -> Result<bool, JournalError> {
        let (shard, path) = self.paths(digest);
        let Some(shard) = open_existing(&shard)? else { return Ok(false) };
        shard.lock_shared()?;
        Ok(renew(&path, size)?)
    }

    fn probe_storage(&self, size: u64) -> Result<(), JournalError> {
        Ok(folder::probe_write(&self.staging()?, size)?)
    }

    fn visit_blobs(&self, visit: &mut dyn FnMut(StoredBlob)) -> Result<(), JournalError> {
        self.visit(visit)
    }

    fn remove_blobs(&self, min_age: Duration, digests: &[Digest]) -> Result<Removal, JournalError> {
        self.remove(min_age, digests)
    }

    /// Shares the lock of the folder.
    fn hold_blobs(&self) -> Result<BlobHold, JournalError> {
        let root = File::open(&self.root)?;
        root.lock_shared()?;
        Ok(BlobHold::new(root))
    }
}

impl fmt::Debug for BlobFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlobFolder").field("folder", &self.root).finish_non_exhaustive()
    }
}

impl BlobReader for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn copy_to(&mut self, to: &mut File) -> io::Result<()> {
        if BlobReader::size(self)? <= SMALL {
            let mut bytes = Vec::with_capacity(SMALL as usize);
            self.rewind()?;
            self.read_to_end(&mut bytes)?;
            return to.write_all(&bytes);
        }
        self.rewind()?;
        io::copy(self, to).map(drop)
    }
}

#[cfg(test)]
mod tests;

//! Blobs are looked through, and those that nobody names are removed.

use std::fs::TryLockError;

use super::*;
use crate::journal::Removal;

impl BlobFolder {
    /// See [`crate::journal::Journal::visit_blobs`]. Files that are no blobs
    /// are passed over.
    pub(in crate::journal) fn visit(&self, visit: &mut dyn FnMut(StoredBlob)) -> Result<(), JournalError> {
        for shard in self.root.read_dir()? {
            let shard = shard?.path();
            if shard == self.temporary || !shard.is_dir() {
                continue;
            }
            for entry in shard.read_dir()? {
                let entry = entry?;
                let digest = entry.file_name().to_str().and_then(|name| name.parse().ok());
                if let Some(digest) = digest.filter(|digest| self.place(*digest).1 == entry.path())
                    && let Some(blob) = stored(&entry.path(), digest)?
                {
                    visit(blob);
                }
            }
        }
        Ok(())
    }

    /// Keeps others from removing blobs for as long as the handle lives.
    pub(in crate::journal) fn hold(&self) -> io::Result<File> {
        let root = File::open(&self.root)?;
        root.lock_shared()?;
        Ok(root)
    }

    /// Removes those of `digests` that are older than `before`. To be called
    /// while no row can be added that names one.
    pub(in crate::journal) fn remove(
        &self,
        before: SystemTime,
        digests: &[Digest],
    ) -> Result<Removal, JournalError> {
        let root = File::open(&self.root)?;
        if !lock_now(&root)? {
            return Ok(Removal::Held);
        }
        let mut removed = Vec::new();
        for digest in digests {
            let (shard, path) = self.place(*digest);
            let Some(shard) = existing(&shard)? else { continue };
            // A writer's disk is not waited for: the next time will do.
            if !lock_now(&shard)? {
                continue;
            }
            if let Some(blob) = stored(&path, *digest)?.filter(|blob| blob.put_at < before) {
                std::fs::remove_file(&path)?;
                removed.push(blob);
            }
        }
        Ok(Removal::Done(removed))
    }
}

/// What is at `path`; None where there is no such file.
fn stored(path: &Path, digest: Digest) -> io::Result<Option<StoredBlob>> {
    let found = match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found?,
    };
    if !found.is_file() {
        return Ok(None);
    }
    Ok(Some(StoredBlob { digest, size: found.len(), put_at: found.modified()? }))
}

/// Takes the lock of a folder alone; false where another has it.
fn lock_now(folder: &File) -> io::Result<bool> {
    match folder.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

//! Lists and removes blobs.

use super::*;

impl BlobFolder {
    /// See [`Blobs::visit_blobs`]. Skips files that are not blobs.
    pub(super) fn visit(&self, visit: &mut dyn FnMut(StoredBlob)) -> Result<(), JournalError> {
        for shard in self.root.read_dir()? {
            let shard = shard?.path();
            if shard == self.temporary || !shard.is_dir() {
                continue;
            }
            for entry in shard.read_dir()? {
                let entry = entry?;
                let digest = entry.file_name().to_str().and_then(|name| name.parse().ok());
                if let Some(digest) = digest.filter(|digest| self.paths(*digest).1 == entry.path())
                    && let Some(blob) = stored(&entry.path(), digest)?
                {
                    visit(blob);
                }
            }
        }
        Ok(())
    }

    /// See [`Blobs::remove_blobs`].
    pub(super) fn remove(&self, min_age: Duration, digests: &[Digest]) -> Result<Removal, JournalError> {
        let root = File::open(&self.root)?;
        if !folder::try_lock(&root)? {
            return Ok(Removal::Held);
        }
        let mut removed = Vec::new();
        for digest in digests {
            let (shard, path) = self.paths(*digest);
            let Some(shard) = open_existing(&shard)? else { continue };
            // Does not wait for a writer: the next removal gets the blob.
            if !folder::try_lock(&shard)? {
                continue;
            }
            if let Some(blob) = stored(&path, *digest)?.filter(|blob| blob.age >= min_age) {
                std::fs::remove_file(&path)?;
                removed.push(blob);
            }
        }
        Ok(Removal::Done(removed))
    }
}

/// The blob at `path`, or None if there is no such file.
fn stored(path: &Path, digest: Digest) -> io::Result<Option<StoredBlob>> {
    let metadata = match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        metadata => metadata?,
    };
    // A time in the future, before the clock was set back, is that of a new blob.
    let age = SystemTime::now().duration_since(metadata.modified()?).unwrap_or_default();
    Ok(metadata.is_file().then_some(StoredBlob { digest, size: metadata.len(), age }))
}

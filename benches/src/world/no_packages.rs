//! A store that keeps no packages, for worlds of which only the rows are read.

use std::time::Duration;

use registry::journal::{BlobHold, BlobReader, BlobSource, Blobs, JournalError, Removal, StoredBlob};
use registry::names::Digest;

/// Takes every package, and forgets it.
pub(super) struct NoPackages;

impl BlobSource for NoPackages {
    fn open_blob(&self, _: Digest) -> Result<Option<Box<dyn BlobReader>>, JournalError> {
        Ok(None)
    }
}

impl Blobs for NoPackages {
    fn put_blob(&self, bytes: &[u8]) -> Result<Digest, JournalError> {
        Ok(Digest::of(bytes))
    }

    fn renew_blob(&self, _: Digest, _: u64) -> Result<bool, JournalError> {
        Ok(false)
    }

    fn probe_storage(&self, _: u64) -> Result<(), JournalError> {
        Ok(())
    }

    fn visit_blobs(&self, _: &mut dyn FnMut(StoredBlob)) -> Result<(), JournalError> {
        Ok(())
    }

    fn remove_blobs(&self, _: Duration, _: &[Digest]) -> Result<Removal, JournalError> {
        Ok(Removal::Held)
    }

    fn hold_blobs(&self) -> Result<BlobHold, JournalError> {
        Ok(BlobHold::none())
    }
}

//! A journal in memory.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Cursor};
use std::sync::Arc;
use std::time::SystemTime;

use parking_lot::Mutex;

use crate::journal::{
    BlobHold, BlobReader, Epoch, Journal, JournalError, PublicRow, PublicStore, Removal, Revision, Row,
    StoredBlob,
};
use crate::names::Digest;

/// A journal in memory. Clones share one history, as several processes do.
#[derive(Clone)]
pub struct MemoryJournal(Arc<Shared>);

struct Shared {
    epoch: Epoch,
    rows: Mutex<Vec<Row>>,
    blobs: Mutex<HashMap<Digest, MemoryBlob>>,
    /// Each [`BlobHold`] has a clone.
    hold: Arc<()>,
}

struct MemoryBlob {
    bytes: Arc<[u8]>,
    put_at: SystemTime,
}

impl MemoryBlob {
    fn stored(&self, digest: Digest) -> StoredBlob {
        StoredBlob { digest, size: self.bytes.len() as u64, put_at: self.put_at }
    }
}

impl MemoryJournal {
    /// An empty history with a new epoch.
    pub fn new() -> Self {
        // The standard library's hash keys are random and cannot fail. The epoch
        // has to be unique in this process, but not hard to guess.
        let half = || RandomState::new().hash_one("epoch");
        let epoch = format!("{:016x}{:016x}", half(), half());
        Self(Arc::new(Shared {
            epoch,
            rows: Mutex::default(),
            blobs: Mutex::default(),
            hold: Arc::default(),
        }))
    }
}

impl Default for MemoryJournal {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemoryJournal {
    /// Only shows the number of rows, because they contain private data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryJournal").field("head", &self.0.rows.lock().len()).finish_non_exhaustive()
    }
}

/// The number of rows up to and including `after`.
fn skip(after: Revision) -> usize {
    usize::try_from(after).unwrap_or(usize::MAX)
}

fn public(row: &Row) -> Option<PublicRow> {
    row.public.clone()
}

impl PublicStore for MemoryJournal {
    fn epoch(&self) -> Result<Epoch, JournalError> {
        Ok(self.0.epoch.clone())
    }

    fn public_since(&self, after: Revision, limit: usize) -> Result<Vec<PublicRow>, JournalError> {
        Ok(self.0.rows.lock().iter().skip(skip(after)).filter_map(public).take(limit).collect())
    }

    fn public_row(&self, revision: Revision) -> Result<Option<PublicRow>, JournalError> {
        let Some(before) = revision.checked_sub(1) else { return Ok(None) };
        Ok(self.0.rows.lock().get(skip(before)).and_then(public))
    }

    fn open_blob(&self, digest: Digest) -> Result<Option<Box<dyn BlobReader>>, JournalError> {
        let bytes = self.0.blobs.lock().get(&digest).map(|blob| Arc::clone(&blob.bytes));
        Ok(bytes.map(|bytes| Box::new(Cursor::new(bytes)) as Box<dyn BlobReader>))
    }
}

impl Journal for MemoryJournal {
    fn head(&self) -> Result<Revision, JournalError> {
        Ok(self.0.rows.lock().len() as u64)
    }

    fn append(&self, row: &Row) -> Result<(), JournalError> {
        let mut rows = self.0.rows.lock();
        let head = rows.len() as u64;
        let last = rows.last().map(|last| last.at);
        row.check_follows(head, last)?;
        rows.push(row.clone());
        Ok(())
    }

    fn make_durable(&self, _revision: Revision) -> Result<(), JournalError> {
        Ok(())
    }

    fn since(&self, after: Revision, limit: usize) -> Result<Vec<Row>, JournalError> {
        Ok(self.0.rows.lock().iter().skip(skip(after)).take(limit).cloned().collect())
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<Digest, JournalError> {
        let digest = Digest::of(bytes);
        let put_at = SystemTime::now();
        let mut blobs = self.0.blobs.lock();
        blobs.entry(digest).or_insert_with(|| MemoryBlob { bytes: bytes.into(), put_at }).put_at = put_at;
        Ok(digest)
    }

    fn probe_storage(&self, _size: u64) -> Result<(), JournalError> {
        Ok(())
    }

    fn renew_blob(&self, digest: Digest, size: u64) -> Result<bool, JournalError> {
        let mut blobs = self.0.blobs.lock();
        let blob = blobs.get_mut(&digest).filter(|blob| blob.bytes.len() as u64 == size);
        Ok(blob.map(|blob| blob.put_at = SystemTime::now()).is_some())
    }

    fn visit_blobs(&self, visit: &mut dyn FnMut(StoredBlob)) -> Result<(), JournalError> {
        // Collects first, so that `visit` may use the journal.
        let seen: Vec<_> = self.0.blobs.lock().iter().map(|(digest, blob)| blob.stored(*digest)).collect();
        seen.into_iter().for_each(visit);
        Ok(())
    }

    fn remove_blobs(
        &self,
        head: Revision,
        before: SystemTime,
        digests: &[Digest],
    ) -> Result<Removal, JournalError> {
        let rows = self.0.rows.lock();
        let found = rows.len() as u64;
        if found != head {
            return Err(JournalError::Conflict { head: found });
        }
        let mut blobs = self.0.blobs.lock();
        if Arc::strong_count(&self.0.hold) > 1 {
            return Ok(Removal::Held);
        }
        let mut removed = Vec::new();
        for digest in digests {
            let old = blobs.get(digest).filter(|blob| blob.put_at < before).map(|blob| blob.stored(*digest));
            if let Some(stored) = old {
                blobs.remove(digest);
                removed.push(stored);
            }
        }
        Ok(Removal::Done(removed))
    }

    fn hold_blobs(&self) -> Result<BlobHold, JournalError> {
        // The lock orders this before or after a removal.
        let _blobs = self.0.blobs.lock();
        Ok(BlobHold(Box::new(Arc::clone(&self.0.hold))))
    }
}

impl BlobReader for Cursor<Arc<[u8]>> {
    fn as_file(&self) -> Option<&File> {
        None
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.get_ref().len() as u64)
    }
}

//! A journal in memory.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Cursor, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::journal::{
    BlobHold, BlobReader, BlobSource, Blobs, Epoch, Journal, JournalError, PublicRow, PublicRows, Removal,
    Revision, Row, StoredBlob, chain, check_copy,
};
use crate::names::Digest;

/// A journal in memory. Clones share one history, as several processes do.
#[derive(Clone)]
pub struct MemoryJournal(Arc<Shared>);

struct Shared {
    epoch: Mutex<Epoch>,
    rows: Mutex<Vec<Row>>,
    is_copy: AtomicBool,
    blobs: Mutex<HashMap<Digest, MemoryBlob>>,
    /// Each [`BlobHold`] has a clone.
    hold: Arc<()>,
}

struct MemoryBlob {
    bytes: Arc<[u8]>,
    put_at: Instant,
}

impl MemoryBlob {
    fn stored(&self, digest: Digest) -> StoredBlob {
        StoredBlob { digest, size: self.bytes.len() as u64, age: self.put_at.elapsed() }
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
            epoch: Mutex::new(epoch),
            rows: Mutex::default(),
            is_copy: AtomicBool::new(false),
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

/// The number of rows up to and including `after`. A copy may skip numbers.
fn skip(rows: &[Row], after: Revision) -> usize {
    rows.partition_point(|row| row.revision <= after)
}

fn head(rows: &[Row]) -> Revision {
    rows.last().map_or(0, |last| last.revision)
}

fn public(row: &Row) -> Option<PublicRow> {
    row.public.clone()
}

impl PublicRows for MemoryJournal {
    fn epoch(&self) -> Result<Epoch, JournalError> {
        Ok(self.0.epoch.lock().clone())
    }

    fn public_since(&self, after: Revision, limit: usize) -> Result<Vec<PublicRow>, JournalError> {
        let rows = self.0.rows.lock();
        Ok(rows[skip(&rows, after)..].iter().filter_map(public).take(limit).collect())
    }

    fn public_row(&self, revision: Revision) -> Result<Option<PublicRow>, JournalError> {
        let rows = self.0.rows.lock();
        Ok(rows.iter().find(|row| row.revision == revision).and_then(public))
    }
}

impl BlobSource for MemoryJournal {
    fn open_blob(&self, digest: Digest) -> Result<Option<Box<dyn BlobReader>>, JournalError> {
        let bytes = self.0.blobs.lock().get(&digest).map(|blob| Arc::clone(&blob.bytes));
        Ok(bytes.map(|bytes| Box::new(Cursor::new(bytes)) as Box<dyn BlobReader>))
    }
}

impl Journal for MemoryJournal {
    fn head(&self) -> Result<Revision, JournalError> {
        Ok(head(&self.0.rows.lock()))
    }

    fn append(&self, row: &Row) -> Result<(), JournalError> {
        let mut rows = self.0.rows.lock();
        row.check_follows(head(&rows), rows.last().map(|last| last.at))?;
        rows.push(row.clone());
        Ok(())
    }

    fn make_durable(&self, _revision: Revision) -> Result<(), JournalError> {
        Ok(())
    }

    fn since(&self, after: Revision, limit: usize) -> Result<Vec<Row>, JournalError> {
        let rows = self.0.rows.lock();
        Ok(rows[skip(&rows, after)..].iter().take(limit).cloned().collect())
    }

    fn freeze(
        &self,
        at: Revision,
        work: &mut (dyn FnMut() -> Result<(), JournalError> + Send),
    ) -> Result<(), JournalError> {
        let rows = self.0.rows.lock();
        if head(&rows) != at {
            return Err(JournalError::Conflict { head: head(&rows) });
        }
        work()
    }

    fn check_appendable(&self) -> Result<(), JournalError> {
        Ok(())
    }

    fn link_at(&self, revision: Revision) -> Result<Option<Digest>, JournalError> {
        let rows = self.0.rows.lock();
        if !rows.iter().any(|row| row.revision == revision) {
            return Ok(None);
        }
        let before = rows.iter().take_while(|row| row.revision <= revision);
        Ok(Some(before.fold(chain::root(), chain::link)))
    }

    fn copy_rows(&self, epoch: &str, after: Revision, copied: &[Row]) -> Result<(), JournalError> {
        let mut rows = self.0.rows.lock();
        let mut known = self.0.epoch.lock();
        check_copy(epoch, &known, head(&rows), self.0.is_copy.load(Ordering::Relaxed))?;
        if head(&rows) != after {
            return Err(JournalError::Conflict { head: head(&rows) });
        }
        let mut all = rows.clone();
        for row in copied {
            row.check_copied(head(&all), all.last().map(|last| last.at))?;
            all.push(row.clone());
        }
        (*rows, *known) = (all, epoch.to_owned());
        self.0.is_copy.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn is_unfinished_copy(&self) -> Result<bool, JournalError> {
        Ok(self.0.is_copy.load(Ordering::Relaxed))
    }

    fn finish_copy(&self) -> Result<(), JournalError> {
        self.0.is_copy.store(false, Ordering::Relaxed);
        Ok(())
    }
}

impl Blobs for MemoryJournal {
    fn put_blob(&self, bytes: &[u8]) -> Result<Digest, JournalError> {
        let digest = Digest::of(bytes);
        let put_at = Instant::now();
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
        Ok(blob.map(|blob| blob.put_at = Instant::now()).is_some())
    }

    fn visit_blobs(&self, visit: &mut dyn FnMut(StoredBlob)) -> Result<(), JournalError> {
        // Collects first, so that `visit` may use the journal.
        let seen: Vec<_> = self.0.blobs.lock().iter().map(|(digest, blob)| blob.stored(*digest)).collect();
        seen.into_iter().for_each(visit);
        Ok(())
    }

    fn remove_blobs(&self, min_age: Duration, digests: &[Digest]) -> Result<Removal, JournalError> {
        let mut blobs = self.0.blobs.lock();
        if Arc::strong_count(&self.0.hold) > 1 {
            return Ok(Removal::Held);
        }
        let mut removed = Vec::new();
        for digest in digests {
            let stored = blobs.get(digest).map(|blob| blob.stored(*digest));
            if let Some(stored) = stored.filter(|stored| stored.age >= min_age) {
                blobs.remove(digest);
                removed.push(stored);
            }
        }
        Ok(Removal::Done(removed))
    }

    fn hold_blobs(&self) -> Result<BlobHold, JournalError> {
        // The lock orders this before or after a removal.
        let _blobs = self.0.blobs.lock();
        Ok(BlobHold::new(Arc::clone(&self.0.hold)))
    }
}

impl BlobReader for Cursor<Arc<[u8]>> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.get_ref().len() as u64)
    }

    fn copy_to(&mut self, to: &mut File) -> io::Result<()> {
        to.write_all(self.get_ref())
    }
}

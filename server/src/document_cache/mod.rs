//! Documents in memory, kept right by the thread that writes the tree.
//!
//! An entry is found by a request's target as it was sent: the two spellings
//! that clients use (the address and the file's path) are two keys. A reader
//! that misses takes the right to fill a key *before* it opens the file; the
//! writer, told of each document after its files are in their places, replaces
//! what is there and takes that right from whoever is still reading. So nothing
//! stale can stay.
//!
//! All that holds only while this process has the tree's lock: otherwise
//! nothing is kept and nothing found.

mod entry;

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use generator::address::Document;
use generator::tree::{TreeObserver, Written};
use quick_cache::sync::{Cache, GuardResult};

use self::entry::{Entry, Weights};
use crate::representation::{Content, Prepared};

/// What an entry takes on average, for the first size of the table.
const TYPICAL_WEIGHT: u64 = 8 * 1024;

/// The documents in memory.
#[derive(Debug)]
pub struct DocumentCache {
    entries: Option<Cache<String, Entry, Weights>>,
    /// Entries of an earlier one are not used. 0: none is.
    generation: AtomicU64,
    /// Whether the tree's documents may have compressed forms.
    has_siblings: bool,
    /// The last one that there was.
    last: AtomicU64,
}

impl DocumentCache {
    /// A cache of about `bytes` bytes; 0 caches nothing. `has_siblings` says
    /// whether the tree has compressed siblings of documents.
    pub fn new(bytes: u64, has_siblings: bool) -> Self {
        let entries = NonZeroU64::new(bytes).map(|bytes| {
            let slots = usize::try_from(bytes.get() / TYPICAL_WEIGHT).unwrap_or(usize::MAX).max(16);
            Cache::with_weighter(slots, bytes.get(), Weights)
        });
        Self { entries, generation: AtomicU64::new(0), has_siblings, last: AtomicU64::new(0) }
    }

    /// From now on this process writes the tree, and tells of all that it does.
    pub fn open(&self) {
        self.generation.store(self.last.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
    }

    /// From now on another process may write the tree.
    pub fn close(&self) {
        self.generation.store(0, Ordering::SeqCst);
        self.clear();
    }

    /// The document that is known by a request's target.
    pub fn find(&self, target: &str) -> Option<Arc<Prepared>> {
        let generation = self.current()?;
        let entry = self.entries.as_ref()?.get(target)?;
        (entry.generation == generation).then_some(entry.document)
    }

    /// The document that is known by a key, else what `read` makes of its files,
    /// which is kept unless they were changed meanwhile.
    pub fn find_or<E>(
        &self,
        key: &str,
        read: impl FnOnce() -> Result<Option<Arc<Prepared>>, E>,
    ) -> Result<Option<Arc<Prepared>>, E> {
        let (Some(cache), Some(generation)) = (&self.entries, self.current()) else { return read() };
        if let Some(entry) = cache.get(key).filter(|entry| entry.generation != generation) {
            cache.remove_if(key, |found| found.generation == entry.generation);
        }
        match cache.get_value_or_guard(key, Some(Duration::ZERO)) {
            GuardResult::Value(entry) if entry.generation == generation => Ok(Some(entry.document)),
            GuardResult::Guard(guard) => {
                let document = read()?;
                if let Some(document) = &document {
                    // Refused where the files were changed meanwhile.
                    let _ = guard.insert(Entry { generation, document: Arc::clone(document) });
                }
                Ok(document)
            }
            // Someone else reads it just now; it is there for the next one.
            GuardResult::Value(_) | GuardResult::Timeout => read(),
        }
    }

    fn current(&self) -> Option<u64> {
        Some(self.generation.load(Ordering::SeqCst)).filter(|generation| *generation > 0)
    }

    fn clear(&self) {
        self.entries.iter().for_each(Cache::clear);
    }
}

/// The targets by which a document is known. (No request has an empty one.)
pub fn keys(document: &Document) -> [String; 2] {
    [document.request(), document.file().map(|file| format!("/{file}")).unwrap_or_default()]
}

impl TreeObserver for DocumentCache {
    fn replaced(&self, document: &Document, written: Written<'_>) {
        let (Some(cache), Some(generation)) = (&self.entries, self.current()) else { return };
        let mut made = None;
        for key in keys(document) {
            if !cache.contains_key(&key) {
                // Someone may be reading the files as they were.
                cache.remove(&key);
                continue;
            }
            let document = made.get_or_insert_with(|| {
                let content = Content {
                    bytes: Bytes::copy_from_slice(written.bytes),
                    gzip: written.gzip.map(Bytes::copy_from_slice),
                    modified: Some(written.modified),
                };
                Arc::new(Prepared::new(document, content, self.has_siblings))
            });
            cache.insert(key, Entry { generation, document: Arc::clone(document) });
        }
    }

    fn removed(&self, document: &Document) {
        for (key, cache) in keys(document).iter().zip(self.entries.iter().cycle()) {
            cache.remove(key);
        }
    }

    fn invalidated(&self) {
        if self.current().is_some() {
            self.open();
        }
        self.clear();
    }
}

#[cfg(test)]
mod tests;

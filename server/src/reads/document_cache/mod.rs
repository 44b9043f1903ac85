//! Documents in memory, kept up to date by the thread that writes the tree.
//!
//! The key of an entry is the target of a request as it was sent. Clients use two
//! spellings, the address and the path of the file, so a document may have two
//! entries. A reader that misses takes the right to fill a key *before* it opens the
//! file. The writer calls the cache after the files of a document are in place: it
//! replaces the entry and revokes that right. So no outdated entry can stay.
//!
//! This holds only while this process has the lock of the tree. Without it the cache
//! stores and finds nothing.
//!
//! Lists are written later than the documents of a skill. Until then the tree is behind, and
//! lists are neither stored nor found: the server renders them from the catalog.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use generator::address::Document;
use generator::tree::{TreeObserver, Written};
use quick_cache::Weighter;
use quick_cache::sync::{Cache, GuardResult};

use crate::reads::representation::{Content, Prepared};

/// The average weight of an entry, for the initial size of the table.
const TYPICAL_WEIGHT: u64 = 8 * 1024;

/// A cache of documents.
#[derive(Debug)]
pub struct DocumentCache {
    entries: Option<Cache<String, Entry, Weights>>,
    /// Entries of earlier generations are not used. 0 while the cache is closed.
    generation: AtomicU64,
    /// Whether documents are sent compressed.
    compresses: bool,
    /// The last generation.
    last: AtomicU64,
    /// Whether the lists in the tree lack an answered write.
    is_behind: AtomicBool,
}

impl DocumentCache {
    /// A cache of about `bytes` bytes; 0 caches nothing. `compresses` says
    /// whether documents are sent compressed.
    pub fn new(bytes: u64, compresses: bool) -> Self {
        let entries = NonZeroU64::new(bytes).map(|bytes| {
            let slots = usize::try_from(bytes.get() / TYPICAL_WEIGHT).unwrap_or(usize::MAX).max(16);
            Cache::with_weighter(slots, bytes.get(), Weights)
        });
        let (generation, last) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { entries, generation, compresses, last, is_behind: AtomicBool::new(false) }
    }

    /// Starts caching: this process has the lock of the tree.
    pub fn open(&self) {
        self.generation.store(self.last.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
    }

    /// Stops caching: another process may write the tree.
    pub fn close(&self) {
        self.generation.store(0, Ordering::SeqCst);
        self.clear();
    }

    /// The document for the target of a request.
    pub fn find(&self, target: &str) -> Option<Arc<Prepared>> {
        let generation = self.current()?;
        let entry = self.entries.as_ref()?.get(target)?;
        let is_current = entry.generation == generation && !(entry.may_lag && self.is_behind());
        is_current.then_some(entry.document)
    }

    /// Whether the tree's file of a document may lack an answered write.
    pub fn is_behind(&self) -> bool {
        self.is_behind.load(Ordering::SeqCst)
    }

    /// Notes whether the lists in the tree lack an answered write, before it is answered.
    pub fn set_behind(&self, is_behind: bool) {
        self.is_behind.store(is_behind, Ordering::SeqCst);
    }

    /// The document for a key, or else what `read` makes of its files. Caches it
    /// unless the files change in the meantime.
    pub fn find_or<E>(
        &self,
        document: &Document,
        key: &str,
        read: impl FnOnce() -> Result<Option<Arc<Prepared>>, E>,
    ) -> Result<Option<Arc<Prepared>>, E> {
        let (Some(cache), Some(generation)) = (&self.entries, self.current()) else { return read() };
        if let Some(entry) = cache.get(key).filter(|entry| entry.generation != generation) {
            cache.remove_if(key, |found| found.generation == entry.generation);
        }
        let may_lag = document.may_lag();
        match cache.get_value_or_guard(key, Some(Duration::ZERO)) {
            GuardResult::Value(entry) if entry.generation == generation => Ok(Some(entry.document)),
            GuardResult::Guard(guard) => {
                let document = read()?;
                if let Some(document) = &document {
                    // Refused if the files have changed in the meantime.
                    let document = Arc::clone(document);
                    let _ = guard.insert(Entry { generation, may_lag, document });
                }
                Ok(document)
            }
            // Another reader is filling the key.
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

/// A document, and the generation that it belongs to.
#[derive(Debug, Clone)]
struct Entry {
    generation: u64,
    may_lag: bool,
    document: Arc<Prepared>,
}

/// Weighs entries in bytes of memory. A document under both of its keys counts twice.
#[derive(Debug, Clone)]
struct Weights;

impl Weighter<String, Entry> for Weights {
    fn weight(&self, key: &String, entry: &Entry) -> u64 {
        key.len() as u64 + entry.document.weight()
    }
}

/// The keys of a document. The second is empty, and so never found, for a document
/// without a file.
pub fn keys(document: &Document) -> [String; 2] {
    [document.request(), document.file().map(|file| format!("/{file}")).unwrap_or_default()]
}

impl TreeObserver for DocumentCache {
    fn replaced(&self, document: &Document, written: Written<'_>) {
        let (Some(cache), Some(generation)) = (&self.entries, self.current()) else { return };
        // A document without a sibling is compressed by its next reader.
        let is_compressed = !self.compresses || written.gzip.is_some();
        let is_complete = is_compressed || !document.is_worth_compressing(written.bytes.len() as u64);
        let mut prepared = None;
        for key in keys(document) {
            if !is_complete || !cache.contains_key(&key) {
                // Revokes the right of a reader that may have opened the old files.
                cache.remove(&key);
                continue;
            }
            let prepared = prepared.get_or_insert_with(|| {
                let content = Content {
                    bytes: Bytes::copy_from_slice(written.bytes),
                    gzip: written.gzip.map(Bytes::copy_from_slice),
                    modified: Some(written.modified),
                };
                Arc::new(Prepared::new(document, content, self.compresses))
            });
            let (may_lag, document) = (document.may_lag(), Arc::clone(prepared));
            cache.insert(key, Entry { generation, may_lag, document });
        }
    }

    /// Packages are not cached.
    fn stored(&self, _: &Document) {}

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

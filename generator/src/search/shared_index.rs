//! The index of a catalog, shared by all its readers.

use std::sync::Arc;

use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use registry::public::PublicCatalog;

use super::builder::IndexChanges;
use super::{Index, StaleAnswers};

/// An index that catches up with its catalog before each read. Lock the catalog first.
#[derive(Default)]
pub struct SharedIndex(RwLock<Index>);

impl SharedIndex {
    /// An empty index, with the answers to at most `max_words` words precomputed.
    pub fn new(max_words: u64) -> Self {
        Self(RwLock::new(Index::new(max_words)))
    }

    /// Largest number of words with precomputed answers.
    pub(crate) fn max_words(&self) -> u64 {
        self.0.read().max_words()
    }

    /// Whether it was ever built, for any state of the catalog.
    pub fn is_built(&self) -> bool {
        self.0.read().is_built()
    }

    /// Takes the list of precomputed answers that may be stale since the last call.
    pub fn take_stale(&self, catalog: &PublicCatalog) -> StaleAnswers {
        drop(self.current(catalog));
        self.0.write().take_stale()
    }

    /// Reads the changes of a catalog. [`PendingIndex`] writes its files, which takes longer and does not
    /// need the catalog. Others that read the index wait for that.
    pub(crate) fn follow(&self, catalog: &PublicCatalog) -> PendingIndex<'_> {
        let mut index = self.0.write();
        let changes =
            if index.is_current(catalog) { IndexChanges::default() } else { index.read_changes(catalog) };
        PendingIndex { index, changes, next: Some(Arc::default()) }
    }

    /// The index as it is, which may be older or newer than a catalog.
    pub(crate) fn as_it_is(&self) -> RwLockReadGuard<'_, Index> {
        self.0.read()
    }

    /// The index of the catalog's current state. The first call builds it, which takes about a
    /// second for every hundred thousand skills.
    pub fn current(&self, catalog: &PublicCatalog) -> RwLockReadGuard<'_, Index> {
        let index = self.0.read();
        if index.is_current(catalog) {
            return index;
        }
        drop(index);
        let mut index = self.0.write();
        index.catch_up(catalog);
        RwLockWriteGuard::downgrade(index)
    }
}

/// An index whose files do not show its skills yet. It must be finished: nobody else writes them.
pub(crate) struct PendingIndex<'a> {
    index: RwLockWriteGuard<'a, Index>,
    changes: IndexChanges,
    /// The first group that may have to be written. `None`: all files are written.
    next: Option<Arc<[u8]>>,
}

impl<'a> PendingIndex<'a> {
    /// Writes the next few files again. Returns whether more are left.
    pub(crate) fn write_next(&mut self) -> bool {
        if let Some(from) = self.next.take() {
            self.next = self.index.write_next(&self.changes, &from);
        }
        self.next.is_some()
    }

    /// Writes what is left. Returns also which precomputed answers may be stale since they were last taken.
    pub(crate) fn finish(mut self) -> (RwLockReadGuard<'a, Index>, StaleAnswers) {
        while self.write_next() {}
        let stale = self.index.take_stale();
        (RwLockWriteGuard::downgrade(self.index), stale)
    }
}

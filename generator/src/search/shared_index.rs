//! The index of a catalog, shared by all its readers.

use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use registry::public::PublicCatalog;

use super::build::IndexChanges;
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

    /// Reads the changes of a catalog. Its files are written by [`PendingIndex::finish`], which
    /// takes longer and does not need the catalog. Others that read the index wait for that.
    pub(crate) fn follow(&self, catalog: &PublicCatalog) -> PendingIndex<'_> {
        let mut index = self.0.write();
        let changes =
            if index.is_current(catalog) { IndexChanges::default() } else { index.read_changes(catalog) };
        PendingIndex { index, changes }
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

/// An index whose files do not show its skills yet.
pub(crate) struct PendingIndex<'a> {
    index: RwLockWriteGuard<'a, Index>,
    changes: IndexChanges,
}

impl<'a> PendingIndex<'a> {
    /// Writes the files again. Calls `between` after every few. Returns also which precomputed
    /// answers may be stale since they were last taken.
    pub(crate) fn finish(mut self, between: &mut dyn FnMut()) -> (RwLockReadGuard<'a, Index>, StaleAnswers) {
        self.index.write_changed(&self.changes, between);
        let stale = self.index.take_stale();
        (RwLockWriteGuard::downgrade(self.index), stale)
    }
}

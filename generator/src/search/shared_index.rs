//! The index of a catalog, shared by all its readers.

use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use registry::public::PublicCatalog;

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

    /// Brings the index up to a catalog. The catalog is locked only while its changes are read, not
    /// while pieces are written again. Others that lock the catalog first may wait for this.
    pub(crate) fn follow(&self, catalog: &RwLock<PublicCatalog>) {
        let catalog = catalog.read();
        if self.0.read().is_current(&catalog) {
            return;
        }
        let mut index = self.0.write();
        let changes = index.read_changes(&catalog);
        drop(catalog);
        index.write_changed(&changes);
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

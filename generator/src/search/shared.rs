//! The one index of a catalog, for all who read it.

use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use registry::public::PublicCatalog;

use super::{Index, Stale};

/// An index that follows a catalog: whoever asks for it gets it as it is for the
/// catalog's state. The catalog's lock comes before this one's.
#[derive(Default)]
pub struct Shared {
    index: RwLock<Index>,
    words: u64,
}

impl Shared {
    /// One of nothing yet. `words` says how many words at most are queries whose
    /// answers are files of their own; with 0 there are no such files.
    pub fn new(words: u64) -> Self {
        Self { index: RwLock::new(Index::new(words)), words }
    }

    /// How many words it was made for.
    pub(crate) fn words(&self) -> u64 {
        self.words
    }

    /// Whether it has been made for a catalog, be it an older state of it.
    pub fn is_made(&self) -> bool {
        self.index.read().is_made()
    }

    /// What has become stale among those files since it was last asked, with the
    /// catalog's changes up to now.
    pub fn take_stale(&self, catalog: &PublicCatalog) -> Stale {
        drop(self.of(catalog));
        self.index.write().take_stale()
    }

    /// The index of a catalog's live skills, brought up to its state. The first
    /// time for a catalog all of it is made, which takes a second for every
    /// hundred thousand skills.
    pub fn of(&self, catalog: &PublicCatalog) -> RwLockReadGuard<'_, Index> {
        let index = self.index.read();
        if index.is_of(catalog) {
            return index;
        }
        drop(index);
        let mut index = self.index.write();
        index.catch_up(catalog);
        RwLockWriteGuard::downgrade(index)
    }
}

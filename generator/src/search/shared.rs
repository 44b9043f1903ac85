//! The one index of a catalog, for all who read it.

use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use registry::public::PublicCatalog;

use super::Index;

/// An index that follows a catalog: whoever asks for it gets it as it is for the
/// catalog's state. The catalog's lock comes before this one's.
#[derive(Default)]
pub struct Shared(RwLock<Index>);

impl Shared {
    /// The index of a catalog's live skills, brought up to its state. The first
    /// time for a catalog all of it is made, which takes a second for every
    /// hundred thousand skills.
    pub fn of(&self, catalog: &PublicCatalog) -> RwLockReadGuard<'_, Index> {
        let index = self.0.read();
        if index.is_of(catalog) {
            return index;
        }
        drop(index);
        let mut index = self.0.write();
        index.catch_up(catalog);
        RwLockWriteGuard::downgrade(index)
    }
}

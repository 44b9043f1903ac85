//! A registry: its journal, and the state computed from it.

mod commit;
mod counters;
mod following;

use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::{Mutex, RwLock};

use crate::access::{Actor, AuthError, Credential, authenticate};
use crate::catalog::Catalog;
use crate::disk_health::{DiskHealth, Part};
use crate::journal::{Blobs, Journal, JournalError, PublicStore, Storage};
use crate::live_counters::LiveCounters;
use crate::names::Digest;
use crate::private::{PrivateCatalog, PrivateChange};
use crate::public::PublicCatalog;
use crate::replay::{Decoded, Position, Replayed};
use crate::time::Timestamp;

pub use commit::{Caller, CommitError, Committed};

/// The state of one registry, kept up to date with its journal.
///
/// Locks are taken in the order `position`, `private`, `public`,
/// `live_counters`.
pub struct Registry {
    storage: Storage,
    public: Arc<RwLock<PublicCatalog>>,
    private: RwLock<PrivateCatalog>,
    /// The last row that both catalogs contain. It is locked while they change.
    position: Mutex<Position>,
    /// Its number, for those who must not wait for a writer.
    applied: AtomicU64,
    pub(crate) disk_health: DiskHealth,
    live_counters: Mutex<LiveCounters>,
}

impl Registry {
    /// Computes the state from the journal.
    ///
    /// Errors: the storage fails, or a row cannot be decoded (the error names it).
    pub fn open(storage: impl Into<Storage>) -> Result<Self, JournalError> {
        let storage = storage.into();
        let Replayed { public, private, position } = Replayed::from_journal(&*storage.journal)?;
        let with_opinions: Vec<_> = private.stars_and_ratings.skills().collect();
        let registry = Self {
            public: Arc::new(RwLock::new(public)),
            private: RwLock::new(private),
            applied: AtomicU64::new(position.revision),
            position: Mutex::new(position),
            disk_health: DiskHealth::default(),
            live_counters: Mutex::default(),
            storage,
        };
        registry.queue_counters(&with_opinions);
        Ok(registry)
    }

    /// The public half of the state, shared with the publisher.
    pub fn public(&self) -> Arc<RwLock<PublicCatalog>> {
        Arc::clone(&self.public)
    }

    /// The public half of the journal, and the packages.
    pub fn store(&self) -> Arc<dyn PublicStore> {
        Arc::new(self.storage.clone())
    }

    /// Calls `wake` after each append of another process: see [`Journal::on_append`].
    pub fn on_append(&self, wake: Arc<dyn Fn() + Send + Sync>) {
        self.journal().on_append(wake);
    }

    /// The journal, for everything but appending rows.
    pub(crate) fn journal(&self) -> &dyn Journal {
        &*self.storage.journal
    }

    /// The packages.
    pub(crate) fn blobs(&self) -> &dyn Blobs {
        &*self.storage.blobs
    }

    /// Reads a stored package. None if it is not stored.
    pub fn read_blob(&self, digest: Digest) -> Result<Option<Vec<u8>>, JournalError> {
        let Some(mut blob) = self.blobs().open_blob(digest)? else { return Ok(None) };
        let mut bytes = Vec::new();
        blob.read_to_end(&mut bytes).map_err(|why| JournalError::Storage(why.into()))?;
        Ok(Some(bytes))
    }

    /// Stores a package durably, before a row names it.
    pub fn put_blob(&self, bytes: &[u8]) -> Result<Digest, JournalError> {
        self.disk_health.record(Part::Packages, bytes.len() as u64, self.blobs().put_blob(bytes))
    }

    /// Whether the disk took the last writes that were as large as one it refused.
    pub fn is_writable(&self) -> bool {
        self.disk_health.refused() == 0
    }

    /// Records that a write was refused because its count could not be stored, beside the journal.
    /// [`Self::probe_storage`] finds out when that ends.
    pub fn note_refused_write(&self) {
        self.disk_health.record_refused(Part::Journal, 0);
    }

    /// The store that refuses writes, in words that everyone may read.
    pub fn refusing_store(&self) -> &'static str {
        match self.disk_health.refuser() {
            Part::Journal => self.journal().place(),
            Part::Packages => self.blobs().place(),
        }
    }

    /// If the disk has refused a write, probes whether it takes one of that size
    /// now. Keeps none of the probe's bytes.
    ///
    /// Errors: the disk still refuses.
    pub fn probe_storage(&self) -> Result<(), JournalError> {
        match self.disk_health.refused() {
            0 => Ok(()),
            size => {
                if let Err(why) = self.journal().check_appendable() {
                    return self.disk_health.record(Part::Journal, size, Err(why));
                }
                self.disk_health.record(Part::Packages, size, self.blobs().probe_storage(size))
            }
        }
    }

    /// Calls `look` with the state under read locks. `look` must not call this
    /// method again.
    pub fn read<R>(&self, look: impl FnOnce(Catalog<'_>) -> R) -> R {
        let private = self.private.read();
        let public = self.public.read();
        look(Catalog { public: &public, private: &private })
    }

    /// Finds out who presents a credential.
    pub fn authenticate(&self, credential: &Credential) -> Result<Actor, AuthError> {
        self.read(|catalog| authenticate(catalog, credential, Timestamp::now()))
    }

    fn apply(&self, position: &mut Position, row: Decoded) {
        let counted: Vec<_> = row.private.changes.iter().filter_map(PrivateChange::counted_skill).collect();
        let mut private = self.private.write();
        private.apply(row.position.revision, row.position.at, row.private);
        if let Some((row, decoded)) = row.public {
            self.public.write().apply(&row, decoded);
        }
        drop(private);
        self.queue_counters(&counted);
        *position = row.position;
        self.applied.store(position.revision, Ordering::SeqCst);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::journal::{MemoryJournal, Row};
    use crate::private::{self, Audit};

    #[test]
    fn try_catch_up_during_a_write_returns_without_new_rows() {
        let journal = MemoryJournal::new();
        let registry = Registry::open(Arc::new(journal.clone())).unwrap();
        let audit = Audit::default();
        let private = private::encode(&audit, &[]).unwrap();
        journal.append(&Row { revision: 1, at: Timestamp::now(), private, public: None }).unwrap();
        let writer = registry.position.lock();
        std::thread::scope(|threads| threads.spawn(|| registry.try_catch_up().unwrap()).join().unwrap());
        assert_eq!(writer.revision, 0);
        drop(writer);
        registry.try_catch_up().unwrap();
        assert_eq!(registry.position.lock().revision, 1);
    }
}

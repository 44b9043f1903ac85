//! A registry: its journal, the state computed from it, and the one way to
//! write.

mod counters;
mod following;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::{Mutex, RwLock};

use crate::access::{Actor, AuthError, Credential, authenticate};
use crate::catalog::Catalog;
use crate::disk_health::DiskHealth;
use crate::journal::{Blobs, Journal, JournalError, PublicRow, PublicStore, Revision, Row, Storage};
use crate::live_counters::LiveCounters;
use crate::names::Digest;
use crate::ops::{CommitContext, Decision, OpError};
use crate::private::{self, Audit, PrivateCatalog, PrivateChange};
use crate::public::{self, Contents, DecodedRow, PublicCatalog, PublicChange};
use crate::replay::{Decoded, Position, Replayed};
use crate::time::Timestamp;

/// Why a write did not happen.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// The credential is not accepted.
    #[error(transparent)]
    Auth(#[from] AuthError),
    /// The operation refused.
    #[error(transparent)]
    Op(#[from] OpError),
    /// The journal could not store the row.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// An acknowledged write.
#[derive(Debug)]
pub struct Committed<R> {
    /// The operation's answer.
    pub reply: R,
    /// The revision of the new row, or None if nothing had to change.
    pub revision: Option<Revision>,
    /// Whether the row has a public half, which mirrors will show.
    pub is_public: bool,
}

/// Who asks for a write.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The credential that they present.
    pub credential: Credential,
    /// The id of the HTTP request, for the audit.
    pub request: Option<String>,
}

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

    /// The journal, for everything but appending rows.
    pub(crate) fn journal(&self) -> &dyn Journal {
        &*self.storage.journal
    }

    /// The packages.
    pub(crate) fn blobs(&self) -> &dyn Blobs {
        &*self.storage.blobs
    }

    /// Stores a package durably, before a row names it.
    pub fn put_blob(&self, bytes: &[u8]) -> Result<Digest, JournalError> {
        self.disk_health.record_packages(bytes.len() as u64, self.blobs().put_blob(bytes))
    }

    /// Whether the disk took the last writes that were as large as one it refused.
    pub fn is_writable(&self) -> bool {
        self.disk_health.refused() == 0
    }

    /// The store that refuses writes, in words that everyone may read.
    pub fn refusing_store(&self) -> &'static str {
        if self.disk_health.is_of_packages() { self.blobs().place() } else { "The disk of the data folder" }
    }

    /// If the disk has refused a write, probes whether it takes one of that size
    /// now. Keeps none of the probe's bytes.
    ///
    /// Errors: the disk still refuses.
    pub fn probe_storage(&self) -> Result<(), JournalError> {
        match self.disk_health.refused() {
            0 => Ok(()),
            size => {
                let probed = self.journal().check_appendable();
                self.disk_health.record(size, probed.and_then(|()| self.blobs().probe_storage(size)))
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

    /// Lets an operation decide as [`Registry::commit`] does, but writes nothing.
    pub fn dry_run<R>(
        &self,
        caller: &Caller,
        operation: impl FnOnce(CommitContext<'_>) -> Result<Decision<R>, OpError>,
    ) -> Result<R, CommitError> {
        let Position { revision, at: now } = {
            let mut position = self.position.lock();
            self.catch_up_from(&mut position)?;
            position.next()
        };
        self.read(|catalog| {
            let actor = authenticate(catalog, &caller.credential, now)?;
            Ok(operation(CommitContext { catalog, actor: &actor, now, revision })?.reply)
        })
    }

    /// The only way to write. Authenticates the caller, lets the operation decide
    /// on the current state, appends the row, applies it, and waits until it is
    /// durable. Commits that wait at the same time share one sync of the disk.
    ///
    /// If another process appends first, it catches up and decides again, so
    /// `operation` may run more than once.
    pub fn commit<R>(
        &self,
        caller: &Caller,
        operation: impl FnMut(CommitContext<'_>) -> Result<Decision<R>, OpError>,
    ) -> Result<Committed<R>, CommitError> {
        let committed = self.commit_unsynced(caller, operation)?;
        self.make_durable(committed.revision)?;
        Ok(committed)
    }

    /// Waits until the row `revision` survives a power loss, and all rows before
    /// it; None is the last row.
    ///
    /// Errors: the disk fails. The row is stored as a whole or not at all.
    pub fn make_durable(&self, revision: Option<Revision>) -> Result<(), JournalError> {
        let revision = revision.unwrap_or_else(|| self.position.lock().revision);
        self.disk_health.record(0, self.journal().make_durable(revision))
    }

    /// Like [`Self::commit`], but does not wait. Report the result only after
    /// [`Self::make_durable`], also if nothing was written: an earlier row that
    /// is not durable yet may be the reason.
    pub fn commit_unsynced<R>(
        &self,
        caller: &Caller,
        mut operation: impl FnMut(CommitContext<'_>) -> Result<Decision<R>, OpError>,
    ) -> Result<Committed<R>, CommitError> {
        let mut position = self.position.lock();
        loop {
            self.catch_up_from(&mut position)?;
            let next = position.next();
            let Position { revision, at: now } = next;
            let (decision, actor) = self.read(|catalog| {
                let actor = authenticate(catalog, &caller.credential, now)?;
                let decision = operation(CommitContext { catalog, actor: &actor, now, revision })?;
                Ok::<_, CommitError>((decision, actor))
            })?;
            if decision.private.is_empty() && decision.public.is_none() {
                return Ok(Committed { reply: decision.reply, revision: None, is_public: false });
            }
            let row = encode(next, caller, &actor, &decision)?;
            // A row that cannot be read back must not be written: nothing removes it again.
            let decoded = Decoded::from_row(row.clone())?;
            if let Some((row, DecodedRow { change: PublicChange::Published(_), .. })) = &decoded.public {
                Contents::decode(row).map_err(|why| JournalError::Damaged(why.into()))?;
            }
            let size = row.private.len() + row.public.as_ref().map_or(0, |public| public.json.len());
            match self.disk_health.record(size as u64, self.journal().append(&row)) {
                Err(JournalError::Conflict { .. }) => continue,
                outcome => outcome?,
            }
            self.apply(&mut position, decoded);
            let (revision, is_public) = (Some(row.revision), row.public.is_some());
            return Ok(Committed { reply: decision.reply, revision, is_public });
        }
    }
}

fn encode<R>(
    position: Position,
    caller: &Caller,
    actor: &Actor,
    decision: &Decision<R>,
) -> Result<Row, JournalError> {
    let storage = |why: serde_json::Error| JournalError::Storage(why.into());
    let Position { revision, at } = position;
    let audit = Audit {
        actor: actor.handle.clone(),
        credential: actor.credential,
        session: actor.session.clone(),
        request: caller.request.clone(),
    };
    let private = private::encode(&audit, &decision.private).map_err(storage)?;
    let public = decision.public.as_ref().map(|record| public::encode(revision, at, record));
    let public = public.transpose().map_err(storage)?.map(|json| PublicRow::new(revision, json));
    Ok(Row { revision, at, private, public })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::journal::MemoryJournal;

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

//! A registry: the journal, the state it makes, and the one way to write.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Mutex, RwLock};

use crate::access::{Actor, Credential, Refused, authenticate};
use crate::catalog::Catalog;
use crate::counting::Counting;
use crate::journal::{Journal, JournalError, PublicStore, Revision, Row};
use crate::ops::{Decision, Moment, OpError};
use crate::private::{self, Audit, PrivateCatalog, PrivateChange};
use crate::public::{self, PublicCatalog};
use crate::replay::{BATCH, Decoded, Position, Replayed};
use crate::storage::Storage;
use crate::time::Timestamp;

/// How long [`Registry::glance`] waits for a writer.
const GLANCE: Duration = Duration::from_millis(50);

/// Why a write did not happen.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// The credential is not accepted.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The operation refused.
    #[error(transparent)]
    Op(#[from] OpError),
    /// The journal could not take it.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// A write that was acknowledged.
#[derive(Debug)]
pub struct Committed<R> {
    /// The operation's answer.
    pub reply: R,
    /// The row it made; None where nothing had to change.
    pub revision: Option<Revision>,
    /// Whether the row has a public half, which mirrors will show.
    pub is_public: bool,
}

/// Who asks for a write.
#[derive(Debug, Clone)]
pub struct Caller {
    /// What they present.
    pub credential: Credential,
    /// The request it came in, for the audit.
    pub request: Option<String>,
}

/// The state of one registry, kept up with its journal.
pub struct Registry {
    journal: Arc<dyn Journal>,
    public: Arc<RwLock<PublicCatalog>>,
    private: RwLock<PrivateCatalog>,
    /// The last row in both catalogs, and the lock of whoever changes them.
    position: Mutex<Position>,
    /// How the storage took what it was given.
    pub(crate) storage: Storage,
    /// Taken after the others, and let go of before any is waited for.
    pub(crate) counting: Mutex<Counting>,
}

impl Registry {
    /// Computes the state from the journal.
    ///
    /// Errors: the storage fails, or a row cannot be understood (it is named).
    pub fn open(journal: Arc<dyn Journal>) -> Result<Self, JournalError> {
        let Replayed { public, private, position } = Replayed::of(&*journal)?;
        let registry = Self {
            public: Arc::new(RwLock::new(public)),
            private: RwLock::new(private),
            position: Mutex::new(position),
            storage: Storage::default(),
            counting: Mutex::default(),
            journal,
        };
        let counted: Vec<_> = registry.private.read().social().skills().collect();
        registry.counted(counted);
        Ok(registry)
    }

    /// The public half of the state, shared with whoever renders it.
    pub fn public(&self) -> Arc<RwLock<PublicCatalog>> {
        Arc::clone(&self.public)
    }

    /// The public half of the journal.
    pub fn store(&self) -> Arc<dyn PublicStore> {
        Arc::clone(&self.journal) as Arc<dyn PublicStore>
    }

    /// Keeps a package durably, before a row names it.
    pub fn put_blob(&self, bytes: &[u8]) -> Result<crate::names::Digest, JournalError> {
        self.storage.noted(bytes.len() as u64, self.journal.put_blob(bytes))
    }

    /// The journal, for what is not a write.
    pub(crate) fn journal(&self) -> &dyn Journal {
        &*self.journal
    }

    /// Looks at the state. Not to be called from within `look`.
    pub fn read<R>(&self, look: impl FnOnce(Catalog<'_>) -> R) -> R {
        // Everyone takes the locks in this order.
        let private = self.private.read();
        let public = self.public.read();
        look(Catalog { public: &public, private: &private })
    }

    /// Finds out who calls.
    pub fn authenticate(&self, credential: &Credential) -> Result<Actor, Refused> {
        self.read(|catalog| authenticate(catalog, credential, Timestamp::now()))
    }

    /// Takes in what other processes have appended. Returns the last revision.
    pub fn catch_up(&self) -> Result<Revision, JournalError> {
        self.catch_up_from(&mut self.position.lock())
    }

    /// The same, for a caller whom anyone can make ask: while someone writes it
    /// gives up after a moment, for then everything is about to be taken in.
    pub fn glance(&self) -> Result<(), JournalError> {
        match self.position.try_lock_for(GLANCE) {
            Some(mut position) => self.catch_up_from(&mut position).map(drop),
            None => Ok(()),
        }
    }

    fn catch_up_from(&self, position: &mut Position) -> Result<Revision, JournalError> {
        while self.journal.head()? > position.revision {
            let rows = self.journal.since(position.revision, BATCH)?;
            if rows.is_empty() {
                break;
            }
            for row in rows {
                let decoded = Decoded::from_row(row)?;
                self.apply(position, decoded);
            }
        }
        Ok(position.revision)
    }

    fn apply(&self, position: &mut Position, row: Decoded) {
        let counted: Vec<_> = row.private.changes.iter().filter_map(PrivateChange::counted).collect();
        let mut private = self.private.write();
        private.apply(row.position.revision, row.position.at, row.private);
        if let Some((json, decoded)) = row.public {
            self.public.write().apply(&json, decoded);
        }
        drop(private);
        self.counted(counted);
        *position = row.position;
    }

    /// Lets an operation decide as [`Registry::commit`] would, and writes
    /// nothing.
    pub fn rehearse<R>(
        &self,
        caller: &Caller,
        operation: impl FnOnce(Catalog<'_>, &Actor, Moment) -> Result<Decision<R>, OpError>,
    ) -> Result<R, CommitError> {
        let moment = {
            let mut position = self.position.lock();
            self.catch_up_from(&mut position)?;
            position.next()
        };
        self.read(|catalog| {
            let actor = authenticate(catalog, &caller.credential, moment.now)?;
            Ok(operation(catalog, &actor, moment)?.reply)
        })
    }

    /// The only way to write: finds out who calls, lets the operation decide on
    /// the current state, appends the row durably, applies it. If another
    /// process has appended first it catches up and decides again, so
    /// `operation` may run more than once.
    pub fn commit<R>(
        &self,
        caller: &Caller,
        mut operation: impl FnMut(Catalog<'_>, &Actor, Moment) -> Result<Decision<R>, OpError>,
    ) -> Result<Committed<R>, CommitError> {
        let mut position = self.position.lock();
        loop {
            self.catch_up_from(&mut position)?;
            let moment = position.next();
            let (decision, actor) = self.read(|catalog| {
                let actor = authenticate(catalog, &caller.credential, moment.now)?;
                Ok::<_, CommitError>((operation(catalog, &actor, moment)?, actor))
            })?;
            if decision.private.is_empty() && decision.public.is_none() {
                return Ok(Committed { reply: decision.reply, revision: None, is_public: false });
            }
            let row = encode(moment, caller, &actor, &decision)?;
            // What cannot be read back must not be written.
            let decoded = Decoded::from_row(row.clone())?;
            let size = row.private.len() + row.public.as_ref().map_or(0, String::len);
            match self.storage.noted(size as u64, self.journal.append(&row)) {
                Ok(()) => {}
                Err(JournalError::Conflict { .. }) => continue,
                Err(error) => return Err(error.into()),
            }
            self.apply(&mut position, decoded);
            let (revision, is_public) = (Some(row.revision), row.public.is_some());
            return Ok(Committed { reply: decision.reply, revision, is_public });
        }
    }
}

fn encode<R>(
    moment: Moment,
    caller: &Caller,
    actor: &Actor,
    decision: &Decision<R>,
) -> Result<Row, JournalError> {
    let storage = |why: serde_json::Error| JournalError::Storage(format!("a row cannot be written: {why}"));
    let Moment { now: at, revision } = moment;
    let audit = Audit {
        actor: actor.handle.clone(),
        credential: actor.credential,
        session: actor.session.clone(),
        request: caller.request.clone(),
    };
    let private = private::encode(&audit, &decision.private).map_err(storage)?;
    let public = decision.public.as_ref().map(|record| public::encode(revision, at, record));
    Ok(Row { revision, at, private, public: public.transpose().map_err(storage)? })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::journal::MemoryJournal;

    #[test]
    fn a_glance_waits_for_no_writer() {
        let journal = MemoryJournal::new();
        let registry = Registry::open(Arc::new(journal.clone())).unwrap();
        let audit = Audit::default();
        let private = private::encode(&audit, &[]).unwrap();
        journal.append(&Row { revision: 1, at: Timestamp::now(), private, public: None }).unwrap();
        let writer = registry.position.lock();
        std::thread::scope(|threads| threads.spawn(|| registry.glance().unwrap()).join().unwrap());
        assert_eq!(writer.revision, 0);
        drop(writer);
        registry.glance().unwrap();
        assert_eq!(registry.position.lock().revision, 1);
    }
}

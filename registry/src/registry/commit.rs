//! The one way to write.

use super::Registry;
use crate::access::{Actor, AuthError, Credential, authenticate};
use crate::disk_health::Part;
use crate::journal::{JournalError, PublicRow, Revision, Row};
use crate::ops::{CommitContext, Decision, OpError};
use crate::private::{self, Audit};
use crate::public::{self, Contents, DecodedRow, PublicChange};
use crate::replay::{Decoded, Position};
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

/// The sender of a request to write something.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The credential that they present.
    pub credential: Credential,
    /// The id of the HTTP request, for the audit.
    pub request: Option<String>,
}

impl Registry {
    /// Lets an operation decide as [`Registry::commit`] does, but writes nothing.
    pub fn dry_run<R>(
        &self,
        caller: &Caller,
        operation: impl FnOnce(CommitContext<'_>) -> Result<Decision<R>, OpError>,
    ) -> Result<R, CommitError> {
        let next = {
            let mut position = self.position.lock();
            self.catch_up_from(&mut position)?;
            position.next()
        };
        Ok(self.decide(next, caller, operation)?.0.reply)
    }

    /// Lets an operation decide on the state at `position`.
    fn decide<R>(
        &self,
        position: Position,
        caller: &Caller,
        operation: impl FnOnce(CommitContext<'_>) -> Result<Decision<R>, OpError>,
    ) -> Result<(Decision<R>, Actor), CommitError> {
        let (Position { revision, at }, now) = (position, Timestamp::now());
        self.read(|catalog| {
            let actor = authenticate(catalog, &caller.credential, now)?;
            let decision = operation(CommitContext { catalog, actor: &actor, now, at, revision })?;
            actor.may_write(&decision.private, decision.public.as_ref()).map_err(OpError::from)?;
            Ok((decision, actor))
        })
    }

    /// The only way to write. Authenticates the caller, lets the operation decide
    /// on the state of this process, appends the row, applies it, and waits until it is
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
        self.disk_health.record(Part::Journal, 0, self.journal().make_durable(revision))
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
        let mut has_looked = false;
        loop {
            let next = position.next();
            let (decision, actor) = match self.decide(next, caller, &mut operation) {
                Ok(decided) if !decided.0.is_empty() => decided,
                // The journal accepts a row only behind its last one, so a write needs no look for rows of other
                // processes. Everything else does.
                other => {
                    if !std::mem::replace(&mut has_looked, true)
                        && self.catch_up_from(&mut position)? >= next.revision
                    {
                        continue;
                    }
                    let reply = other?.0.reply;
                    return Ok(Committed { reply, revision: None, is_public: false });
                }
            };
            let row = encode(next, caller, &actor, &decision)?;
            // A row that cannot be read back must not be written: nothing removes it again.
            let decoded = Decoded::from_row(row.clone())?;
            if let Some((row, DecodedRow { change: PublicChange::Published(_), .. })) = &decoded.public {
                Contents::decode(row).map_err(|why| JournalError::Damaged(why.into()))?;
            }
            let size = row.private.len() + row.public.as_ref().map_or(0, |public| public.json.len());
            match self.disk_health.record(Part::Journal, size as u64, self.journal().append(&row)) {
                Err(JournalError::Conflict { head }) => {
                    has_looked = true;
                    // A journal that was restored to an older state lacks rows that this process has.
                    if self.catch_up_from(&mut position)? < next.revision {
                        return Err(JournalError::Conflict { head }.into());
                    }
                    continue;
                }
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
    use std::sync::Arc;

    use super::*;
    use crate::journal::{Journal, MemoryJournal};
    use crate::ops::users::{self, AddUser};
    use crate::private::PlatformRole;

    fn add(registry: &Registry, handle: &str) -> Result<Option<Revision>, CommitError> {
        let operator = Caller { credential: Credential::Operator { acting_as: None }, request: None };
        let user = AddUser { handle: handle.parse().unwrap(), display_name: None, role: PlatformRole::User };
        registry.commit(&operator, |context| users::add(context, &user)).map(|done| done.revision)
    }

    fn disable(registry: &Registry, handle: &str) -> Result<Option<Revision>, CommitError> {
        let operator = Caller { credential: Credential::Operator { acting_as: None }, request: None };
        let handle = handle.parse().unwrap();
        registry.commit(&operator, |context| users::disable(context, &handle)).map(|done| done.revision)
    }

    #[test]
    fn commit_takes_rows_of_other_processes_into_account() {
        let journal = MemoryJournal::new();
        let [one, other] = [(), ()].map(|()| Registry::open(Arc::new(journal.clone())).unwrap());
        // A write that does not follow is decided again.
        assert_eq!(add(&one, "ann").unwrap(), Some(1));
        assert_eq!(add(&other, "bob").unwrap(), Some(2));
        // What only an old state refuses is not refused.
        assert_eq!(disable(&one, "bob").unwrap(), Some(3));
        // What only an old state allows is refused.
        add(&other, "ann").unwrap_err();
        // What changes nothing is found with all rows.
        assert_eq!(disable(&other, "bob").unwrap(), None);
        assert_eq!(journal.head().unwrap(), 3);
    }

    #[test]
    fn commit_to_a_journal_that_lost_rows_fails() {
        let mut registry = Registry::open(Arc::new(MemoryJournal::new())).unwrap();
        add(&registry, "ann").unwrap();
        registry.storage = Arc::new(MemoryJournal::new()).into();
        let why = add(&registry, "bob").unwrap_err();
        assert!(matches!(why, CommitError::Journal(JournalError::Conflict { head: 0 })), "{why}");
    }
}

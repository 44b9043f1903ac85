//! Sessions of people who have signed in.

use std::cmp::Reverse;
use std::net::IpAddr;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::PASSWORDS;
use super::session_key::SessionKey;
use crate::local::{LocalError, LocalStore, Mode, Place, Record, Space, Transaction};
use crate::names::{Digest, Handle};
use crate::time::Timestamp;

/// The sessions, by public id.
pub(in crate::local) const SESSIONS: Space = Space::new("sessions.2");
/// The last written use of each session, by public id.
pub(in crate::local) const SESSION_USES: Space = Space::new("session_uses.1");
/// The sessions of each account: the keys are `{handle}/{id}`.
pub(in crate::local) const SESSIONS_OF: Space = Space::new("sessions_of.1");

/// The most sessions of one account. A further one ends the one that was not
/// used for longest.
const MAX_SESSIONS: usize = 100;

/// The use of a session is written at most this often.
const WRITE_INTERVAL: Duration = Duration::from_secs(60);

/// An active session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The public id: 16 letters and digits. Unlike the key it may be shown.
    pub id: String,
    /// The account.
    pub handle: Handle,
    /// The end of the session, used or not.
    pub expires_at: Timestamp,
    /// How it began.
    pub facts: SessionFacts,
}

/// How a session began, by which people know it again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionFacts {
    /// The time.
    pub begun_at: Timestamp,
    /// The address of the client, if it is known.
    pub address: Option<IpAddr>,
    /// The program, as it names itself.
    pub browser: Option<String>,
    /// The provider whose account was used. None for a password.
    pub provider: Option<String>,
    /// Whether only a token is in use that was made in it.
    pub is_of_client: bool,
}

/// A session as it is stored.
#[derive(Serialize, Deserialize)]
struct StoredSession {
    handle: Handle,
    /// The digest of the key.
    digest: Digest,
    expires_at: Timestamp,
    facts: SessionFacts,
}

/// The earliest time of the next write of a session's use (Unix seconds). Set
/// when the disk fails, so that not every request tries to write.
#[derive(Default)]
pub(in crate::local) struct NextUse(AtomicI64);

impl LocalStore {
    /// Begins a session of `handle` that lasts for `lifetime`, used or not.
    /// Returns None if `phc` is there and no longer the hash of their password. Forgets
    /// expired sessions.
    pub fn begin_session(
        &self,
        handle: &Handle,
        phc: Option<&str>,
        facts: &SessionFacts,
        now: Timestamp,
        lifetime: Duration,
    ) -> Result<Option<(SessionKey, Session)>, LocalError> {
        let key = SessionKey::generate()?;
        let (expires_at, facts) = (now.plus(lifetime), SessionFacts { begun_at: now, ..facts.clone() });
        let session = Session { id: key.id(), handle: handle.clone(), expires_at, facts };
        let is_begun = self.write(None, |records| {
            // A change of the password waits for the end of this, and then ends this session, too.
            let stored: Option<String> = records.value(PASSWORDS, handle.as_str())?;
            records.delete_expired(now.as_unix())?;
            if phc.is_some_and(|phc| stored.as_deref() != Some(phc)) {
                return Ok(false);
            }
            end_excess(records, handle)?;
            records.put(&session.records(&key, now)?)?;
            Ok(true)
        })?;
        Ok(is_begun.then_some((key, session)))
    }

    /// The session with this key, unless it has ended. Records the time of use to
    /// the minute.
    pub fn session(&self, key: &SessionKey, now: Timestamp) -> Result<Option<Session>, LocalError> {
        self.active_session(&key.id(), Some(key.digest()), now)
    }

    /// The session with this public id, unless it has ended. Records the time of use to the
    /// minute.
    pub fn session_by_id(&self, id: &str, now: Timestamp) -> Result<Option<Session>, LocalError> {
        self.active_session(id, None, now)
    }

    /// Whether the session with this id has not ended. Records the time of use to the minute: a
    /// token that was made in the session is in use.
    pub fn is_session_active(&self, id: &str, now: Timestamp) -> Result<bool, LocalError> {
        Ok(self.session_by_id(id, now)?.is_some())
    }

    fn active_session(
        &self,
        id: &str,
        digest: Option<Digest>,
        now: Timestamp,
    ) -> Result<Option<Session>, LocalError> {
        let places = [(SESSIONS, id.to_owned()), (SESSION_USES, id.to_owned())];
        let mut found = self.single(|records| records.get(&places))?.into_iter().flatten();
        let Some(session) = found.next().filter(|record| record.place.0 == SESSIONS) else {
            return Ok(None);
        };
        let StoredSession { handle, digest: stored, expires_at, facts } = session.read()?;
        if expires_at <= now || digest.is_some_and(|digest| digest != stored) {
            return Ok(None);
        }
        let used_at = found.next().map(|record| record.read()).transpose()?;
        let session = Session { id: id.to_owned(), handle, expires_at, facts };
        self.note_session_use(&session, used_at, now);
        Ok(Some(session))
    }

    fn note_session_use(&self, session: &Session, used_at: Option<Timestamp>, now: Timestamp) {
        let next = &self.next_session_use.0;
        let due = used_at.map_or(i64::MIN, |at| at.plus(WRITE_INTERVAL).as_unix());
        if now.as_unix() < due.max(next.load(Ordering::Relaxed)) {
            return;
        }
        // If the session ends meanwhile, this record stays until it expires.
        let noted = session.use_record(now).map(|record| [record]);
        if noted.and_then(|noted| self.single(|records| records.put(&noted))).is_err() {
            next.store(now.plus(WRITE_INTERVAL).as_unix(), Ordering::Relaxed);
        }
    }

    /// The sessions of an account that have not ended, the last begun first, and when each was used.
    pub fn sessions_of(
        &self,
        handle: &Handle,
        now: Timestamp,
    ) -> Result<Vec<(Session, Option<Timestamp>)>, LocalError> {
        let mut all = self.run(Mode::Snapshot, |records| {
            let mut all = Vec::new();
            for id in ids_of(records, handle)? {
                let Some(stored) = records.value::<StoredSession>(SESSIONS, &id)? else { continue };
                let used_at = records.value(SESSION_USES, &id)?;
                let StoredSession { handle, expires_at, facts, .. } = stored;
                all.push((Session { id, handle, expires_at, facts }, used_at));
            }
            Ok(all)
        })?;
        all.retain(|(session, _)| session.expires_at > now);
        all.sort_unstable_by_key(|(session, _)| Reverse(session.facts.begun_at));
        Ok(all)
    }

    /// Ends a session, if it is active.
    pub fn end_session(&self, id: &str) -> Result<(), LocalError> {
        self.write(None, |records| match records.value::<StoredSession>(SESSIONS, id)? {
            Some(session) => records.delete(&places(&session.handle, id)),
            None => Ok(()),
        })
    }
}

impl Session {
    fn records(&self, key: &SessionKey, now: Timestamp) -> Result<[Record; 3], LocalError> {
        let [session, _, of_account] = places(&self.handle, &self.id);
        let expires_at = self.expires_at;
        let (handle, facts) = (self.handle.clone(), self.facts.clone());
        let stored = StoredSession { handle, digest: key.digest(), expires_at, facts };
        let expiring = |record: Record| record.expiring(expires_at.as_unix());
        Ok([
            expiring(Record::new(session, &stored)?),
            self.use_record(now)?,
            expiring(Record::new(of_account, &())?),
        ])
    }

    fn use_record(&self, now: Timestamp) -> Result<Record, LocalError> {
        let record = Record::new((SESSION_USES, self.id.clone()), &now)?;
        Ok(record.expiring(self.expires_at.as_unix()))
    }
}

/// The places of a session's records.
fn places(handle: &Handle, id: &str) -> [Place; 3] {
    let of_account = (SESSIONS_OF, format!("{handle}/{id}"));
    [(SESSIONS, id.to_owned()), (SESSION_USES, id.to_owned()), of_account]
}

/// The ids of an account's sessions.
fn ids_of(records: &mut dyn Transaction, handle: &Handle) -> Result<Vec<String>, LocalError> {
    let all = records.all(SESSIONS_OF, &format!("{handle}/"))?;
    Ok(all.iter().map(|record| record.key_end().to_owned()).collect())
}

/// Ends all sessions of an account but the one with the id `kept`.
pub(super) fn end_sessions(
    records: &mut dyn Transaction,
    handle: &Handle,
    kept: Option<&str>,
) -> Result<(), LocalError> {
    let ids = ids_of(records, handle)?.into_iter().filter(|id| Some(id.as_str()) != kept);
    records.delete(&ids.flat_map(|id| places(handle, &id)).collect::<Vec<_>>())
}

/// Makes room for one more session of an account.
fn end_excess(records: &mut dyn Transaction, handle: &Handle) -> Result<(), LocalError> {
    let ids = ids_of(records, handle)?;
    let Some(excess) = (ids.len() + 1).checked_sub(MAX_SESSIONS).filter(|excess| *excess > 0) else {
        return Ok(());
    };
    let uses: Vec<_> = ids.iter().map(|id| (SESSION_USES, id.clone())).collect();
    let mut by_use = Vec::with_capacity(ids.len());
    for (id, used) in ids.into_iter().zip(records.get(&uses)?) {
        let used_at: Option<Timestamp> = used.map(|record| record.read()).transpose()?;
        by_use.push((used_at, id));
    }
    by_use.sort_unstable();
    records.delete(&by_use.iter().take(excess).flat_map(|(_, id)| places(handle, id)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests;

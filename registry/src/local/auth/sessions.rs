//! Sessions of people who have signed in with their password.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use super::session_key::SessionKey;
use crate::local::{LocalError, LocalStore, NewSession, SessionName, StoredSession};
use crate::names::Handle;
use crate::random::random_base32;
use crate::time::Timestamp;

/// The most sessions of one account. A further one ends the one that was not
/// used for longest.
const MAX_SESSIONS: u32 = 100;

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
}

/// The input of [`LocalStore::change_password`].
#[derive(Debug, Clone, Copy)]
pub struct PasswordChange<'a> {
    /// The account.
    pub handle: &'a Handle,
    /// The hash against which the caller has checked the old password.
    pub old_phc: &'a str,
    /// The hash of the new password.
    pub new_phc: &'a str,
    /// The id of the session that stays open.
    pub kept_session: Option<&'a str>,
}

/// The earliest time of the next write of a session's use (Unix seconds). Set
/// when the disk fails, so that not every request tries to write.
#[derive(Default)]
pub(in crate::local) struct NextUse(AtomicI64);

impl LocalStore {
    /// Begins a session of `handle` that lasts for `lifetime`, used or not.
    /// Returns None if `phc` is no longer the hash of their password. Forgets
    /// expired sessions.
    pub fn begin_session(
        &self,
        handle: &Handle,
        phc: &str,
        now: Timestamp,
        lifetime: Duration,
    ) -> Result<Option<(SessionKey, Session)>, LocalError> {
        let key = SessionKey::generate()?;
        let expires_at = now.plus(lifetime);
        let session = Session { id: random_base32::<10>()?, handle: handle.clone(), expires_at };
        let (digest, id, max) = (&key.digest(), &session.id, MAX_SESSIONS);
        let is_begun =
            self.backend.begin_session(&NewSession { digest, id, handle, phc, now, expires_at, max })?;
        Ok(is_begun.then_some((key, session)))
    }

    /// The session with this key, unless it has ended. Records the time of use to
    /// the minute.
    pub fn session(&self, key: &SessionKey, now: Timestamp) -> Result<Option<Session>, LocalError> {
        self.active_session(SessionName::Digest(&key.digest()), now)
    }

    /// The session with this public id, unless it has ended. Records the time of use to the
    /// minute.
    pub fn session_by_id(&self, id: &str, now: Timestamp) -> Result<Option<Session>, LocalError> {
        self.active_session(SessionName::Id(id), now)
    }

    fn active_session(&self, name: SessionName<'_>, now: Timestamp) -> Result<Option<Session>, LocalError> {
        let Some(found) = self.backend.session(name, now)? else { return Ok(None) };
        self.note_session_use(&found, now);
        let damaged = |why: &str| LocalError::Damaged(why.to_owned().into());
        let handle = found.handle.parse().map_err(|_| damaged("a session has an invalid handle"))?;
        let expires_at =
            Timestamp::from_unix(found.expires_at).ok_or_else(|| damaged("a session has an invalid end"))?;
        Ok(Some(Session { id: found.id, handle, expires_at }))
    }

    /// Whether the session with this id has not ended. Records the time of use to the minute: a
    /// token that was made in the session is in use.
    pub fn is_session_active(&self, id: &str, now: Timestamp) -> Result<bool, LocalError> {
        let Some(found) = self.backend.session(SessionName::Id(id), now)? else { return Ok(false) };
        self.note_session_use(&found, now);
        Ok(true)
    }

    fn note_session_use(&self, session: &StoredSession, now: Timestamp) {
        let next = &self.next_session_use.0;
        let due = session.used_at.saturating_add_unsigned(WRITE_INTERVAL.as_secs());
        if now.as_unix() >= due.max(next.load(Ordering::Relaxed))
            && self.backend.note_session_use(&session.id, now).is_err()
        {
            next.store(now.plus(WRITE_INTERVAL).as_unix(), Ordering::Relaxed);
        }
    }

    /// Ends a session, if it is active.
    pub fn end_session(&self, id: &str) -> Result<(), LocalError> {
        self.backend.end_session(id)
    }

    /// Replaces a password and ends all other sessions of its owner. Returns
    /// false, and changes nothing, if the stored hash is no longer `old_phc`.
    pub fn change_password(&self, change: &PasswordChange<'_>) -> Result<bool, LocalError> {
        self.backend.change_password(change)
    }
}

#[cfg(test)]
mod tests;

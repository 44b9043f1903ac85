//! Sessions of people who have signed in with their password.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use super::session_key::SessionKey;
use crate::local::{LocalError, LocalStore};
use crate::names::Handle;
use crate::random::random_base32;
use crate::time::Timestamp;

pub(in crate::local) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS sessions(
        digest TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, handle TEXT NOT NULL,
        created_at INTEGER NOT NULL, used_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS sessions_of ON sessions(handle, used_at);
    CREATE INDEX IF NOT EXISTS sessions_ends ON sessions(expires_at);
";

/// The most sessions of one account. A further one ends the one that was not
/// used for longest.
const MAX_SESSIONS: i64 = 100;

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
        let (handle, expires_at) = (handle.as_str(), expires_at.as_unix());
        let begun = self.write(|transaction| {
            transaction.execute("DELETE FROM sessions WHERE expires_at <= ?1", [now.as_unix()])?;
            transaction.execute(
                "DELETE FROM sessions WHERE digest IN (
                     SELECT digest FROM sessions WHERE handle = ?1 ORDER BY used_at DESC LIMIT -1 OFFSET ?2)",
                params![handle, MAX_SESSIONS - 1],
            )?;
            Ok(transaction.execute(
                "INSERT INTO sessions(digest, id, handle, created_at, used_at, expires_at)
                 SELECT ?1, ?2, ?3, ?4, ?4, ?5
                 WHERE EXISTS (SELECT 1 FROM passwords WHERE handle = ?3 AND phc = ?6)",
                params![key.digest(), session.id, handle, now.as_unix(), expires_at, phc],
            )?)
        })?;
        Ok((begun == 1).then_some((key, session)))
    }

    /// The session with this key, unless it has ended. Records the time of use to
    /// the minute.
    pub fn session(&self, key: &SessionKey, now: Timestamp) -> Result<Option<Session>, LocalError> {
        let digest = key.digest();
        let connection = self.connection.lock();
        let found = connection
            .prepare_cached(
                "SELECT id, handle, used_at, expires_at FROM sessions WHERE digest = ?1 AND expires_at > ?2",
            )?
            .query_row(params![digest, now.as_unix()], |row| {
                let (id, handle): (String, String) = (row.get(0)?, row.get(1)?);
                Ok((id, handle, row.get::<_, i64>(2)?, row.get::<_, i64>(3)?))
            })
            .optional()?;
        let Some((id, handle, used_at, expires_at)) = found else { return Ok(None) };
        let damaged = |why: &str| LocalError::Damaged(why.to_owned().into());
        let handle = handle.parse().map_err(|_| damaged("a session has an invalid handle"))?;
        let expires_at =
            Timestamp::from_unix(expires_at).ok_or_else(|| damaged("a session has an invalid end"))?;
        self.note_session_use(&connection, &id, used_at, now)?;
        Ok(Some(Session { id, handle, expires_at }))
    }

    /// Whether the session with this id has not ended. Records the time of use to the minute: a
    /// token that was made in the session is in use.
    pub fn is_session_active(&self, id: &str, now: Timestamp) -> Result<bool, LocalError> {
        let connection = self.connection.lock();
        let used_at = connection
            .prepare_cached("SELECT used_at FROM sessions WHERE id = ?1 AND expires_at > ?2")?
            .query_row(params![id, now.as_unix()], |row| row.get::<_, i64>(0))
            .optional()?;
        let Some(used_at) = used_at else { return Ok(false) };
        self.note_session_use(&connection, id, used_at, now)?;
        Ok(true)
    }

    fn note_session_use(
        &self,
        connection: &Connection,
        id: &str,
        used_at: i64,
        now: Timestamp,
    ) -> Result<(), LocalError> {
        let next = &self.next_session_use.0;
        let due = used_at.saturating_add_unsigned(WRITE_INTERVAL.as_secs());
        if now.as_unix() >= due.max(next.load(Ordering::Relaxed)) {
            let written = connection
                .prepare_cached("UPDATE sessions SET used_at = ?2 WHERE id = ?1")?
                .execute(params![id, now.as_unix()]);
            if written.is_err() {
                next.store(now.plus(WRITE_INTERVAL).as_unix(), Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Ends a session, if it is active.
    pub fn end_session(&self, id: &str) -> Result<(), LocalError> {
        self.connection.lock().prepare_cached("DELETE FROM sessions WHERE id = ?1")?.execute([id])?;
        Ok(())
    }

    /// Replaces a password and ends all other sessions of its owner. Returns
    /// false, and changes nothing, if the stored hash is no longer `old_phc`.
    pub fn change_password(&self, change: &PasswordChange<'_>) -> Result<bool, LocalError> {
        let PasswordChange { handle, old_phc, new_phc, kept_session } = *change;
        let handle = handle.as_str();
        self.write(|transaction| {
            let update = "UPDATE passwords SET phc = ?3 WHERE handle = ?1 AND phc = ?2";
            let is_changed = transaction.execute(update, [handle, old_phc, new_phc])? == 1;
            if is_changed {
                let end = "DELETE FROM sessions WHERE handle = ?1 AND id IS NOT ?2";
                transaction.execute(end, params![handle, kept_session])?;
            }
            Ok(is_changed)
        })
    }
}

#[cfg(test)]
mod tests;

//! The tables of passwords and sessions.

use rusqlite::{OptionalExtension, params};

use super::SqliteLocal;
use crate::local::{Accounts, LocalError, NewSession, PasswordChange, SessionName, StoredSession};
use crate::names::Handle;
use crate::time::Timestamp;

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS passwords(handle TEXT PRIMARY KEY, phc TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS sessions(
        digest TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, handle TEXT NOT NULL,
        created_at INTEGER NOT NULL, used_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS sessions_of ON sessions(handle, used_at);
    CREATE INDEX IF NOT EXISTS sessions_ends ON sessions(expires_at);
";

impl Accounts for SqliteLocal {
    fn set_password(&self, handle: &Handle, phc: &str) -> Result<(), LocalError> {
        let insert = "INSERT OR REPLACE INTO passwords(handle, phc) VALUES (?1, ?2)";
        self.write(|transaction| {
            transaction.execute(insert, [handle.as_str(), phc])?;
            transaction.execute("DELETE FROM sessions WHERE handle = ?1", [handle.as_str()])?;
            Ok(())
        })
    }

    fn password(&self, handle: &Handle) -> Result<Option<String>, LocalError> {
        self.read_one("SELECT phc FROM passwords WHERE handle = ?1", [handle.as_str()])
    }

    fn change_password(&self, change: &PasswordChange<'_>) -> Result<bool, LocalError> {
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

    fn begin_session(&self, session: &NewSession<'_>) -> Result<bool, LocalError> {
        let NewSession { digest, id, handle, phc, now, expires_at, max } = *session;
        let handle = handle.as_str();
        let begun = self.write(|transaction| {
            transaction.execute("DELETE FROM sessions WHERE expires_at <= ?1", [now.as_unix()])?;
            transaction.execute(
                "DELETE FROM sessions WHERE digest IN (
                     SELECT digest FROM sessions WHERE handle = ?1 ORDER BY used_at DESC LIMIT -1 OFFSET ?2)",
                params![handle, max.saturating_sub(1)],
            )?;
            Ok(transaction.execute(
                "INSERT INTO sessions(digest, id, handle, created_at, used_at, expires_at)
                 SELECT ?1, ?2, ?3, ?4, ?4, ?5
                 WHERE EXISTS (SELECT 1 FROM passwords WHERE handle = ?3 AND phc = ?6)",
                params![digest, id, handle, now.as_unix(), expires_at.as_unix(), phc],
            )?)
        })?;
        Ok(begun == 1)
    }

    fn session(&self, name: SessionName<'_>, now: Timestamp) -> Result<Option<StoredSession>, LocalError> {
        let (query, name) = match name {
            SessionName::Digest(digest) => (
                "SELECT id, handle, used_at, expires_at FROM sessions WHERE digest = ?1 AND expires_at > ?2",
                digest,
            ),
            SessionName::Id(id) => {
                ("SELECT id, handle, used_at, expires_at FROM sessions WHERE id = ?1 AND expires_at > ?2", id)
            }
        };
        let connection = self.connection.lock();
        let mut statement = connection.prepare_cached(query)?;
        let found = statement.query_row(params![name, now.as_unix()], |row| {
            let (id, handle) = (row.get(0)?, row.get(1)?);
            Ok(StoredSession { id, handle, used_at: row.get(2)?, expires_at: row.get(3)? })
        });
        Ok(found.optional()?)
    }

    fn note_session_use(&self, id: &str, now: Timestamp) -> Result<(), LocalError> {
        self.connection
            .lock()
            .prepare_cached("UPDATE sessions SET used_at = ?2 WHERE id = ?1")?
            .execute(params![id, now.as_unix()])?;
        Ok(())
    }

    fn end_session(&self, id: &str) -> Result<(), LocalError> {
        self.connection.lock().prepare_cached("DELETE FROM sessions WHERE id = ?1")?.execute([id])?;
        Ok(())
    }
}

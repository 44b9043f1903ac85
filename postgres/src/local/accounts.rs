//! Passwords and sessions.

use registry::local::{Accounts, LocalError, NewSession, PasswordChange, SessionName, StoredSession};
use registry::names::Handle;
use registry::time::Timestamp;

use super::PostgresLocal;
use crate::params::{params, read};

impl Accounts for PostgresLocal {
    fn set_password(&self, handle: &Handle, phc: &str) -> Result<(), LocalError> {
        self.0.write(|connection| {
            let insert = "INSERT INTO skillmirror.passwords(handle, phc) VALUES ($1, $2)
                          ON CONFLICT (handle) DO UPDATE SET phc = excluded.phc";
            connection.execute(insert, params![TEXT handle.as_str(), TEXT phc])?;
            let end = "DELETE FROM skillmirror.sessions WHERE handle = $1";
            connection.execute(end, params![TEXT handle.as_str()])?;
            Ok(())
        })
    }

    fn password(&self, handle: &Handle) -> Result<Option<String>, LocalError> {
        self.0.read(|connection| {
            let select = "SELECT phc FROM skillmirror.passwords WHERE handle = $1";
            let found = connection.query_opt(select, params![TEXT handle.as_str()])?;
            found.map(|row| read(&row, 0)).transpose()
        })
    }

    fn change_password(&self, change: &PasswordChange<'_>) -> Result<bool, LocalError> {
        let PasswordChange { handle, old_phc, new_phc, kept_session } = *change;
        self.0.write(|connection| {
            let update = "UPDATE skillmirror.passwords SET phc = $3 WHERE handle = $1 AND phc = $2";
            let values = params![TEXT handle.as_str(), TEXT old_phc, TEXT new_phc];
            let is_changed = connection.execute(update, values)? == 1;
            if is_changed {
                let end = "DELETE FROM skillmirror.sessions WHERE handle = $1 AND id IS DISTINCT FROM $2";
                connection.execute(end, params![TEXT handle.as_str(), TEXT kept_session])?;
            }
            Ok(is_changed)
        })
    }

    fn begin_session(&self, session: &NewSession<'_>) -> Result<bool, LocalError> {
        let NewSession { digest, id, handle, phc, now, expires_at, max } = *session;
        let handle = handle.as_str();
        self.0.write(|connection| {
            // The lock on the row keeps a change of the password waiting, which then ends this session, too.
            let select = "SELECT 1 FROM skillmirror.passwords WHERE handle = $1 AND phc = $2 FOR UPDATE";
            let is_current = connection.query_opt(select, params![TEXT handle, TEXT phc])?.is_some();
            let expired = "DELETE FROM skillmirror.sessions WHERE expires_at <= $1";
            connection.execute(expired, params![INT8 now.as_unix()])?;
            if !is_current {
                return Ok(false);
            }
            let excess = "DELETE FROM skillmirror.sessions WHERE digest IN (
                SELECT digest FROM skillmirror.sessions WHERE handle = $1 ORDER BY used_at DESC OFFSET $2)";
            connection.execute(excess, params![TEXT handle, INT8 i64::from(max.saturating_sub(1))])?;
            let insert =
                "INSERT INTO skillmirror.sessions(digest, id, handle, created_at, used_at, expires_at)
                          VALUES ($1, $2, $3, $4, $4, $5)";
            let values = params![
                TEXT digest, TEXT id, TEXT handle, INT8 now.as_unix(), INT8 expires_at.as_unix(),
            ];
            connection.execute(insert, values)?;
            Ok(true)
        })
    }

    fn session(&self, name: SessionName<'_>, now: Timestamp) -> Result<Option<StoredSession>, LocalError> {
        let (column, name) = match name {
            SessionName::Digest(digest) => ("digest", digest),
            SessionName::Id(id) => ("id", id),
        };
        let select = format!(
            "SELECT id, handle, used_at, expires_at FROM skillmirror.sessions WHERE {column} = $1 AND expires_at > $2"
        );
        self.0.read(|connection| {
            let found = connection.query_opt(&select, params![TEXT name, INT8 now.as_unix()])?;
            let session = found.map(|row| {
                let (id, handle) = (read(&row, 0)?, read(&row, 1)?);
                Ok(StoredSession { id, handle, used_at: read(&row, 2)?, expires_at: read(&row, 3)? })
            });
            session.transpose()
        })
    }

    fn note_session_use(&self, id: &str, now: Timestamp) -> Result<(), LocalError> {
        self.0.read(|connection| {
            let update = "UPDATE skillmirror.sessions SET used_at = $2 WHERE id = $1";
            connection.execute(update, params![TEXT id, INT8 now.as_unix()])?;
            Ok(())
        })
    }

    fn end_session(&self, id: &str) -> Result<(), LocalError> {
        self.0.read(|connection| {
            connection.execute("DELETE FROM skillmirror.sessions WHERE id = $1", params![TEXT id])?;
            Ok(())
        })
    }
}

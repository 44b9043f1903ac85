//! The password hashes of accounts.

use crate::local::{LocalError, LocalStore};
use crate::names::Handle;

pub(in crate::local) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS passwords(handle TEXT PRIMARY KEY, phc TEXT NOT NULL) STRICT, WITHOUT ROWID;
";

impl LocalStore {
    /// Stores `phc`, a hash in the PHC string format (`$argon2id$v=19$…`), as the
    /// password of `handle`, and ends all their sessions.
    ///
    /// Errors: [`LocalError::NotAHash`] unless `phc` begins like a hash, so that a
    /// plain password is never stored by mistake.
    pub fn set_password(&self, handle: &Handle, phc: &str) -> Result<(), LocalError> {
        if !phc.starts_with('$') {
            return Err(LocalError::NotAHash);
        }
        let insert = "INSERT OR REPLACE INTO passwords(handle, phc) VALUES (?1, ?2)";
        self.write(|transaction| {
            transaction.execute(insert, [handle.as_str(), phc])?;
            transaction.execute("DELETE FROM sessions WHERE handle = ?1", [handle.as_str()])?;
            Ok(())
        })
    }

    /// The stored hash for `handle`, or None if they have no password here.
    pub fn password(&self, handle: &Handle) -> Result<Option<String>, LocalError> {
        self.read_one("SELECT phc FROM passwords WHERE handle = ?1", [handle.as_str()])
    }
}

#[cfg(test)]
mod tests {
    use crate::local::opened;

    #[test]
    fn set_password_is_visible_to_other_processes() {
        let data = tempfile::tempdir().unwrap();
        let (server, command) = (opened(data.path()), opened(data.path()));
        let ann = "ann".parse().unwrap();
        assert_eq!(server.password(&ann).unwrap(), None);
        for hash in ["$a$1", "$b$2"] {
            command.set_password(&ann, hash).unwrap();
            assert_eq!(server.password(&ann).unwrap().as_deref(), Some(hash));
        }
        assert_eq!(server.password(&"bob".parse().unwrap()).unwrap(), None);
    }

    #[test]
    fn set_password_with_a_plain_password_is_refused() {
        let data = tempfile::tempdir().unwrap();
        let store = opened(data.path());
        let error = store.set_password(&"ann".parse().unwrap(), "hunter2").unwrap_err();
        assert!(!format!("{error} {error:?} {store:?}").contains("hunter2"));
        assert_eq!(store.password(&"ann".parse().unwrap()).unwrap(), None);
    }
}

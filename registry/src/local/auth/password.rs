//! The password hashes of accounts.

use crate::local::{LocalError, LocalStore};
use crate::names::Handle;

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
        self.backend.set_password(handle, phc)
    }

    /// The stored hash for `handle`, or None if they have no password here.
    pub fn password(&self, handle: &Handle) -> Result<Option<String>, LocalError> {
        self.backend.password(handle)
    }
}

#[cfg(test)]
mod tests {
    use crate::local::opened;

    #[test]
    fn set_password_with_a_plain_password_is_refused() {
        let data = tempfile::tempdir().unwrap();
        let store = opened(data.path());
        let error = store.set_password(&"ann".parse().unwrap(), "hunter2").unwrap_err();
        assert!(!format!("{error} {error:?} {store:?}").contains("hunter2"));
        assert_eq!(store.password(&"ann".parse().unwrap()).unwrap(), None);
    }
}

//! The password hashes of accounts.

use super::PASSWORDS;
use super::sessions::end_sessions;
use crate::local::{LocalError, LocalStore, Place, Record};
use crate::names::Handle;

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
        self.write(None, |records| {
            records.put(&[Record::new(place(handle), &phc)?])?;
            end_sessions(records, handle, None)
        })
    }

    /// The stored hash for `handle`, or None if they have no password here.
    pub fn password(&self, handle: &Handle) -> Result<Option<String>, LocalError> {
        self.single(|records| records.value(PASSWORDS, handle.as_str()))
    }

    /// Replaces a password and ends all other sessions of its owner. Returns
    /// false, and changes nothing, if the stored hash is no longer `old_phc`.
    pub fn change_password(&self, change: &PasswordChange<'_>) -> Result<bool, LocalError> {
        let PasswordChange { handle, old_phc, new_phc, kept_session } = *change;
        self.write(None, |records| {
            let stored: Option<String> = records.value(PASSWORDS, handle.as_str())?;
            if stored.as_deref() != Some(old_phc) {
                return Ok(false);
            }
            records.put(&[Record::new(place(handle), &new_phc)?])?;
            end_sessions(records, handle, kept_session)?;
            Ok(true)
        })
    }
}

fn place(handle: &Handle) -> Place {
    (PASSWORDS, handle.to_string())
}

#[cfg(test)]
mod tests {
    use crate::local::tests::opened;

    #[test]
    fn set_password_with_a_plain_password_is_refused() {
        let data = tempfile::tempdir().unwrap();
        let store = opened(data.path());
        let error = store.set_password(&"ann".parse().unwrap(), "hunter2").unwrap_err();
        assert!(!format!("{error} {error:?} {store:?}").contains("hunter2"));
        assert_eq!(store.password(&"ann".parse().unwrap()).unwrap(), None);
    }
}

//! The errors of the local store.

use std::io;

use crate::journal::Cause;
use crate::journal::database::DatabaseError;

/// Why the local store could not do what it was asked. The text never contains a
/// stored value.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// The store is full, read-only, locked or failing. Try again later.
    #[error("the local store failed")]
    Storage(#[source] Cause),
    /// The stored bytes are not those that were written. If the file as a whole
    /// is damaged, the next start sets it aside.
    #[error("`local.sqlite` is damaged (restart the server, which sets it aside and begins a new one)")]
    Damaged(#[source] Cause),
    /// The text to store as a password's hash is not a hash.
    #[error("not a password hash: a PHC string begins with `$`")]
    NotAHash,
    /// Another process has changed what this write was based on. Read it again.
    #[error("another process wrote first: read again")]
    Conflict,
}

impl From<DatabaseError> for LocalError {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::Storage(cause) => Self::Storage(cause),
            DatabaseError::Damaged(cause) => Self::Damaged(cause),
        }
    }
}

impl From<rusqlite::Error> for LocalError {
    fn from(error: rusqlite::Error) -> Self {
        DatabaseError::from(error).into()
    }
}

impl From<io::Error> for LocalError {
    fn from(error: io::Error) -> Self {
        Self::Storage(error.into())
    }
}

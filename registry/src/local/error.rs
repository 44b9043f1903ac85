//! Why the local store could not do what it was asked.

use std::io;

use crate::journal::database::DatabaseError;

/// Why the local store could not do what it was asked. Its text never has a
/// stored value in it.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// The store is full, read-only, locked or failing: try again later.
    #[error("the local store fails: {0}")]
    Storage(String),
    /// What is stored is not what was written. The next opening sets it aside
    /// where the whole file is at fault.
    #[error("`local.sqlite` is damaged ({0}): restart the server, which sets it aside and begins a new one")]
    Damaged(String),
    /// What was to be kept as a password's hash is not one.
    #[error("not a password hash: a PHC string begins with `$`")]
    NotAHash,
    /// Another process has written meanwhile what this was to follow on: look
    /// again what is there.
    #[error("another process was first: look again what is there")]
    Conflict,
}

impl From<DatabaseError> for LocalError {
    fn from(fault: DatabaseError) -> Self {
        match fault {
            DatabaseError::Storage(why) => Self::Storage(why),
            DatabaseError::Damaged(why) => Self::Damaged(why),
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
        Self::Storage(error.to_string())
    }
}

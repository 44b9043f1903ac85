//! What this machine remembers and no mirror needs: neither journal nor
//! public.
//!
//! It lies in `local.sqlite` beside the journal, and may be erased at any
//! time: no fact that was acknowledged to the public is lost with it, only
//! conveniences (people have to sign in again, with new passwords). A file per noun.

mod auth;
mod counters;
mod downloads;
mod error;
mod file;
mod history;
mod lock;
mod secret_file;

pub use auth::{PasswordChange, Session, SessionKey};
pub use downloads::{Counted, Download, DownloadDay, KnownLog, LogCounted, LogPosition, LogStart};
pub use error::LocalError;
pub use history::HistoryContents;
pub use lock::{DataFolderLock, lock_data_folder};
pub use secret_file::write_secret_file;

use std::fmt;
use std::path::Path;

use parking_lot::Mutex;
use rusqlite::Connection;

use crate::journal::{database::DatabaseError, folder};
use auth::sessions::NextUse;
use auth::token_use::TokenUses;

/// The local store of one data folder. Any number of processes may have it
/// open; to be shared in an `Arc`.
pub struct LocalStore {
    connection: Mutex<Connection>,
    token_uses: Mutex<TokenUses>,
    next_session_use: NextUse,
}

impl LocalStore {
    /// Opens the store in the folder `data`, making both where they are
    /// missing (the folder for its owner alone).
    ///
    /// A damaged file, or one in a layout that this program does not know, is
    /// moved aside and an empty one made in its place: the second value then
    /// is a sentence for the operator that says so. [`LocalError::Storage`]
    /// where the folder can't be written.
    pub fn open(data: &Path) -> Result<(Self, Option<String>), LocalError> {
        folder::make(data)
            .map_err(|error| LocalError::Storage(format!("the data folder `{}`: {error}", data.display())))?;
        let lock = folder::lock(data)?;
        let (connection, warning) = file::open(&data.join(file::NAME)).map_err(|fault| match fault {
            DatabaseError::Storage(why) => LocalError::Storage(folder::explain(data, why)),
            damaged @ DatabaseError::Damaged(_) => damaged.into(),
        })?;
        drop(lock);
        let (connection, next_session_use) = (Mutex::new(connection), NextUse::default());
        Ok((Self { connection, token_uses: Mutex::default(), next_session_use }, warning))
    }
}

impl fmt::Debug for LocalStore {
    /// Nothing of what is in it: password hashes are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalStore").finish_non_exhaustive()
    }
}

#[cfg(test)]
fn opened(data: &Path) -> LocalStore {
    let (store, warning) = LocalStore::open(data).unwrap();
    assert_eq!(warning, None);
    store
}

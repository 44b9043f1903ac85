//! The local store: data of this machine that is neither in the journal nor
//! public, such as passwords, sessions and download counts.
//!
//! By default it is the file `local.sqlite` beside the journal. If it is erased, no
//! published fact is lost, but people need new passwords. [`LocalStore`] decides, and
//! [`Local`] is the seam below it: [`SqliteLocal`] in a data folder is one store, and
//! the suite in `contract` holds every one to the same behaviour.

mod auth;
mod backend;
#[cfg(any(test, feature = "testing"))]
#[path = "tests/mod.rs"]
pub mod contract;
mod counters;
mod downloads;
mod error;
mod export;
mod history;
mod lock;
mod secret_file;
mod sqlite;
mod uploads;

pub use auth::{PasswordChange, Session, SessionKey};
pub use backend::{
    AccessLogs, Accounts, Downloads, History, Local, LoginFailures, NewSession, PublishedCounters, Records,
    SessionName, StoredSession, TokenUses,
};
pub use downloads::{
    CountedDownloads, Download, DownloadDay, KEY_TTL_DAYS, KnownLog, LogCounted, LogPosition, LogStart,
    client_hash, new_client_key,
};
pub use error::LocalError;
pub use export::{ImportError, LocalRecord};
pub use history::HistoryContents;
pub use lock::{DataFolderLock, lock_data_folder};
pub use secret_file::write_secret_file;
pub use uploads::{StoredUpload, UploadFolder};

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use auth::sessions::NextUse;
use auth::token_use::RecentUses;
pub use sqlite::SqliteLocal;

/// The local data of one registry. Share it in an `Arc`.
pub struct LocalStore {
    backend: Arc<dyn Local>,
    /// The data folder, which has the uploads of this machine.
    data: PathBuf,
    token_uses: Mutex<RecentUses>,
    next_session_use: NextUse,
}

impl LocalStore {
    /// The local data in `backend`. Uploads go into the folder `data`.
    pub fn on(backend: Arc<dyn Local>, data: &Path) -> Self {
        let (token_uses, next_session_use) = (Mutex::default(), NextUse::default());
        Self { backend, data: data.to_owned(), token_uses, next_session_use }
    }

    /// Opens the file in the folder `data`: see [`SqliteLocal::open`].
    pub fn open(data: &Path) -> Result<(Self, Option<String>), LocalError> {
        let (backend, warning) = SqliteLocal::open(data)?;
        uploads::clear(data)?;
        Ok((Self::on(Arc::new(backend), data), warning))
    }

    /// Opens the file in the folder `data`: see [`SqliteLocal::open_undamaged`].
    pub fn open_undamaged(data: &Path) -> Result<Self, LocalError> {
        Ok(Self::on(Arc::new(SqliteLocal::open_undamaged(data)?), data))
    }
}

impl fmt::Debug for LocalStore {
    /// Shows no content, because it includes password hashes.
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

/// The store, and the file below it.
#[cfg(test)]
fn opened_sqlite(data: &Path) -> (LocalStore, Arc<SqliteLocal>) {
    let sqlite = Arc::new(SqliteLocal::open(data).unwrap().0);
    (LocalStore::on(sqlite.clone(), data), sqlite)
}

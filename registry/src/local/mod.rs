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
mod write_counts;

pub use auth::{
    DEVICE_CODE_TTL, DEVICE_POLL_INTERVAL, DeviceCodes, DevicePoll, DeviceRequest, PasswordChange, Session,
    SessionKey, UserCode,
};
pub use backend::{
    AccessLogs, Accounts, DeviceCodeDigest, DeviceLoginState, DeviceLogins, DeviceVerdict, Downloads,
    History, Local, LoginFailures, NetworkLogins, NewDeviceLogin, NewSession, NewUpload, PersonUploads,
    PublishedCounters, Records, Room, SessionName, StoredDeviceLogin, StoredSession, TokenUses, UploadLimits,
    Uploads, WriteCount, WriteCounts, WriteLimit,
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
pub use uploads::UPLOAD_TTL;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;

use auth::sessions::NextUse;
use auth::token_use::RecentUses;
pub use sqlite::SqliteLocal;

use crate::time::Timestamp;

/// The local data of one registry. Share it in an `Arc`.
pub struct LocalStore {
    backend: Arc<dyn Local>,
    token_uses: Mutex<RecentUses>,
    next_session_use: NextUse,
}

impl LocalStore {
    /// The local data in `backend`.
    pub fn on(backend: Arc<dyn Local>) -> Self {
        Self { backend, token_uses: Mutex::default(), next_session_use: NextUse::default() }
    }

    /// Opens the file in the folder `data`: see [`SqliteLocal::open`].
    pub fn open(data: &Path) -> Result<(Self, Option<String>), LocalError> {
        let (backend, warning) = SqliteLocal::open(data)?;
        Ok((Self::on(Arc::new(backend)), warning))
    }

    /// Removes what has expired, also for other processes, and forgets who wrote more than a minute ago.
    /// Call it once a minute.
    pub fn remove_expired(&self, now: Timestamp) -> Result<(), LocalError> {
        // One that fails must not keep the others from it.
        let done =
            [self.forget_device_logins(now), self.forget_uploads(now), self.backend.forget_write_counts()];
        done.into_iter().collect()
    }

    /// Opens the file in the folder `data`: see [`SqliteLocal::open_undamaged`].
    pub fn open_undamaged(data: &Path) -> Result<Self, LocalError> {
        Ok(Self::on(Arc::new(SqliteLocal::open_undamaged(data)?)))
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
    (LocalStore::on(sqlite.clone()), sqlite)
}

//! The local store: data of this machine that is neither in the journal nor
//! public, such as passwords, sessions and download counts.
//!
//! By default it is the file `local.sqlite` beside the journal. If it is erased, no
//! published fact is lost, but people need new passwords. [`LocalStore`] decides what each
//! kind of data is: its file has the form of the records, their spaces and keys, and when they
//! expire. [`Records`] is the seam below. [`SqliteLocal`] is one engine, and
//! the suite in `contract` holds every engine to the same behaviour.

mod auth;
#[cfg(any(test, feature = "testing"))]
#[path = "tests/contract/mod.rs"]
pub mod contract;
mod counters;
mod downloads;
mod error;
mod export;
mod history;
mod lock;
mod records;
mod secret_file;
mod sources;
mod sqlite;
mod uploads;
mod write_counts;

pub use auth::{
    DEVICE_CODE_TTL, DEVICE_POLL_INTERVAL, DeviceCodes, DevicePoll, DeviceRequest, DeviceVerdict,
    PasswordChange, SIGN_IN_TTL, Session, SessionFacts, SessionKey, UserCode,
};
pub use downloads::{CountedDownloads, Download, DownloadDay, KnownLog, LogCounted, LogPosition, LogStart};
pub use error::LocalError;
pub use export::{ImportError, LocalRecord};
pub use history::HistoryContents;
pub use lock::{DataFolderLock, lock_data_folder};
pub use records::{Mode, Place, Record, Records, Space, Transaction, Work, end_of};
pub use secret_file::write_secret_file;
pub use sources::{SeenSkill, SourceOutcome, SourceState};
pub use uploads::{UPLOAD_TTL, UploadLimits};
pub use write_counts::{WriteCount, WriteLimit};

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
    records: Arc<dyn Records>,
    token_uses: Mutex<RecentUses>,
    next_session_use: NextUse,
}

impl LocalStore {
    /// The local data in `records`.
    pub fn on(records: Arc<dyn Records>) -> Self {
        Self { records, token_uses: Mutex::default(), next_session_use: NextUse::default() }
    }

    /// Opens the file in the folder `data`: see [`SqliteLocal::open`].
    pub fn open(data: &Path) -> Result<(Self, Option<String>), LocalError> {
        let (records, warning) = SqliteLocal::open(data)?;
        Ok((Self::on(Arc::new(records)), warning))
    }

    /// Opens the file in the folder `data`: see [`SqliteLocal::open_undamaged`].
    pub fn open_undamaged(data: &Path) -> Result<Self, LocalError> {
        Ok(Self::on(Arc::new(SqliteLocal::open_undamaged(data)?)))
    }

    /// Removes what has expired, also for other processes, and forgets who wrote more than a minute ago.
    /// Call it once a minute.
    pub fn remove_expired(&self, now: Timestamp) -> Result<(), LocalError> {
        // One that fails must not keep the other from it.
        let deleted = self.single(|records| records.delete_expired(now.as_unix()));
        self.records.forget_write_counts().and(deleted)
    }

    /// Makes one call.
    fn single<R>(
        &self,
        call: impl FnMut(&mut dyn Transaction) -> Result<R, LocalError>,
    ) -> Result<R, LocalError> {
        self.run(Mode::Single, call)
    }

    /// Runs `work` as a whole or not at all. See [`Mode::Write`] for the lock.
    fn write<R>(
        &self,
        lock: Option<Space>,
        work: impl FnMut(&mut dyn Transaction) -> Result<R, LocalError>,
    ) -> Result<R, LocalError> {
        self.run(Mode::Write { lock, is_durable: true }, work)
    }

    fn run<R>(
        &self,
        mode: Mode,
        mut work: impl FnMut(&mut dyn Transaction) -> Result<R, LocalError>,
    ) -> Result<R, LocalError> {
        let mut done = None;
        self.records.run(mode, &mut |records| {
            done = Some(work(records)?);
            Ok(())
        })?;
        done.ok_or_else(|| LocalError::Storage("the work did not run".into()))
    }
}

impl fmt::Debug for LocalStore {
    /// Shows no content, because it includes password hashes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalStore").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;

//! The local store: data of this machine that is neither in the journal nor
//! public, such as passwords, sessions and download counts.
//!
//! It is the file `local.sqlite` beside the journal. If it is erased, no
//! published fact is lost, but people need new passwords. Each file of this
//! module has the tables of one subject.

mod auth;
mod counters;
mod downloads;
mod error;
mod export;
mod history;
mod local_database;
mod lock;
mod secret_file;
mod uploads;

pub use auth::{PasswordChange, Session, SessionKey};
pub use downloads::{CountedDownloads, Download, DownloadDay, KnownLog, LogCounted, LogPosition, LogStart};
pub use error::LocalError;
pub use export::ImportError;
pub use history::HistoryContents;
pub use lock::{DataFolderLock, lock_data_folder};
pub use secret_file::write_secret_file;
pub use uploads::{StoredUpload, UploadFolder};

use std::fmt;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension, Params, Transaction, TransactionBehavior};

use crate::journal::database::DatabaseError;
use crate::journal::folder;
use auth::sessions::NextUse;
use auth::token_use::TokenUses;

/// The local store of one data folder. Any number of processes may have it open.
/// Share it in an `Arc`.
pub struct LocalStore {
    data: PathBuf,
    connection: Mutex<Connection>,
    token_uses: Mutex<TokenUses>,
    next_session_use: NextUse,
}

impl LocalStore {
    /// Whether the folder `data` contains a store.
    pub fn is_in(data: &Path) -> bool {
        data.join(local_database::NAME).exists()
    }

    /// The number of the layout of the store in the folder `data`. `None` if there is none.
    ///
    /// Errors: [`LocalError::Storage`] also if a newer release wrote it.
    pub fn format(data: &Path) -> Result<Option<i64>, LocalError> {
        Ok(local_database::format(&data.join(local_database::NAME))?)
    }

    /// Opens the store in the folder `data`. Creates both if they are missing,
    /// the folder for its owner alone.
    ///
    /// A file that is damaged, or has an older format than this program reads, is
    /// moved aside and replaced by an empty one. The second value is then a warning
    /// for the operator.
    ///
    /// Errors: [`LocalError::Storage`] if the folder cannot be written to, or if a
    /// newer release wrote the file.
    pub fn open(data: &Path) -> Result<(Self, Option<String>), LocalError> {
        Self::open_with(data, local_database::open)
    }

    /// Opens the store like [`LocalStore::open`], but leaves a damaged file where it
    /// is: a backup of an empty one would look like a good backup.
    ///
    /// Errors: also [`LocalError::Damaged`].
    pub fn open_undamaged(data: &Path) -> Result<Self, LocalError> {
        let opened = Self::open_with(data, |path| Ok((local_database::open_or_make(path)?, None)));
        opened.map(|(store, _)| store)
    }

    fn open_with(
        data: &Path,
        open: impl FnOnce(&Path) -> Result<(Connection, Option<String>), DatabaseError>,
    ) -> Result<(Self, Option<String>), LocalError> {
        folder::make(data).map_err(|error| {
            LocalError::Storage(format!("the data folder `{}`: {error}", data.display()).into())
        })?;
        let lock = folder::lock(data)?;
        let opened = open(&data.join(local_database::NAME)).map_err(LocalError::from);
        let (connection, warning) = opened.map_err(|error| match error {
            LocalError::Storage(cause) => LocalError::Storage(folder::explain(data, cause)),
            other => other,
        })?;
        uploads::clear(data)?;
        drop(lock);
        let (connection, next_session_use) = (Mutex::new(connection), NextUse::default());
        let data = data.to_owned();
        Ok((Self { data, connection, token_uses: Mutex::default(), next_session_use }, warning))
    }

    /// Reads the first column of the first row, if there is one.
    fn read_one<T: FromSql>(&self, query: &str, values: impl Params) -> Result<Option<T>, LocalError> {
        let connection = self.connection.lock();
        let mut statement = connection.prepare_cached(query)?;
        Ok(statement.query_row(values, |row| row.get(0)).optional()?)
    }

    /// Runs `work` in a transaction, which is committed if `work` succeeds. The
    /// write lock is taken first, so that no other process changes what is read.
    fn write<R>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<R, LocalError>,
    ) -> Result<R, LocalError> {
        let mut connection = self.connection.lock();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
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

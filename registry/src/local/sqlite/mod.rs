//! The local data of a data folder: the file `local.sqlite`. Each file of this module has
//! the tables of one subject.

mod accounts;
mod clients;
mod counters;
mod database;
mod device_logins;
mod downloads;
mod history;
mod login_failures;
mod logs;
mod records;
mod token_uses;
mod uploads;
mod write_counts;

use std::fmt;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension, Params, Transaction, TransactionBehavior};

use super::LocalError;
use crate::journal::database::DatabaseError;
use crate::journal::folder;

/// The local store of one data folder. Any number of processes may have it open.
pub struct SqliteLocal {
    path: PathBuf,
    pub(super) connection: Mutex<Connection>,
    /// For uploads and for logins with a code, which a power loss may take with it.
    unsynced: Mutex<Connection>,
    write_counts: write_counts::FullTimes,
}

impl SqliteLocal {
    /// Whether the folder `data` contains a store.
    pub fn is_in(data: &Path) -> bool {
        data.join(database::NAME).exists()
    }

    /// The number of the layout of the store in the folder `data`. `None` if there is none.
    ///
    /// Errors: [`LocalError::Storage`] also if a newer release wrote it.
    pub fn format(data: &Path) -> Result<Option<i64>, LocalError> {
        Ok(database::format(&data.join(database::NAME))?)
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
        Self::open_with(data, database::open)
    }

    /// Opens the store like [`SqliteLocal::open`], but leaves a damaged file where it
    /// is: a backup of an empty one would look like a good backup.
    ///
    /// Errors: also [`LocalError::Damaged`].
    pub fn open_undamaged(data: &Path) -> Result<Self, LocalError> {
        let opened = Self::open_with(data, |path| Ok((database::open_or_make(path)?, None)));
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
        let path = data.join(database::NAME);
        let opened = open(&path).map_err(LocalError::from);
        let (connection, warning) = opened.map_err(|error| match error {
            LocalError::Storage(cause) => LocalError::Storage(folder::explain(data, cause)),
            other => other,
        })?;
        let unsynced = Mutex::new(database::connect_unsynced(&path)?);
        drop(lock);
        let (connection, write_counts) = (Mutex::new(connection), write_counts::FullTimes::default());
        Ok((Self { path, connection, unsynced, write_counts }, warning))
    }

    /// Closes the last connection. All of the store is in its one file then.
    pub(super) fn close(self) -> Result<(), LocalError> {
        drop(self.unsynced);
        Ok(crate::journal::database::close(self.connection.into_inner(), &self.path)?)
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
        write_to(&self.connection, work)
    }
}

/// Runs `work` in a transaction of this connection, as [`SqliteLocal::write`] does.
fn write_to<R>(
    connection: &Mutex<Connection>,
    work: impl FnOnce(&Transaction<'_>) -> Result<R, LocalError>,
) -> Result<R, LocalError> {
    let mut connection = connection.lock();
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = work(&transaction)?;
    transaction.commit()?;
    Ok(done)
}

impl fmt::Debug for SqliteLocal {
    /// Shows no content, because it includes password hashes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteLocal").finish_non_exhaustive()
    }
}

//! The local data of a data folder: the file `local.sqlite`.

mod database;
mod transaction;
mod write_counts;

use std::fmt;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use rusqlite::{Connection, TransactionBehavior};

use super::{LocalError, Mode, Records, Work, WriteCount, WriteLimit};
use crate::journal::database::{BUSY_TIMEOUT, DatabaseError, close, connect};
use crate::journal::folder;
use crate::names::Digest;

/// The local store of one data folder. Any number of processes may have it open.
pub struct SqliteLocal {
    path: PathBuf,
    pub(super) connection: Mutex<Connection>,
    /// For works that read, and for single calls: a write that waits for the disk must not delay them. What it
    /// writes is always durable.
    reader: Mutex<Connection>,
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
        let reader = Mutex::new(connect(&path, BUSY_TIMEOUT)?);
        drop(lock);
        let (connection, write_counts) = (Mutex::new(connection), write_counts::FullTimes::default());
        Ok((Self { path, connection, reader, write_counts }, warning))
    }

    /// Closes the last connection. All of the store is in its one file then.
    pub(super) fn close(self) -> Result<(), LocalError> {
        drop(self.reader);
        Ok(close(self.connection.into_inner(), &self.path)?)
    }
}

impl Records for SqliteLocal {
    fn run(&self, mode: Mode, work: &mut Work<'_>) -> Result<(), LocalError> {
        let mut connection;
        let mut transaction = match mode {
            Mode::Single | Mode::Snapshot => {
                connection = self.reader.lock();
                connection.transaction()?
            }
            Mode::Write { is_durable, .. } => {
                connection = self.connection.lock();
                connection.pragma_update(None, "synchronous", if is_durable { "full" } else { "normal" })?;
                // The lock of the file is taken first, so that no other process changes what is read.
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?
            }
        };
        work(&mut transaction)?;
        Ok(transaction.commit()?)
    }

    fn count_write(&self, key: &Digest, limit: WriteLimit) -> Result<WriteCount, LocalError> {
        Ok(write_counts::count(&self.write_counts, key, limit))
    }

    fn forget_write_counts(&self) -> Result<(), LocalError> {
        write_counts::forget(&self.write_counts);
        Ok(())
    }
}

impl fmt::Debug for SqliteLocal {
    /// Shows no content, because it includes password hashes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteLocal").finish_non_exhaustive()
    }
}

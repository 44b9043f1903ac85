//! What the two SQLite files of a data folder have in common: how one is made,
//! opened, and how its failures are told apart.

use std::fs::File;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Row};

use super::folder;

/// How long a writer waits for another process's write before it gives up.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// A log longer than this (bytes) is cut back after a checkpoint.
const MAX_LOG_BYTES: u32 = 64 * 1024 * 1024;

/// Why a database did not do what it was asked; never with a value in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DatabaseError {
    /// It is full, locked, read-only, out of reach: another try may do.
    Storage(String),
    /// What it holds is not what was written: no other try will do.
    Damaged(String),
}

impl DatabaseError {
    /// The same fault, saying where it was met.
    pub(crate) fn at(self, place: &str) -> Self {
        match self {
            Self::Storage(why) => Self::Storage(format!("{place}: {why}")),
            Self::Damaged(why) => Self::Damaged(format!("{place}: {why}")),
        }
    }
}

impl From<std::io::Error> for DatabaseError {
    fn from(error: std::io::Error) -> Self {
        Self::Storage(error.to_string())
    }
}

impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error as E;
        let damaged = match &error {
            // The statements are fixed and fit the schema. One that SQLite
            // can't compile, and a value that is not of its column's type,
            // were not put there by this program.
            E::SqlInputError { error, .. } | E::SqliteFailure(error, _) => {
                matches!(error.code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
                    || error.extended_code == rusqlite::ffi::SQLITE_ERROR
            }
            E::InvalidColumnType(..)
            | E::FromSqlConversionFailure(..)
            | E::IntegralValueOutOfRange(..)
            | E::Utf8Error(..)
            | E::QueryReturnedNoRows => true,
            _ => false,
        };
        let text = error.to_string();
        if damaged { Self::Damaged(text) } else { Self::Storage(text) }
    }
}

/// Makes the database `path` with what `fill` puts into it. It appears whole:
/// whoever finds a file there finds a complete database or a damaged one, and
/// never one in the making. To be called with the folder's lock held.
pub(crate) fn make(
    path: &Path,
    fill: impl FnOnce(&Connection) -> Result<(), rusqlite::Error>,
) -> Result<(), DatabaseError> {
    let parent = path.parent().unwrap_or(Path::new("."));
    // A folder of its own, because SQLite puts its log beside the file.
    let staging = tempfile::Builder::new().prefix(folder::MAKING).tempdir_in(parent)?;
    // Made by us so that only the owner can read it (0600); the log and the
    // index that SQLite adds take the same mode.
    let file = tempfile::NamedTempFile::new_in(staging.path())?.into_temp_path();
    let connection = connect(&file, BUSY_TIMEOUT)?;
    fill(&connection)?;
    // Closing the last connection moves the log into the file and removes it.
    connection.close().map_err(|(_, error)| error)?;
    File::open(&file)?.sync_all()?;
    file.persist(path).map_err(|refused| refused.error)?;
    folder::sync(parent)?;
    Ok(())
}

/// Opens the database at `path`, which must exist, for reading and writing.
/// A commit is on the disk when it returns; a reader never waits for a writer.
pub(crate) fn connect(path: &Path, busy_timeout: Duration) -> Result<Connection, DatabaseError> {
    // No URIs: a folder may be called `file:x`. No mutex of SQLite's own:
    // a Connection can't be shared between threads without one of ours.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(busy_timeout)?;
    // For a new database. A publication's row has some 3 KB: of the usual 4 KiB
    // a page, one row to each, a third would be read and written for nothing.
    connection.pragma_update(None, "page_size", 8192)?;
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?;
    if mode != "wal" {
        return Err(DatabaseError::Storage(format!(
            "the file system can't hold a write-ahead log (journal mode {mode})"
        )));
    }
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "journal_size_limit", MAX_LOG_BYTES)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    // Finds more kinds of damage at the price of a look at each page.
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(connection)
}

/// Makes an empty database at `path`, for its owner alone, to be filled by a
/// copy of another: a crash may cut it off.
pub(crate) fn create(path: &Path) -> Result<Connection, DatabaseError> {
    File::options().write(true).create_new(true).mode(0o600).open(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(path, flags)?)
}

/// Closes the last connection to the database at `path`, after which all of it
/// is in that file.
pub(crate) fn close(connection: Connection, path: &Path) -> Result<(), DatabaseError> {
    connection.pragma_update_and_check(None, "wal_checkpoint", "truncate", |_| Ok(()))?;
    connection.close().map_err(|(_, error)| error)?;
    let log = beside(path, "-wal");
    if log.metadata().is_ok_and(|found| found.len() > 0) {
        return Err(DatabaseError::Storage(format!("`{}` is in use by another process", path.display())));
    }
    Ok(())
}

/// A count, revision or limit as SQLite stores numbers, which are signed.
/// Values above `i64::MAX` are saturated: no row has such a number.
pub(crate) fn to_sql(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Reads a number that [`to_sql`] stored. A negative number was not written by
/// this program and is an error.
pub(crate) fn read_u64(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}

/// The file that SQLite keeps beside `path` under its name and `suffix`.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

//! How the SQLite databases of a data folder are created, opened and closed,
//! and how their errors are classified.

use std::fs::File;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Row};

use super::{Cause, folder};

/// How long a write waits for another process's write before it fails.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// A write-ahead log longer than this (bytes) is truncated after a checkpoint.
const MAX_LOG_BYTES: u32 = 64 * 1024 * 1024;

/// SQLite's own mutex is off: a `Connection` is shared between threads under
/// one of ours. URIs are off too, because a folder may be called `file:x`.
const FLAGS: OpenFlags = OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// Why a database operation failed. The text never contains a stored value.
#[derive(Debug)]
pub(crate) enum DatabaseError {
    /// The database is full, locked, read-only or out of reach. A retry may
    /// succeed.
    Storage(Cause),
    /// The stored bytes are not those that were written. No retry will succeed.
    Damaged(Cause),
}

impl DatabaseError {
    /// Adds the place where the error occurred.
    pub(crate) fn at(self, place: &str) -> Self {
        match self {
            Self::Storage(cause) => Self::Storage(format!("{place}: {cause}").into()),
            Self::Damaged(cause) => Self::Damaged(format!("{place}: {cause}").into()),
        }
    }
}

impl From<std::io::Error> for DatabaseError {
    fn from(error: std::io::Error) -> Self {
        Self::Storage(error.into())
    }
}

impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error as E;
        let is_damage = match &error {
            // The statements are constant and fit the schema. If SQLite cannot
            // compile one, or a value has the wrong type, another program has
            // changed the file.
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
        let cause = sqlite_fault(&error).into();
        if is_damage { Self::Damaged(cause) } else { Self::Storage(cause) }
    }
}

/// Says what is wrong with a database file, without a stored value. The words follow a colon.
pub(crate) fn sqlite_fault(error: &rusqlite::Error) -> String {
    let Some(code) = error.sqlite_error_code() else {
        return "it has other content than this program writes".to_owned();
    };
    match code {
        ErrorCode::DatabaseCorrupt => "its bytes are not those that were written",
        ErrorCode::NotADatabase => "it is not an SQLite database",
        ErrorCode::DiskFull => "the disk is full",
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => "this user may not write it",
        ErrorCode::CannotOpen => {
            "it cannot be opened: check its owner and permissions, and those of its folder"
        }
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => "another process is writing it: try again",
        ErrorCode::SystemIoFailure | ErrorCode::NoLargeFileSupport => "the disk failed to read or write it",
        ErrorCode::OutOfMemory => "this machine has no memory left",
        ErrorCode::TooBig => "a value is too large",
        ErrorCode::Unknown => "its tables are not those of this program",
        _ => return format!("SQLite refused it (code {})", extended(error)),
    }
    .to_owned()
}

/// The extended result code of SQLite, which its documentation explains.
fn extended(error: &rusqlite::Error) -> i32 {
    error.sqlite_error().map_or(0, |error| error.extended_code)
}

/// Creates the database `path` with the content that `fill` writes. The file
/// appears under its name only when it is complete. Call it with the folder's
/// lock held.
pub(crate) fn make(
    path: &Path,
    fill: impl FnOnce(&Connection) -> Result<(), rusqlite::Error>,
) -> Result<(), DatabaseError> {
    let parent = folder::parent(path);
    // SQLite puts its log beside the file, so the file needs a folder of its own.
    let staging = tempfile::Builder::new().prefix(folder::DATABASE_PREFIX).tempdir_in(parent)?;
    // Temporary files are created for the owner alone (0600). SQLite gives the
    // same mode to the log and its index.
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

/// Opens the existing database at `path` for reading and writing. A commit is on
/// the disk when it returns, and readers never wait for a writer.
pub(crate) fn connect(path: &Path, busy_timeout: Duration) -> Result<Connection, DatabaseError> {
    let connection = Connection::open_with_flags(path, FLAGS)?;
    connection.busy_timeout(busy_timeout)?;
    // This only affects new databases. The row of a publication has about 3 KB.
    // With the default of 4 KiB, a page holds one row and a third of it is unused.
    connection.pragma_update(None, "page_size", 8192)?;
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?;
    if mode != "wal" {
        let why = format!("the file system does not support a write-ahead log (journal mode {mode})");
        return Err(DatabaseError::Storage(why.into()));
    }
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "journal_size_limit", MAX_LOG_BYTES)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    // Finds more kinds of damage, at the cost of a check for each page.
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(connection)
}

/// Creates an empty database at `path` for the owner alone, as the target of a
/// copy. A crash may leave it incomplete.
pub(crate) fn create(path: &Path) -> Result<Connection, DatabaseError> {
    File::options().write(true).create_new(true).mode(0o600).open(path)?;
    Ok(Connection::open_with_flags(path, FLAGS)?)
}

/// Closes the last connection to the database at `path`. All of its content is
/// in that one file then.
pub(crate) fn close(connection: Connection, path: &Path) -> Result<(), DatabaseError> {
    connection.pragma_update_and_check(None, "wal_checkpoint", "truncate", |_| Ok(()))?;
    connection.close().map_err(|(_, error)| error)?;
    if beside(path, "-wal").metadata().is_ok_and(|log| log.len() > 0) {
        let why = format!("`{}` is in use by another process", path.display());
        return Err(DatabaseError::Storage(why.into()));
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

/// The file that SQLite keeps beside `path`, whose name ends in `suffix`.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

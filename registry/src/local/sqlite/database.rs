//! Creates and opens `local.sqlite`, and sets it aside if it is damaged.

use std::io;
use std::path::Path;

use rusqlite::Connection;

use super::transaction::SCHEMA;
use crate::journal::database::{self, BUSY_TIMEOUT, DatabaseError, beside};
use crate::journal::folder;
use crate::time::Timestamp;

/// The name of the file in the data folder.
pub(super) const NAME: &str = folder::LOCAL;

/// The number of the layout, stored in `user_version`. A new kind of records needs no new number: it has its own space.
const FORMAT: i64 = 1;

/// The suffixes of the files that SQLite keeps beside the database.
const LOG_SUFFIXES: [&str; 2] = ["-wal", "-shm"];

/// Opens the file at `path`, or creates it. If it is damaged, sets it aside,
/// creates an empty one and returns a warning. Call it with the folder's lock
/// held.
pub(super) fn open(path: &Path) -> Result<(Connection, Option<String>), DatabaseError> {
    match open_or_make(path) {
        Ok(connection) => Ok((connection, None)),
        Err(DatabaseError::Damaged(why)) => {
            let aside = set_aside(path)?;
            let connection = open_or_make(path)?;
            let warning = format!(
                "`{NAME}` could not be used ({why}) and was moved to `{aside}`. The new one is empty: set \
                 passwords again. Downloads are counted from zero. No published data is lost, and no token but \
                 those of sessions."
            );
            Ok((connection, Some(warning)))
        }
        Err(storage) => Err(storage),
    }
}

/// Opens the file at `path`, or creates it. Call it with the folder's lock held.
pub(super) fn open_or_make(path: &Path) -> Result<Connection, DatabaseError> {
    if !path.try_exists()? {
        // A log without its database belongs to an erased one. SQLite would replay
        // it into the new database.
        for suffix in LOG_SUFFIXES {
            ignore_missing(std::fs::remove_file(beside(path, suffix)))?;
        }
        database::make(path, |connection| connection.pragma_update(None, "user_version", FORMAT))?;
    }
    let connection = database::connect(path, BUSY_TIMEOUT)?;
    let format = known_format(&connection)?;
    if format != FORMAT {
        let why = format!("it has format {format}, but this program reads format {FORMAT}");
        return Err(DatabaseError::Damaged(why.into()));
    }
    let health: String = connection.pragma_query_value(None, "quick_check", |row| row.get(0))?;
    if health != "ok" {
        return Err(DatabaseError::Damaged(health.into()));
    }
    // Erased data must not be recoverable: overwrite it.
    connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
    connection.execute_batch(SCHEMA)?;
    Ok(connection)
}

/// The number of the layout of the file at `path`. `None` if there is no file.
///
/// Errors: also if a newer release wrote it.
pub(super) fn format(path: &Path) -> Result<Option<i64>, DatabaseError> {
    if !path.try_exists()? {
        return Ok(None);
    }
    known_format(&database::connect(path, BUSY_TIMEOUT)?).map(Some)
}

/// The number of the layout. A newer one is no damage: setting the file aside would lose what is in
/// it, when the older release was started by mistake.
fn known_format(connection: &Connection) -> Result<i64, DatabaseError> {
    let format: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if format > FORMAT {
        let why = format!(
            "`{NAME}` has format {format}, but this program reads format {FORMAT}: use the release that wrote it, or a \
             newer one"
        );
        return Err(DatabaseError::Storage(why.into()));
    }
    Ok(format)
}

/// Renames the file and its logs. Returns the new name.
fn set_aside(path: &Path) -> io::Result<String> {
    let suffix = format!(".damaged-{}", Timestamp::now().as_unix());
    let aside = beside(path, &suffix);
    // The logs first: if this process is killed in between, SQLite must not take
    // them for the new file's.
    for suffix in LOG_SUFFIXES {
        ignore_missing(std::fs::rename(beside(path, suffix), beside(&aside, suffix)))?;
    }
    ignore_missing(std::fs::rename(path, &aside))?;
    folder::sync(folder::parent(path))?;
    Ok(format!("{NAME}{suffix}"))
}

fn ignore_missing(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests;

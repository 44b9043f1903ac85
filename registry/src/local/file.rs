//! `local.sqlite`: made, opened, and set aside when it is damaged.

use std::io;
use std::path::Path;

use rusqlite::Connection;

use super::auth::{login_failures, password, sessions, token_use};
use super::counters::{adopted, published};
use super::{downloads, history};
use crate::journal::database::{self, BUSY_TIMEOUT, DatabaseError, beside};
use crate::journal::folder;
use crate::time::Timestamp;

/// The name of the file in the data folder.
pub(super) const NAME: &str = "local.sqlite";

/// The number of the layout, in the file's `user_version`. A new table needs
/// no new number: every opening makes those that are missing.
const FORMAT: i64 = 1;

/// Every noun's tables.
const SCHEMAS: [&str; 10] = [
    history::SCHEMA,
    adopted::SCHEMA,
    password::SCHEMA,
    token_use::SCHEMA,
    sessions::SCHEMA,
    login_failures::SCHEMA,
    published::SCHEMA,
    downloads::SCHEMA,
    downloads::CLIENTS,
    downloads::LOGS,
];

/// What SQLite keeps beside the file.
const LOGS: [&str; 2] = ["-wal", "-shm"];

/// Opens the file at `path`, making it where it is missing. Where it is
/// damaged, sets it aside and makes another; the sentence says so. To be
/// called with the folder's lock held.
pub(super) fn open(path: &Path) -> Result<(Connection, Option<String>), DatabaseError> {
    match open_or_make(path) {
        Ok(connection) => Ok((connection, None)),
        Err(DatabaseError::Damaged(why)) => {
            let aside = set_aside(path)?;
            let connection = open_or_make(path)?;
            Ok((connection, Some(warning(&why, &aside))))
        }
        Err(storage) => Err(storage),
    }
}

fn warning(why: &str, aside: &str) -> String {
    format!(
        "`{NAME}` could not be used ({why}) and was moved to `{aside}`; an empty one takes its place, so \
         passwords have to be set again, and downloads are counted from nothing. Nothing published and no \
         token is lost."
    )
}

fn open_or_make(path: &Path) -> Result<Connection, DatabaseError> {
    if !path.try_exists()? {
        // A log without its file belongs to one that was erased. SQLite would
        // replay it into the new one.
        for log in LOGS {
            remove(&beside(path, log))?;
        }
        database::make(path, |connection| connection.pragma_update(None, "user_version", FORMAT))?;
    }
    let connection = database::connect(path, BUSY_TIMEOUT)?;
    let format: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if format != FORMAT {
        return Err(DatabaseError::Damaged(format!("it has format {format}, this program knows {FORMAT}")));
    }
    let health: String = connection.pragma_query_value(None, "quick_check", |row| row.get(0))?;
    if health != "ok" {
        return Err(DatabaseError::Damaged(health));
    }
    // What is erased here was kept for a while on purpose: it is overwritten.
    connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
    for schema in SCHEMAS {
        connection.execute_batch(schema)?;
    }
    Ok(connection)
}

/// Renames the file and what belongs to it; gives its new name.
fn set_aside(path: &Path) -> io::Result<String> {
    let suffix = format!(".damaged-{}", Timestamp::now().as_unix());
    let aside = beside(path, &suffix);
    // The logs first: were it the other way round and we were killed between,
    // they would be taken for the new file's.
    for log in LOGS {
        rename(&beside(path, log), &beside(&aside, log))?;
    }
    rename(path, &aside)?;
    if let Some(data) = path.parent() {
        folder::sync(data)?;
    }
    Ok(format!("{NAME}{suffix}"))
}

fn remove(path: &Path) -> io::Result<()> {
    absent_is_fine(std::fs::remove_file(path))
}

fn rename(from: &Path, to: &Path) -> io::Result<()> {
    absent_is_fine(std::fs::rename(from, to))
}

fn absent_is_fine(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests;

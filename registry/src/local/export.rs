//! The part of the local store that goes into a backup: password hashes and
//! download counts, as lines of JSON.
//!
//! Sessions, failed logins, uses of tokens, remembered clients and positions in
//! logs stay on their machine. The lines have a narrower format than a database,
//! so that a changed backup cannot bring anything else.

use std::io::{BufRead, Read, Write};
use std::path::Path;

use rusqlite::{Connection, Transaction, params};
use serde::{Deserialize, Serialize};

use super::{LocalError, LocalStore, downloads, local_database};
use crate::journal::database::{self, read_u64};
use crate::names::Handle;
use crate::private::is_password_hash;
use crate::time::Day;

/// The longest line in bytes.
const MAX_LINE: u64 = 2048;

/// The highest sum of all counts. SQLite's sums of more could overflow.
const MAX_DOWNLOADS: u64 = 1 << 53;

/// A line.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Record {
    Password {
        handle: String,
        hash: String,
    },
    /// The downloads of a version on a day, which is counted from 1970-01-01.
    Downloads {
        skill: u64,
        version: u64,
        day: i64,
        count: u64,
    },
    /// The downloads of a skill whose days are not known any more.
    EarlierDownloads {
        skill: u64,
        count: u64,
    },
}

/// Why the lines of a backup were not imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The line is not one that [`LocalStore::export`] writes. The text does not
    /// repeat it, because it may contain a hash.
    #[error("line {0} is not a password or a download count that this release reads")]
    Line(u64),
    /// The store failed.
    #[error(transparent)]
    Local(#[from] LocalError),
}

impl From<rusqlite::Error> for ImportError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Local(error.into())
    }
}

impl LocalStore {
    /// Writes the password hashes and download counts as they are now, one record
    /// a line.
    pub fn export(&self, to: &mut impl Write) -> Result<(), LocalError> {
        let mut connection = self.connection.lock();
        // One transaction, so that all queries see one state.
        let transaction = connection.transaction()?;
        write_records(&transaction, to, "SELECT handle, phc FROM passwords ORDER BY handle", |row| {
            Ok(Record::Password { handle: row.get(0)?, hash: row.get(1)? })
        })?;
        let days = "SELECT skill, version, day, count FROM download_days ORDER BY skill, version, day";
        write_records(&transaction, to, days, |row| {
            let (skill, version) = (read_u64(row, 0)?, read_u64(row, 1)?);
            Ok(Record::Downloads { skill, version, day: row.get(2)?, count: read_u64(row, 3)? })
        })?;
        write_records(&transaction, to, "SELECT skill, count FROM lost_downloads ORDER BY skill", |row| {
            Ok(Record::EarlierDownloads { skill: read_u64(row, 0)?, count: read_u64(row, 1)? })
        })
    }

    /// Creates a store in `folder`, which has none, from the lines `from`. They
    /// belong to the history `epoch`. Afterwards all of it is in one file.
    pub fn import(folder: &Path, epoch: &str, from: impl BufRead) -> Result<(), ImportError> {
        let (store, _) = Self::open(folder)?;
        let mut connection = store.connection.into_inner();
        let transaction = connection.transaction()?;
        read_records(&transaction, from)?;
        downloads::recompute_totals(&transaction)?;
        transaction.execute("INSERT OR REPLACE INTO history(one, epoch) VALUES (1, ?1)", [epoch])?;
        transaction.commit()?;
        database::close(connection, &folder.join(local_database::NAME)).map_err(LocalError::from)?;
        Ok(())
    }
}

fn write_records(
    connection: &Connection,
    to: &mut impl Write,
    query: &str,
    record: impl Fn(&rusqlite::Row<'_>) -> rusqlite::Result<Record>,
) -> Result<(), LocalError> {
    let mut statement = connection.prepare(query)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        serde_json::to_writer(&mut *to, &record(row)?).map_err(std::io::Error::from)?;
        to.write_all(b"\n")?;
    }
    Ok(())
}

fn read_records(transaction: &Transaction<'_>, mut from: impl BufRead) -> Result<(), ImportError> {
    let (mut line, mut downloads) = (Vec::new(), 0_u64);
    for number in 1.. {
        line.clear();
        let length = from.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(LocalError::from)?;
        if length == 0 {
            break;
        }
        let invalid = || ImportError::Line(number);
        let record = serde_json::from_slice(&line).map_err(|_| invalid())?;
        if let Record::Downloads { count, .. } | Record::EarlierDownloads { count, .. } = record {
            downloads =
                downloads.checked_add(count).filter(|sum| *sum <= MAX_DOWNLOADS).ok_or_else(invalid)?;
        }
        if insert(transaction, &record)? != Some(1) {
            return Err(invalid());
        }
    }
    Ok(())
}

/// Inserts a record. Returns the number of new rows, or None if the record is
/// invalid.
fn insert(transaction: &Transaction<'_>, record: &Record) -> rusqlite::Result<Option<usize>> {
    let id = |number: u64| i64::try_from(number).ok();
    let inserted = match record {
        Record::Password { handle, hash } => {
            if handle.parse::<Handle>().is_err() || !is_password_hash(hash) {
                return Ok(None);
            }
            transaction
                .prepare_cached("INSERT OR IGNORE INTO passwords(handle, phc) VALUES (?1, ?2)")?
                .execute([handle, hash])?
        }
        Record::Downloads { skill, version, day, count } => {
            let (Some(skill), Some(version), Some(count), Some(day)) =
                (id(*skill), id(*version), id(*count), Day::from_number(*day))
            else {
                return Ok(None);
            };
            transaction
                .prepare_cached(
                    "INSERT OR IGNORE INTO download_days(skill, version, day, count) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![skill, version, day.number(), count])?
        }
        Record::EarlierDownloads { skill, count } => {
            let (Some(skill), Some(count)) = (id(*skill), id(*count)) else { return Ok(None) };
            transaction
                .prepare_cached("INSERT OR IGNORE INTO lost_downloads(skill, count) VALUES (?1, ?2)")?
                .execute([skill, count])?
        }
    };
    Ok(Some(inserted))
}

#[cfg(test)]
mod tests;

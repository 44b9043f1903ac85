//! Reads and writes what a backup or a copy has.

use rusqlite::{Connection, Transaction, params};

use super::{SqliteLocal, downloads};
use crate::journal::database::{read_u64, to_sql};
use crate::local::{ImportError, LocalError, LocalRecord, Records};

impl Records for SqliteLocal {
    fn export(&self, visit: &mut dyn FnMut(LocalRecord) -> Result<(), LocalError>) -> Result<(), LocalError> {
        let mut connection = self.connection.lock();
        // One transaction, so that all queries see one state.
        let transaction = connection.transaction()?;
        read_records(&transaction, visit, "SELECT handle, phc FROM passwords ORDER BY handle", |row| {
            Ok(LocalRecord::Password { handle: row.get(0)?, hash: row.get(1)? })
        })?;
        let days = "SELECT skill, version, day, count FROM download_days ORDER BY skill, version, day";
        read_records(&transaction, visit, days, |row| {
            let (skill, version) = (read_u64(row, 0)?, read_u64(row, 1)?);
            Ok(LocalRecord::Downloads { skill, version, day: row.get(2)?, count: read_u64(row, 3)? })
        })?;
        read_records(&transaction, visit, "SELECT skill, count FROM lost_downloads ORDER BY skill", |row| {
            Ok(LocalRecord::EarlierDownloads { skill: read_u64(row, 0)?, count: read_u64(row, 1)? })
        })
    }

    fn import(
        &self,
        epoch: &str,
        records: &mut dyn Iterator<Item = Result<LocalRecord, ImportError>>,
    ) -> Result<(), ImportError> {
        let mut connection = self.connection.lock();
        let transaction = connection.transaction()?;
        for (number, record) in (1..).zip(records) {
            if insert(&transaction, &record?)? != 1 {
                return Err(ImportError::Line(number));
            }
        }
        downloads::recompute_totals(&transaction)?;
        transaction.execute("INSERT OR REPLACE INTO history(one, epoch) VALUES (1, ?1)", [epoch])?;
        transaction.commit()?;
        Ok(())
    }
}

fn read_records(
    connection: &Connection,
    visit: &mut dyn FnMut(LocalRecord) -> Result<(), LocalError>,
    query: &str,
    record: impl Fn(&rusqlite::Row<'_>) -> rusqlite::Result<LocalRecord>,
) -> Result<(), LocalError> {
    let mut statement = connection.prepare(query)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        visit(record(row)?)?;
    }
    Ok(())
}

/// Inserts a record. Returns the number of new rows.
fn insert(transaction: &Transaction<'_>, record: &LocalRecord) -> rusqlite::Result<usize> {
    match record {
        LocalRecord::Password { handle, hash } => transaction
            .prepare_cached("INSERT OR IGNORE INTO passwords(handle, phc) VALUES (?1, ?2)")?
            .execute([handle, hash]),
        LocalRecord::Downloads { skill, version, day, count } => transaction
            .prepare_cached(
                "INSERT OR IGNORE INTO download_days(skill, version, day, count) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![to_sql(*skill), to_sql(*version), day, to_sql(*count)]),
        LocalRecord::EarlierDownloads { skill, count } => transaction
            .prepare_cached("INSERT OR IGNORE INTO lost_downloads(skill, count) VALUES (?1, ?2)")?
            .execute([to_sql(*skill), to_sql(*count)]),
    }
}

//! The table of records.

use rusqlite::{OptionalExtension, Params, Row, params};

use crate::journal::database::read_u64;
use crate::local::{LocalError, Place, Record, Space, Transaction, end_of};

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS records(
        space TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, number INTEGER NOT NULL, expires INTEGER,
        PRIMARY KEY (space, key)) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS records_number ON records(space, number) WHERE number > 0;
    CREATE INDEX IF NOT EXISTS records_expires ON records(expires) WHERE expires IS NOT NULL;
";

impl Transaction for rusqlite::Transaction<'_> {
    fn get(&mut self, places: &[Place]) -> Result<Vec<Option<Record>>, LocalError> {
        let select = "SELECT key, value, number, expires FROM records WHERE space = ?1 AND key = ?2";
        let mut statement = self.prepare_cached(select)?;
        let found = places.iter().map(|(space, key)| {
            Ok(statement.query_row([space.name(), key], |row| record(*space, row)).optional()?)
        });
        found.collect()
    }

    fn scan(
        &mut self,
        space: Space,
        prefix: &str,
        after: &str,
        limit: u32,
    ) -> Result<Vec<Record>, LocalError> {
        let select = "SELECT key, value, number, expires FROM records
                      WHERE space = ?1 AND key >= ?2 AND key > ?3 AND key < ?4 ORDER BY key LIMIT ?5";
        query(self, space, select, params![space.name(), prefix, after, end_of(prefix), limit])
    }

    fn since(&mut self, space: Space, number: i64) -> Result<Vec<Record>, LocalError> {
        let select = "SELECT key, value, number, expires FROM records
                      WHERE space = ?1 AND number > ?2 AND number > 0 ORDER BY number";
        query(self, space, select, params![space.name(), number])
    }

    fn count(&mut self, space: Space, prefix: &str) -> Result<u64, LocalError> {
        let count = "SELECT count(*) FROM records WHERE space = ?1 AND key >= ?2 AND key < ?3";
        let bounds = params![space.name(), prefix, end_of(prefix)];
        Ok(self.prepare_cached(count)?.query_row(bounds, |row| read_u64(row, 0))?)
    }

    fn put(&mut self, records: &[Record]) -> Result<(), LocalError> {
        let put =
            "INSERT OR REPLACE INTO records(space, key, value, number, expires) VALUES (?1, ?2, ?3, ?4, ?5)";
        let mut statement = self.prepare_cached(put)?;
        for Record { place: (space, key), value, number, expires } in records {
            statement.execute(params![space.name(), key, value, number, expires])?;
        }
        Ok(())
    }

    fn delete(&mut self, places: &[Place]) -> Result<(), LocalError> {
        let mut statement = self.prepare_cached("DELETE FROM records WHERE space = ?1 AND key = ?2")?;
        for (space, key) in places {
            statement.execute([space.name(), key])?;
        }
        Ok(())
    }

    fn delete_prefix(&mut self, space: Space, prefix: &str) -> Result<(), LocalError> {
        let delete = "DELETE FROM records WHERE space = ?1 AND key >= ?2 AND key < ?3";
        self.prepare_cached(delete)?.execute([space.name(), prefix, &end_of(prefix)])?;
        Ok(())
    }

    fn delete_expired(&mut self, now: i64) -> Result<(), LocalError> {
        self.prepare_cached("DELETE FROM records WHERE expires <= ?1")?.execute([now])?;
        Ok(())
    }
}

fn query(
    transaction: &rusqlite::Transaction<'_>,
    space: Space,
    select: &str,
    values: impl Params,
) -> Result<Vec<Record>, LocalError> {
    let mut statement = transaction.prepare_cached(select)?;
    let records = statement.query_map(values, |row| record(space, row))?;
    Ok(records.collect::<Result<_, _>>()?)
}

fn record(space: Space, row: &Row<'_>) -> rusqlite::Result<Record> {
    let place = (space, row.get(0)?);
    Ok(Record { place, value: row.get(1)?, number: row.get(2)?, expires: row.get(3)? })
}

//! The table of records.

use registry::local::{LocalError, Place, Record, Space, Transaction, end_of};
use tokio_postgres::Row;

use crate::connection::{Connection, Params};
use crate::error::StoreError;
use crate::params::{params, read, read_u64, read_utf8};

/// The statements of one work.
pub(super) struct Statements<'c> {
    pub(super) connection: &'c mut Connection,
    /// Whether records that were read are locked.
    pub(super) holds: bool,
    /// Why a statement failed: whether the work runs again depends on it.
    pub(super) failed: Option<StoreError>,
}

impl Statements<'_> {
    /// Runs statements. The error only ends the work, which then fails with [`Statements::failed`].
    fn told<T>(
        &mut self,
        run: impl FnOnce(&mut Connection) -> Result<T, StoreError>,
    ) -> Result<T, LocalError> {
        run(self.connection).map_err(|error| {
            self.failed = Some(error);
            LocalError::Conflict
        })
    }

    fn execute(&mut self, statement: &str, values: &Params<'_>) -> Result<(), LocalError> {
        self.told(|connection| connection.execute(statement, values).map(drop))
    }

    fn records(
        &mut self,
        space: Space,
        select: &str,
        values: &Params<'_>,
    ) -> Result<Vec<Record>, LocalError> {
        self.told(|connection| {
            connection.query(select, values)?.iter().map(|row| record(space, row)).collect()
        })
    }
}

impl Transaction for Statements<'_> {
    fn get(&mut self, places: &[Place]) -> Result<Vec<Option<Record>>, LocalError> {
        let (spaces, keys) = columns(places.iter());
        // In one order everywhere, so that two servers do not wait for each other.
        let hold = if self.holds { "ORDER BY space, key FOR UPDATE OF stored" } else { "" };
        let select = format!(
            "SELECT key, value, number, expires, place FROM unnest($1, $2) WITH ORDINALITY AS wanted(space, key, place)
             JOIN skillmirror.records AS stored USING (space, key) {hold}"
        );
        let mut found = vec![None; places.len()];
        self.told(|connection| {
            for row in connection.query(&select, params![TEXT_ARRAY spaces, TEXT_ARRAY keys])? {
                let place: i64 = read(&row, 4)?;
                let index = usize::try_from(place - 1).unwrap_or(usize::MAX);
                if let (Some(found), Some((space, _))) = (found.get_mut(index), places.get(index)) {
                    *found = Some(record(*space, &row)?);
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn scan(
        &mut self,
        space: Space,
        prefix: &str,
        after: &str,
        limit: u32,
    ) -> Result<Vec<Record>, LocalError> {
        let select = "SELECT key, value, number, expires FROM skillmirror.records
                      WHERE space = $1 AND key >= $2 AND key > $3 AND key < $4 ORDER BY key LIMIT $5";
        let (end, limit) = (end_of(prefix), i64::from(limit));
        self.records(space, select, params![TEXT space.name(), TEXT prefix, TEXT after, TEXT end, INT8 limit])
    }

    fn since(&mut self, space: Space, number: i64) -> Result<Vec<Record>, LocalError> {
        let select = "SELECT key, value, number, expires FROM skillmirror.records
                      WHERE space = $1 AND number > $2 AND number > 0 ORDER BY number";
        self.records(space, select, params![TEXT space.name(), INT8 number])
    }

    fn count(&mut self, space: Space, prefix: &str) -> Result<u64, LocalError> {
        let count = "SELECT count(*) FROM skillmirror.records WHERE space = $1 AND key >= $2 AND key < $3";
        let end = end_of(prefix);
        self.told(|connection| {
            read_u64(&connection.query_one(count, params![TEXT space.name(), TEXT prefix, TEXT end])?, 0)
        })
    }

    fn put(&mut self, records: &[Record]) -> Result<(), LocalError> {
        let (spaces, keys) = columns(records.iter().map(|record| &record.place));
        let values: Vec<_> = records.iter().map(|record| record.value.as_bytes()).collect();
        let numbers: Vec<_> = records.iter().map(|record| record.number).collect();
        let expires: Vec<_> = records.iter().map(|record| record.expires).collect();
        let put = "INSERT INTO skillmirror.records(space, key, value, number, expires)
                   SELECT * FROM unnest($1, $2, $3, $4, $5) AS new(space, key, value, number, expires)
                   ORDER BY space, key
                   ON CONFLICT (space, key) DO UPDATE
                   SET value = excluded.value, number = excluded.number, expires = excluded.expires";
        let values = params![
            TEXT_ARRAY spaces, TEXT_ARRAY keys, BYTEA_ARRAY values, INT8_ARRAY numbers, INT8_ARRAY expires,
        ];
        self.execute(put, values)
    }

    fn delete(&mut self, places: &[Place]) -> Result<(), LocalError> {
        let (spaces, keys) = columns(places.iter());
        let delete = "DELETE FROM skillmirror.records USING unnest($1, $2) AS unwanted(space, key)
                      WHERE records.space = unwanted.space AND records.key = unwanted.key";
        self.execute(delete, params![TEXT_ARRAY spaces, TEXT_ARRAY keys])
    }

    fn delete_prefix(&mut self, space: Space, prefix: &str) -> Result<(), LocalError> {
        let delete = "DELETE FROM skillmirror.records WHERE space = $1 AND key >= $2 AND key < $3";
        let end = end_of(prefix);
        self.execute(delete, params![TEXT space.name(), TEXT prefix, TEXT end])
    }

    fn delete_expired(&mut self, now: i64) -> Result<(), LocalError> {
        let delete = "DELETE FROM skillmirror.records WHERE (space, key) IN (
                          SELECT space, key FROM skillmirror.records WHERE expires <= $1 FOR UPDATE SKIP LOCKED)";
        self.execute(delete, params![INT8 now])
    }
}

/// The spaces and the keys of places.
fn columns<'p>(places: impl Iterator<Item = &'p Place>) -> (Vec<&'static str>, Vec<&'p str>) {
    places.map(|(space, key)| (space.name(), key.as_str())).unzip()
}

fn record(space: Space, row: &Row) -> Result<Record, StoreError> {
    let place = (space, read(row, 0)?);
    Ok(Record { place, value: read_utf8(row, 1)?, number: read(row, 2)?, expires: read(row, 3)? })
}

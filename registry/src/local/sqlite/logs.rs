//! The table of positions in access logs.

use rusqlite::{Transaction, params};

use super::SqliteLocal;
use super::downloads::count;
use crate::journal::database::{read_u64, to_sql};
use crate::local::{AccessLogs, Download, KnownLog, LocalError, LogCounted, LogPosition, LogStart};
use crate::time::Day;

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS log_positions(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        start INTEGER NOT NULL, bytes INTEGER NOT NULL, digest BLOB NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS log_positions_start ON log_positions(start, bytes);
";

impl AccessLogs for SqliteLocal {
    fn known_log(&self, start: LogStart) -> Result<KnownLog, LocalError> {
        let mut connection = self.connection.lock();
        // One transaction, so that both queries see one state.
        known(&connection.transaction()?, start)
    }

    fn count_log(
        &self,
        known_log: &KnownLog,
        from: Option<LogPosition>,
        to: LogPosition,
        downloads: &[Download],
        today: Day,
    ) -> Result<LogCounted, LocalError> {
        let start = known_log.start;
        self.write(|transaction| {
            if last(transaction, start)? != known_log.last {
                return Ok(LogCounted::Conflict);
            }
            let counted = count(transaction, downloads, today)?;
            if let Some(from) = from {
                transaction
                    .prepare_cached(
                        "DELETE FROM log_positions WHERE start = ?1 AND bytes = ?2 AND digest = ?3",
                    )?
                    .execute(params![start.number(), to_sql(from.bytes), from.digest.as_bytes()])?;
            }
            transaction
                .prepare_cached("INSERT INTO log_positions(start, bytes, digest) VALUES (?1, ?2, ?3)")?
                .execute(params![start.number(), to_sql(to.bytes), to.digest.as_bytes()])?;
            Ok(LogCounted::Done(counted, known(transaction, start)?))
        })
    }
}

fn known(transaction: &Transaction<'_>, start: LogStart) -> Result<KnownLog, LocalError> {
    let mut statement = transaction
        .prepare_cached("SELECT bytes, digest FROM log_positions WHERE start = ?1 ORDER BY bytes")?;
    let positions = statement.query_map([start.number()], |row| {
        let digest: [u8; 32] = row.get(1)?;
        Ok(LogPosition { bytes: read_u64(row, 0)?, digest: digest.into() })
    })?;
    let positions = positions.collect::<Result<_, _>>()?;
    Ok(KnownLog { start, last: last(transaction, start)?, positions })
}

/// The last id of a position, or 0. Ids grow even if positions are removed.
fn last(transaction: &Transaction<'_>, start: LogStart) -> rusqlite::Result<i64> {
    transaction
        .prepare_cached("SELECT coalesce(max(id), 0) FROM log_positions WHERE start = ?1")?
        .query_row([start.number()], |row| row.get(0))
}

//! Positions in access logs.

use crate::connection::Connection;
use registry::local::{AccessLogs, Download, KnownLog, LocalError, LogCounted, LogPosition, LogStart};
use registry::time::Day;

use super::downloads::count;
use super::{PostgresLocal, lock_counts};
use crate::error::StoreError;
use crate::params::{params, read, read_bytes, read_u64, to_sql};

impl AccessLogs for PostgresLocal {
    fn known_log(&self, start: LogStart) -> Result<KnownLog, LocalError> {
        self.0.read(|connection| known(connection, start))
    }

    fn count_log(
        &self,
        known_log: &KnownLog,
        from: Option<LogPosition>,
        to: LogPosition,
        downloads: &[Download],
        today: Day,
    ) -> Result<LogCounted, LocalError> {
        let start = i32::from(known_log.start.number());
        self.0.write(|connection| {
            lock_counts(connection)?;
            if known(connection, known_log.start)?.last != known_log.last {
                return Ok(LogCounted::Conflict);
            }
            let counted = count(connection, downloads, today)?;
            if let Some(from) = from {
                let delete =
                    "DELETE FROM skillmirror.log_positions WHERE start = $1 AND bytes = $2 AND digest = $3";
                let digest = from.digest.as_bytes().as_slice();
                connection.execute(delete, params![INT4 start, INT8 to_sql(from.bytes), BYTEA digest])?;
            }
            let insert = "WITH next AS (UPDATE skillmirror.log_position_ids SET last = last + 1 RETURNING last)
                INSERT INTO skillmirror.log_positions(id, start, bytes, digest) SELECT last, $1, $2, $3 FROM next";
            let digest = to.digest.as_bytes().as_slice();
            connection.execute(insert, params![INT4 start, INT8 to_sql(to.bytes), BYTEA digest])?;
            Ok(LogCounted::Done(counted, known(connection, known_log.start)?))
        })
    }
}

fn known(connection: &mut Connection, start: LogStart) -> Result<KnownLog, StoreError> {
    // One statement, so that id and positions are of one state.
    let select = "SELECT bytes, digest, max(id) OVER () FROM skillmirror.log_positions WHERE start = $1
                  ORDER BY bytes";
    let rows = connection.query(select, params![INT4 i32::from(start.number())])?;
    let last = rows.first().map_or(Ok(0), |row| read(row, 2))?;
    let positions = rows.iter().map(|row| {
        let digest: [u8; 32] = read_bytes(row, 1)?;
        Ok(LogPosition { bytes: read_u64(row, 0)?, digest: digest.into() })
    });
    Ok(KnownLog { start, last, positions: positions.collect::<Result<_, StoreError>>()? })
}

//! Counts of writes, for all servers together.
//!
//! The clock is that of the database, so that servers whose clocks differ count alike. The table is unlogged:
//! a write does not wait for the disk once more.

use std::time::Duration;

use registry::local::{WriteCount, WriteLimit};
use registry::names::Digest;

use crate::connection::Connection;
use crate::error::StoreError;
use crate::params::{params, read};

/// The time when the database got the statement, in nanoseconds since 1970.
const NOW: &str = "(extract(epoch FROM statement_timestamp()) * 1000000000)::bigint";

/// A time further ahead (nanoseconds) was stored before the clock was set back, and does not count.
const MAX_AHEAD: i64 = 120_000_000_000;

pub(super) fn count(
    connection: &mut Connection,
    key: &Digest,
    limit: WriteLimit,
) -> Result<WriteCount, StoreError> {
    let (key, share, window) = (key.to_string(), to_nanos(limit.share()), to_nanos(limit.window()));
    let count = format!(
        "INSERT INTO skillmirror.write_counts AS stored(key, full_at) VALUES ($1, {NOW} + $2)
         ON CONFLICT (key) DO UPDATE SET
             full_at = CASE WHEN stored.full_at BETWEEN {NOW} AND {NOW} + $4 THEN stored.full_at ELSE {NOW} END + $2
         WHERE stored.full_at + $2 <= {NOW} + $3 OR stored.full_at > {NOW} + $4
         RETURNING full_at - {NOW}"
    );
    if let Some(row) =
        connection.query_opt(&count, params![TEXT key, INT8 share, INT8 window, INT8 MAX_AHEAD])?
    {
        return Ok(WriteCount { is_allowed: true, full_in: from_nanos(read(&row, 0)?) });
    }
    let refused = format!("SELECT full_at - {NOW} FROM skillmirror.write_counts WHERE key = $1");
    let found = connection.query_opt(&refused, params![TEXT key])?;
    let taken = found.map_or(Ok(window), |row| read(&row, 0))?;
    Ok(WriteCount { is_allowed: false, full_in: from_nanos(taken) })
}

pub(super) fn forget(connection: &mut Connection) -> Result<(), StoreError> {
    // Rows that another server counts or forgets at this moment are left to it.
    let delete = format!(
        "DELETE FROM skillmirror.write_counts WHERE key IN (
             SELECT key FROM skillmirror.write_counts
             WHERE full_at NOT BETWEEN {NOW} AND {NOW} + $1 FOR UPDATE SKIP LOCKED)"
    );
    connection.execute(&delete, params![INT8 MAX_AHEAD])?;
    Ok(())
}

/// Saturated. No share or window is longer than a minute.
fn to_nanos(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)
}

/// A time that has passed is zero.
fn from_nanos(nanos: i64) -> Duration {
    Duration::from_nanos(u64::try_from(nanos).unwrap_or_default())
}

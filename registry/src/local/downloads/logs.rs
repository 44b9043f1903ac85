//! Remembers how far access logs were counted.
//!
//! A log is identified by its content: it may be renamed, moved and compressed,
//! and still nothing in it counts twice. A position is a number of bytes and
//! their digest. A log whose first bytes have that digest was counted so far.

use rusqlite::{Transaction, params};

use super::{CountedDownloads, Download, count};
use crate::journal::database::{read_u64, to_sql};
use crate::local::{LocalError, LocalStore};
use crate::names::Digest;

pub(in crate::local) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS log_positions(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        start INTEGER NOT NULL, bytes INTEGER NOT NULL, digest BLOB NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS log_positions_start ON log_positions(start, bytes);
";

/// A position is kept beside the next one of its log if they are at least this
/// many bytes apart: an older copy of a log is shorter.
const MIN_POSITION_GAP: u64 = 1 << 20;

/// A key that narrows down which log a file is: two bytes of the digest of its
/// first line. More bytes would make the line easy to guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogStart(u16);

impl LogStart {
    /// The key of a log whose first line is `line`.
    pub fn of(line: &[u8]) -> Self {
        let digest = Digest::of(line);
        let [first, second, ..] = *digest.as_bytes();
        Self(u16::from_be_bytes([first, second]))
    }
}

/// A position in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogPosition {
    /// The number of uncompressed bytes, up to the end of a line.
    pub bytes: u64,
    /// The digest of these bytes.
    pub digest: Digest,
}

/// The positions in all logs with one [`LogStart`]. Counting with an outdated
/// value is refused.
#[derive(Debug, Clone)]
pub struct KnownLog {
    start: LogStart,
    /// The id of the last position, or 0.
    last: i64,
    /// The counted positions, by bytes.
    pub positions: Vec<LogPosition>,
}

/// The outcome of [`LocalStore::count_log`].
#[derive(Debug)]
pub enum LogCounted {
    /// The part was counted. The second value is for the next part.
    Done(CountedDownloads, KnownLog),
    /// Nothing was counted, because another process has counted such a log. Call
    /// [`LocalStore::known_log`] again.
    Conflict,
}

impl LocalStore {
    /// The positions in the logs with this start.
    pub fn known_log(&self, start: LogStart) -> Result<KnownLog, LocalError> {
        let mut connection = self.connection.lock();
        // One transaction, so that both queries see one state.
        known(&connection.transaction()?, start)
    }

    /// Counts the downloads in a part of a log, and stores the position in the
    /// same transaction. The part begins at `from`, a position in `known_log`
    /// (None: the beginning), and ends at `to`.
    pub fn count_log(
        &self,
        known_log: &KnownLog,
        from: Option<LogPosition>,
        to: LogPosition,
        downloads: &[Download],
    ) -> Result<LogCounted, LocalError> {
        let start = known_log.start;
        self.write(|transaction| {
            if last(transaction, start)? != known_log.last {
                return Ok(LogCounted::Conflict);
            }
            let counted = count(transaction, downloads)?;
            if let Some(from) = from.filter(|from| to.bytes.saturating_sub(from.bytes) < MIN_POSITION_GAP) {
                transaction
                    .prepare_cached(
                        "DELETE FROM log_positions WHERE start = ?1 AND bytes = ?2 AND digest = ?3",
                    )?
                    .execute(params![start.0, to_sql(from.bytes), from.digest.as_bytes()])?;
            }
            transaction
                .prepare_cached("INSERT INTO log_positions(start, bytes, digest) VALUES (?1, ?2, ?3)")?
                .execute(params![start.0, to_sql(to.bytes), to.digest.as_bytes()])?;
            Ok(LogCounted::Done(counted, known(transaction, start)?))
        })
    }
}

fn known(transaction: &Transaction<'_>, start: LogStart) -> Result<KnownLog, LocalError> {
    let mut statement = transaction
        .prepare_cached("SELECT bytes, digest FROM log_positions WHERE start = ?1 ORDER BY bytes")?;
    let positions = statement.query_map([start.0], |row| {
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
        .query_row([start.0], |row| row.get(0))
}

#[cfg(test)]
mod tests;

//! How far access logs were counted.
//!
//! A log is known by what is in it and not by its name: it may be renamed,
//! moved and compressed, and still nothing in it counts twice. A position is a
//! number of bytes and the digest of all of them, so whoever reads that many
//! with that digest has read what was counted.

use rusqlite::{Transaction, params};

use super::{Counted, Download, count};
use crate::journal::database::{read_u64 as read, to_sql as stored};
use crate::local::{LocalError, LocalStore};
use crate::names::Digest;

pub(in crate::local) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS log_positions(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        start INTEGER NOT NULL, bytes INTEGER NOT NULL, digest BLOB NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS log_positions_start ON log_positions(start, bytes);
";

/// A position is kept beside the next one of its log where that many bytes lie
/// between them: an older copy of a log is shorter.
const MIN_POSITION_GAP: u64 = 1 << 20;

/// Which logs a log could be: two bytes of its first line's digest. It only saves
/// work, so it is no more than that, for a line is easily guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogStart(u16);

impl LogStart {
    /// Of a log that begins with `line`.
    pub fn of(line: &[u8]) -> Self {
        let digest = Digest::of(line);
        let [first, second, ..] = *digest.as_bytes();
        Self(u16::from_be_bytes([first, second]))
    }
}

/// How far a log was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogPosition {
    /// So many bytes of it, uncompressed, up to the end of a line.
    pub bytes: u64,
    /// The digest of these bytes.
    pub digest: Digest,
}

/// What is known of the logs that begin in one way. It stands for that moment:
/// what was counted with it is refused when it is out of date.
#[derive(Debug, Clone)]
pub struct KnownLog {
    start: LogStart,
    /// The id of the last position among them; 0 where there is none.
    last: i64,
    positions: Vec<LogPosition>,
}

impl KnownLog {
    /// All positions, the least first.
    pub fn positions(&self) -> &[LogPosition] {
        &self.positions
    }
}

/// What became of a part of a log.
#[derive(Debug)]
pub enum LogCounted {
    /// It was counted, and here is what to go on with.
    Done(Counted, KnownLog),
    /// Another process has counted such a log meanwhile, and nothing was counted
    /// here: ask again where to begin.
    Conflict,
}

impl LocalStore {
    /// How far the logs were counted that begin like that.
    pub fn known_log(&self, start: LogStart) -> Result<KnownLog, LocalError> {
        let mut connection = self.connection.lock();
        // One state for both questions.
        known(&connection.transaction()?, start)
    }

    /// Counts the downloads in a part of a log: from the position `from` (None:
    /// its beginning), which is among `known`, to the position `to`. That it has
    /// been counted is written with the numbers, all at once.
    pub fn count_log(
        &self,
        known_log: &KnownLog,
        from: Option<LogPosition>,
        to: LogPosition,
        downloads: &[Download],
    ) -> Result<LogCounted, LocalError> {
        let start = known_log.start;
        self.counting(|transaction| {
            if last(transaction, start)? != known_log.last {
                return Ok(LogCounted::Conflict);
            }
            let counted = count(transaction, downloads)?;
            if let Some(from) = from.filter(|from| to.bytes.saturating_sub(from.bytes) < MIN_POSITION_GAP) {
                transaction
                    .prepare_cached(
                        "DELETE FROM log_positions WHERE start = ?1 AND bytes = ?2 AND digest = ?3",
                    )?
                    .execute(params![start.0, stored(from.bytes), from.digest.as_bytes()])?;
            }
            transaction
                .prepare_cached("INSERT INTO log_positions(start, bytes, digest) VALUES (?1, ?2, ?3)")?
                .execute(params![start.0, stored(to.bytes), to.digest.as_bytes()])?;
            Ok(LogCounted::Done(counted, known(transaction, start)?))
        })
    }
}

fn known(transaction: &Transaction<'_>, start: LogStart) -> Result<KnownLog, LocalError> {
    let mut statement = transaction
        .prepare_cached("SELECT bytes, digest FROM log_positions WHERE start = ?1 ORDER BY bytes")?;
    let positions = statement.query_map([start.0], |row| {
        let digest: [u8; 32] = row.get(1)?;
        Ok(LogPosition { bytes: read(row, 0)?, digest: digest.into() })
    })?;
    let positions = positions.collect::<Result<_, _>>()?;
    Ok(KnownLog { start, last: last(transaction, start)?, positions })
}

/// Ids only grow, even when positions are removed.
fn last(transaction: &Transaction<'_>, start: LogStart) -> rusqlite::Result<i64> {
    transaction
        .prepare_cached("SELECT coalesce(max(id), 0) FROM log_positions WHERE start = ?1")?
        .query_row([start.0], |row| row.get(0))
}

#[cfg(test)]
mod tests;

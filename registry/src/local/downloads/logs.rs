//! Remembers how far access logs were counted.
//!
//! A log is identified by its content: it may be renamed, moved and compressed,
//! and still nothing in it counts twice. A position is a number of bytes and
//! their digest. A log whose first bytes have that digest was counted so far.

use super::{CountedDownloads, Download, SEQUENCES, count};
use crate::local::{LocalError, LocalStore, Mode, Place, Record, Space, Transaction};
use crate::names::Digest;
use crate::time::Timestamp;

/// The positions: the keys are `{start of the log}/{bytes}/{digest}`. The number is that of the position, which rises.
pub(in crate::local) const LOG_POSITIONS: Space = Space::new("log_positions.1");

/// The last number of a position, in [`SEQUENCES`].
const LAST: &str = "log_position";

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

    /// The key as a number.
    pub fn number(self) -> u16 {
        self.0
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
    /// The start of these logs.
    pub start: LogStart,
    /// The number of the last position, or 0.
    pub last: u64,
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
        self.run(Mode::Snapshot, |records| known(records, start))
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
        let replaced = from.filter(|from| to.bytes.saturating_sub(from.bytes) < MIN_POSITION_GAP);
        let today = Timestamp::now().into();
        self.write(Some(SEQUENCES), |records| {
            if known(records, known_log.start)?.last != known_log.last {
                return Ok(LogCounted::Conflict);
            }
            let counted = count(records, downloads, today)?;
            if let Some(replaced) = replaced {
                records.delete(&[place(known_log.start, replaced)])?;
            }
            let last: Option<u64> = records.value(SEQUENCES, LAST)?;
            let next = last.unwrap_or_default() + 1;
            records.put(&[
                Record::new((SEQUENCES, LAST.to_owned()), &next)?,
                Record::new(place(known_log.start, to), &())?.numbered(next),
            ])?;
            Ok(LogCounted::Done(counted, known(records, known_log.start)?))
        })
    }
}

fn prefix(start: LogStart) -> String {
    format!("{}/", start.number())
}

fn place(start: LogStart, LogPosition { bytes, digest }: LogPosition) -> Place {
    (LOG_POSITIONS, format!("{}{bytes:020}/{digest}", prefix(start)))
}

fn known(records: &mut dyn Transaction, start: LogStart) -> Result<KnownLog, LocalError> {
    let (mut last, mut positions) = (0, Vec::new());
    for record in records.all(LOG_POSITIONS, &prefix(start))? {
        let position = record.key_end().split_once('/').and_then(|(bytes, digest)| {
            Some(LogPosition { bytes: bytes.parse().ok()?, digest: digest.parse().ok()? })
        });
        positions.push(position.ok_or_else(|| record.damaged())?);
        last = last.max(record.count());
    }
    Ok(KnownLog { start, last, positions })
}

#[cfg(test)]
mod tests;

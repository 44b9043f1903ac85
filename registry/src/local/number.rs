//! Numbers that count up, as SQLite keeps them: it knows signed ones only.

use rusqlite::Row;

/// As it is stored. None of ours comes near the end of the range.
pub(super) fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// As it was. A negative one was not put there by this program.
pub(super) fn read(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}

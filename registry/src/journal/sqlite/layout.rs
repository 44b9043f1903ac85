//! What `journal.sqlite` holds, and how it is told from anything else.

use std::path::Path;

use data_encoding::HEXLOWER;
use rusqlite::{Connection, OptionalExtension, params};

use crate::journal::blobs::BlobFolder;
use crate::journal::database::{self, DatabaseError, read_u64};
use crate::journal::restore::{ASIDE, RESTORING};
use crate::journal::{Epoch, JournalError, Revision, Row, chain};
use crate::names::Digest;
use crate::time::Timestamp;

/// The name of the file in the data folder.
pub(in crate::journal) const FILE: &str = "journal.sqlite";

/// The number of the layout below. A program opens no other.
const FORMAT: &str = "1";

/// `chain` is described in [`chain`].
const SCHEMA: &str = "
    CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE rows(
        revision INTEGER PRIMARY KEY CHECK (revision > 0),
        at INTEGER NOT NULL,
        private TEXT NOT NULL,
        public TEXT,
        chain BLOB NOT NULL CHECK (length(chain) = 32)
    ) STRICT;
    CREATE INDEX public_rows ON rows(revision) WHERE public IS NOT NULL;
";

/// [`JournalError::Damaged`] with what to do about it.
pub(super) fn damaged(what: &str) -> JournalError {
    JournalError::Damaged(format!(
        "{what} in `{FILE}`; stop the server and put a backup of the data folder in its place"
    ))
}

impl From<DatabaseError> for JournalError {
    fn from(fault: DatabaseError) -> Self {
        match fault {
            DatabaseError::Storage(why) => Self::Storage(why),
            DatabaseError::Damaged(why) => damaged(&why),
        }
    }
}

impl From<rusqlite::Error> for JournalError {
    fn from(error: rusqlite::Error) -> Self {
        DatabaseError::from(error).into()
    }
}

/// Refuses to begin a history where there are remains of one: whoever starts
/// on an empty journal takes down all that the lost one had published.
pub(super) fn refuse_remains(data: &Path) -> Result<(), JournalError> {
    if data.join(RESTORING).try_exists()? {
        return Err(JournalError::Damaged(format!(
            "a restore was interrupted, and what it had moved aside is in `{}/{ASIDE}…`: run `skillmirror journal restore FILE` again",
            data.display()
        )));
    }
    let log = format!("{FILE}-wal");
    let found = if data.join(&log).try_exists()? {
        &log
    } else if BlobFolder::has_any(data)? {
        "blobs"
    } else {
        return Ok(());
    };
    Err(JournalError::Damaged(format!(
        "`{FILE}` is missing but `{found}` is there: put a backup of the data folder in its place, or move `{found}` out of the data folder to begin an empty registry"
    )))
}

/// Makes an empty journal with an epoch of its own.
pub(super) fn make(path: &Path) -> Result<(), JournalError> {
    let epoch = new_epoch()?;
    database::make(path, |connection| {
        connection.execute_batch(SCHEMA)?;
        let mut set = connection.prepare("INSERT INTO meta(key, value) VALUES (?1, ?2)")?;
        set.execute(params!["format", FORMAT])?;
        set.execute(params!["epoch", epoch])?;
        Ok(())
    })?;
    Ok(())
}

/// A name that no other history has.
pub(super) fn new_epoch() -> Result<Epoch, JournalError> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| JournalError::Storage(error.to_string()))?;
    Ok(HEXLOWER.encode(&random))
}

/// Gives the history another name.
pub(super) fn set_epoch(connection: &Connection, epoch: &str) -> Result<(), JournalError> {
    let changed = connection.execute("UPDATE meta SET value = ?1 WHERE key = 'epoch'", params![epoch])?;
    if changed == 1 { Ok(()) } else { Err(damaged("there is no epoch")) }
}

/// Refuses what is not a journal in the one layout that this program knows.
pub(super) fn check(connection: &Connection) -> Result<(), JournalError> {
    match meta(connection, "format")?.as_deref() {
        Some(FORMAT) => epoch(connection).map(drop),
        Some(other) => Err(JournalError::Damaged(format!(
            "`{FILE}` has format `{}` and this program knows format {FORMAT}: use the release that wrote it",
            other.escape_debug()
        ))),
        None => Err(damaged("there is no format number")),
    }
}

/// The history's name.
pub(super) fn epoch(connection: &Connection) -> Result<Epoch, JournalError> {
    let is_epoch = |text: &String| text.len() == 32 && HEXLOWER.decode(text.as_bytes()).is_ok();
    meta(connection, "epoch")?.filter(is_epoch).ok_or_else(|| damaged("there is no epoch"))
}

fn meta(connection: &Connection, key: &str) -> Result<Option<String>, JournalError> {
    let mut statement = connection.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
    Ok(statement.query_row(params![key], |row| row.get(0)).optional()?)
}

/// What an append has to know of the row before.
pub(super) struct Last {
    pub(super) revision: Revision,
    pub(super) at: Option<Timestamp>,
    pub(super) link: Digest,
}

/// The last row; revision 0 where there is none.
pub(super) fn last_row(connection: &Connection) -> Result<Last, JournalError> {
    let mut statement =
        connection.prepare_cached("SELECT revision, at, chain FROM rows ORDER BY revision DESC LIMIT 1")?;
    let found = statement
        .query_row([], |row| {
            Ok(Last { revision: read_u64(row, 0)?, at: Some(time(row, 1)?), link: link(row, 2)? })
        })
        .optional()?;
    Ok(found.unwrap_or(Last { revision: 0, at: None, link: chain::root() }))
}

/// A row and its link, from the columns revision, at, private, public, chain.
pub(super) fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<(Row, Digest)> {
    let read =
        Row { revision: read_u64(row, 0)?, at: time(row, 1)?, private: row.get(2)?, public: row.get(3)? };
    Ok((read, link(row, 4)?))
}

/// The link of row `after`, in the sixth column of the first row after it.
pub(super) fn link_before(first: &rusqlite::Row<'_>, after: Revision) -> Result<Digest, JournalError> {
    if after == 0 {
        return Ok(chain::root());
    }
    let found: Option<[u8; 32]> =
        first.get(5).map_err(|error| DatabaseError::from(error).at(&format!("row {after}")))?;
    found.map(Digest::from).ok_or_else(|| damaged(&format!("row {after} is missing")))
}

fn time(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    let stored: i64 = row.get(column)?;
    Timestamp::from_unix(stored).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, stored))
}

fn link(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Digest> {
    row.get::<_, [u8; 32]>(column).map(Digest::from)
}

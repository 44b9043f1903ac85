//! The tables of `journal.sqlite`, and the checks that a file has them.

use std::collections::HashSet;
use std::path::Path;

use data_encoding::HEXLOWER;
use rusqlite::{Connection, OptionalExtension, params};

use crate::journal::blob_folder::BlobFolder;
use crate::journal::database::{self, DatabaseError, read_u64};
use crate::journal::folder::{BLOBS, JOURNAL, REPLACED_PREFIX, RESTORING};
use crate::journal::{Epoch, JournalError, PublicRow, Revision, Row, chain};
use crate::names::Digest;
use crate::random::random_bytes;
use crate::time::Timestamp;

/// The number of the layout below. A program opens no other layout.
const FORMAT: &str = "2";

/// The column `chain` is described in [`chain`].
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

/// The kind, name and SQL of everything in a database.
const ITEMS: &str = "SELECT type, name, sql FROM sqlite_schema";

/// Compares the tables, indexes, views and triggers with those of a new journal.
/// A trigger could change rows while they are appended, and a view could show
/// others. Returns the first difference in words.
pub(super) fn foreign_item(connection: &Connection) -> Result<Option<String>, JournalError> {
    type Item = (String, String, Option<String>);
    let read = |connection: &Connection| -> rusqlite::Result<HashSet<Item>> {
        let mut statement = connection.prepare(ITEMS)?;
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
    };
    let fresh = Connection::open_in_memory()?;
    fresh.execute_batch(SCHEMA)?;
    let (expected, found) = (read(&fresh)?, read(connection)?);
    let named = |(kind, name, _): &Item| format!("{} `{}`", kind.escape_debug(), name.escape_debug());
    let name_of = |(kind, name, _): &Item| (kind.clone(), name.clone());
    let known: HashSet<_> = expected.iter().map(name_of).collect();
    // What has an unknown name is told first, because it explains most.
    let mut foreign: Vec<_> = found.difference(&expected).collect();
    foreign.sort_by_key(|item| (known.contains(&name_of(item)), named(item)));
    if let Some(item) = foreign.first() {
        let is_changed = known.contains(&name_of(item));
        let what = if is_changed { "is not the one of a journal" } else { "is not part of a journal" };
        return Ok(Some(format!("the {} {what}", named(item))));
    }
    // A missing table is told before its indexes.
    let missing = expected.difference(&found).map(named).max();
    Ok(missing.map(|item| format!("the {item} is missing")))
}

/// [`JournalError::Damaged`] with its remedy.
pub(super) fn damaged(what: &str) -> JournalError {
    JournalError::Damaged(
        format!("{what} in `{JOURNAL}`: stop the server and replace the data folder with a backup").into(),
    )
}

impl From<DatabaseError> for JournalError {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::Storage(cause) => Self::Storage(cause),
            DatabaseError::Damaged(cause) => damaged(&cause.to_string()),
        }
    }
}

impl From<rusqlite::Error> for JournalError {
    fn from(error: rusqlite::Error) -> Self {
        DatabaseError::from(error).into()
    }
}

/// Refuses to begin a history in a folder with remains of one. A server with an
/// empty journal would remove everything from the tree.
pub(super) fn refuse_remains(data: &Path) -> Result<(), JournalError> {
    if data.join(RESTORING).try_exists()? {
        let why = format!(
            "a restore was interrupted, and the files it replaced are in `{}/{REPLACED_PREFIX}…`: run `skillmirror journal restore FILE` again",
            data.display()
        );
        return Err(JournalError::Damaged(why.into()));
    }
    let log = format!("{JOURNAL}-wal");
    let found = if data.join(&log).try_exists()? {
        &log
    } else if BlobFolder::has_any(data)? {
        BLOBS
    } else {
        return Ok(());
    };
    let why = format!(
        "`{JOURNAL}` is missing but `{found}` exists: replace the data folder with a backup, or move `{found}` out of it to begin an empty registry"
    );
    Err(JournalError::Damaged(why.into()))
}

/// Creates an empty journal with a new epoch, or one that is to become a copy.
pub(super) fn make(path: &Path, is_copy: bool) -> Result<(), JournalError> {
    let epoch = new_epoch()?;
    database::make(path, |connection| {
        connection.execute_batch(SCHEMA)?;
        let insert = "INSERT INTO meta(key, value) VALUES ('format', ?1), ('epoch', ?2)";
        connection.execute(insert, params![FORMAT, epoch])?;
        if is_copy {
            connection.execute(MARK_COPY, [])?;
        }
        Ok(())
    })?;
    Ok(())
}

/// A random name for a history.
pub(super) fn new_epoch() -> Result<Epoch, JournalError> {
    Ok(HEXLOWER.encode(&random_bytes::<16>()?))
}

/// Renames the history.
pub(super) fn set_epoch(connection: &Connection, epoch: &str) -> Result<(), JournalError> {
    let changed = connection.execute("UPDATE meta SET value = ?1 WHERE key = 'epoch'", params![epoch])?;
    if changed == 1 { Ok(()) } else { Err(damaged("there is no epoch")) }
}

/// Checks that the database is a journal in the layout of this program, with
/// nothing else in it.
pub(super) fn check(connection: &Connection) -> Result<(), JournalError> {
    match meta(connection, "format")?.as_deref() {
        Some(FORMAT) => {
            epoch(connection)?;
            foreign_item(connection)?.map_or(Ok(()), |why| Err(damaged(&why)))
        }
        Some(other) => {
            let other = other.escape_debug();
            let why = format!(
                "`{JOURNAL}` has format `{other}`, but this program reads format {FORMAT}: use the release that wrote it"
            );
            Err(JournalError::Damaged(why.into()))
        }
        None => Err(damaged("there is no format number")),
    }
}

/// The name of the history.
pub(super) fn epoch(connection: &Connection) -> Result<Epoch, JournalError> {
    let is_epoch = |text: &String| text.len() == 32 && HEXLOWER.decode(text.as_bytes()).is_ok();
    meta(connection, "epoch")?.filter(is_epoch).ok_or_else(|| damaged("there is no epoch"))
}

/// Says that the journal is a copy that has not ended.
const MARK_COPY: &str = "INSERT OR REPLACE INTO meta(key, value) VALUES ('copy', 'unfinished')";

/// Marks the empty journal as a copy of the one that is named `epoch`.
pub(super) fn begin_copy(connection: &Connection, epoch: &str) -> Result<(), JournalError> {
    set_epoch(connection, epoch)?;
    connection.execute(MARK_COPY, [])?;
    Ok(())
}

/// Whether the journal is a copy that has not ended.
pub(super) fn is_unfinished_copy(connection: &Connection) -> Result<bool, JournalError> {
    Ok(meta(connection, "copy")?.is_some())
}

/// Ends a copy.
pub(super) fn finish_copy(connection: &Connection) -> Result<(), JournalError> {
    connection.execute("DELETE FROM meta WHERE key = 'copy'", [])?;
    Ok(())
}

fn meta(connection: &Connection, key: &str) -> Result<Option<String>, JournalError> {
    let mut statement = connection.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
    Ok(statement.query_row(params![key], |row| row.get(0)).optional()?)
}

/// The part of the last row that an append needs.
pub(super) struct Last {
    pub(super) revision: Revision,
    pub(super) at: Option<Timestamp>,
    pub(super) link: Digest,
}

/// The last row, or revision 0 in an empty journal.
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
    let revision = read_u64(row, 0)?;
    let public: Option<String> = row.get(3)?;
    let public = public.map(|json| PublicRow::new(revision, json));
    Ok((Row { revision, at: time(row, 1)?, private: row.get(2)?, public }, link(row, 4)?))
}

/// The link of row `after`, from the sixth column of the row behind it.
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

//! The journal in a data folder: the rows in `journal.sqlite`.
//!
//! Any number of processes on one machine may have it open. SQLite's write lock
//! orders their appends, and the expected revision tells a writer whether it was
//! first.
//!
//! A process that has the journal open must not open the file in any other way.
//! Closing any handle on it drops SQLite's locks, because POSIX gives locks to
//! the process and not to the handle.

mod layout;
mod log_sync;
mod readers;
pub(super) mod snapshot;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::Path;
use std::time::Duration;

use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::database::{self, DatabaseError, read_u64, to_sql};
use super::lock::JournalLock;
use super::{Epoch, Journal, JournalError, PublicRow, PublicRows, Revision, Row, chain, check_copy, folder};
use crate::names::Digest;
use layout::{Last, last_row, read_row};
use log_sync::LogSync;
use readers::Readers;
pub use snapshot::{RedactedHalves, ReplacedJournal};

/// The journal of one data folder. Share it in an `Arc`: readers do not wait for
/// the writer.
pub struct SqliteJournal {
    writer: Mutex<Connection>,
    readers: Readers,
    log: LogSync,
    // Dropped last: until then nobody may replace the files.
    _lock: JournalLock,
}

impl SqliteJournal {
    /// Whether the folder `data` contains a journal.
    ///
    /// Errors: the folder cannot be read, so nobody can tell.
    pub fn is_in(data: &Path) -> io::Result<bool> {
        data.join(folder::JOURNAL).try_exists()
    }

    /// Checks that a journal may begin in the folder `data`.
    ///
    /// Errors: [`JournalError::Damaged`] if parts of a journal are left there.
    pub fn check_new(data: &Path) -> Result<(), JournalError> {
        layout::refuse_remains(data)
    }

    /// Opens the journal in the folder `data` for a copy. A new one is an unfinished copy from the start,
    /// so packages that are there already do not matter.
    ///
    /// Errors: those of [`SqliteJournal::open`].
    pub fn open_for_copy(data: &Path) -> Result<Self, JournalError> {
        folder::make(data).map_err(|error| folder::unusable(data, &error))?;
        let path = data.join(folder::JOURNAL);
        let opening = folder::lock(data)?;
        if !path.try_exists()? {
            layout::make(&path, true)?;
        }
        drop(opening);
        Self::open(data)
    }

    /// Opens the journal in the folder `data`. Creates both if they are missing,
    /// the folder for its owner alone.
    ///
    /// Errors: [`JournalError::Damaged`] if the file is not a journal, if its
    /// format is unknown, or if only parts of a journal are left. A lost history
    /// is never taken for one that has not begun.
    pub fn open(data: &Path) -> Result<Self, JournalError> {
        Self::open_with(data, database::BUSY_TIMEOUT).map_err(|error| match error {
            JournalError::Storage(cause) => JournalError::Storage(folder::explain(data, cause)),
            other => other,
        })
    }

    /// Like [`Self::open`], with another limit on how long a write waits.
    fn open_with(data: &Path, busy_timeout: Duration) -> Result<Self, JournalError> {
        folder::make(data).map_err(|error| folder::unusable(data, &error))?;
        let journal_lock = JournalLock::shared(data)?;
        let path = data.join(folder::JOURNAL);
        let folder_lock = folder::lock(data)?;
        if !path.try_exists()? {
            layout::refuse_remains(data)?;
            layout::make(&path, false)?;
        }
        // SQLite takes a file shorter than a page (at least 512 bytes) for a new
        // database, and would initialize it.
        // A folder may be as short, and is no journal at all.
        let file = path.metadata()?;
        if file.is_file() && file.len() < 512 {
            return Err(layout::damaged("almost nothing is left"));
        }
        let writer = database::connect(&path, busy_timeout)?;
        layout::check(&writer)?;
        // Several writers share a sync of the log: see `log_sync`.
        writer.pragma_update(None, "synchronous", "normal")?;
        let log = LogSync::open(&path)?;
        folder::clear_unfinished(data)?;
        drop(folder_lock);
        let (writer, readers) = (Mutex::new(writer), Readers::new(path, busy_timeout));
        Ok(Self { writer, readers, log, _lock: journal_lock })
    }
}

/// Inserts the row behind `last`. Returns its link.
fn insert(connection: &Connection, last: &Last, row: &Row) -> Result<Digest, JournalError> {
    let link = chain::link(last.link, row);
    let insert = "INSERT INTO rows(revision, at, private, public, chain) VALUES (?1, ?2, ?3, ?4, ?5)";
    let Row { revision, at, private, public } = row;
    let public = public.as_ref().map(|row| &row.json);
    let values = params![to_sql(*revision), at.as_unix(), private, public, link.as_bytes()];
    connection.prepare_cached(insert)?.execute(values)?;
    Ok(link)
}

impl fmt::Debug for SqliteJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteJournal").finish_non_exhaustive()
    }
}

impl PublicRows for SqliteJournal {
    fn epoch(&self) -> Result<Epoch, JournalError> {
        self.readers.read(layout::epoch)
    }

    fn public_since(&self, after: Revision, limit: usize) -> Result<Vec<PublicRow>, JournalError> {
        self.readers.read(|connection| {
            // Names the index, because SQLite would scan the table with all its
            // private rows.
            let mut statement = connection.prepare_cached(
                "SELECT revision, public FROM rows INDEXED BY public_rows
                 WHERE revision > ?1 AND public IS NOT NULL ORDER BY revision LIMIT ?2",
            )?;
            let rows = statement.query_map(params![to_sql(after), to_sql(limit as u64)], |row| {
                Ok(PublicRow::new(read_u64(row, 0)?, row.get(1)?))
            })?;
            let rows: Vec<_> = rows.collect::<Result<_, _>>()?;
            self.make_durable(rows.last().map_or(0, |row| row.revision))?;
            Ok(rows)
        })
    }

    fn public_row(&self, revision: Revision) -> Result<Option<PublicRow>, JournalError> {
        self.readers.read(|connection| {
            let found = connection
                .prepare_cached("SELECT public FROM rows WHERE revision = ?1 AND public IS NOT NULL")?
                .query_row(params![to_sql(revision)], |row| row.get(0))
                .optional()?;
            self.make_durable(found.as_ref().map_or(0, |_| revision))?;
            Ok(found.map(|json| PublicRow::new(revision, json)))
        })
    }
}

impl Journal for SqliteJournal {
    fn head(&self) -> Result<Revision, JournalError> {
        self.readers.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT coalesce(max(revision), 0) FROM rows")?;
            Ok(statement.query_row([], |row| read_u64(row, 0))?)
        })
    }

    fn append(&self, row: &Row) -> Result<(), JournalError> {
        self.log.check()?;
        let mut writer = self.writer.lock();
        // Takes the write lock now, so that the last row stays the last.
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let last = last_row(&transaction)?;
        row.check_follows(last.revision, last.at)?;
        insert(&transaction, &last, row)?;
        transaction.commit()?;
        Ok(())
    }

    fn make_durable(&self, revision: Revision) -> Result<(), JournalError> {
        self.log.up_to(revision, || self.head())
    }

    fn since(&self, after: Revision, limit: usize) -> Result<Vec<Row>, JournalError> {
        self.readers.read(|connection| {
            // One statement, so that the link and the rows are of one state.
            let mut statement = connection.prepare_cached(
                "SELECT revision, at, private, public, chain,
                     (SELECT chain FROM rows WHERE revision <= ?1 ORDER BY revision DESC LIMIT 1)
                 FROM rows WHERE revision > ?1 ORDER BY revision LIMIT ?2",
            )?;
            let mut rows = statement.query(params![to_sql(after), to_sql(limit as u64)])?;
            let mut found: Vec<Row> = Vec::new();
            let mut link = None;
            while let Some(stored) = rows.next()? {
                let due = found.last().map_or(after, |row| row.revision).saturating_add(1);
                let previous = match link {
                    Some(link) => link,
                    None => layout::link_before(stored, after)?,
                };
                let (row, stored_link) =
                    read_row(stored).map_err(|error| DatabaseError::from(error).at(&format!("row {due}")))?;
                // The chain tells the numbers that a restore has skipped from missing rows.
                if chain::link(previous, &row) != stored_link {
                    let why = if row.revision == due { "does not match its digest" } else { "is missing" };
                    return Err(layout::damaged(&format!("row {due} {why}")));
                }
                link = Some(stored_link);
                found.push(row);
            }
            self.make_durable(found.last().map_or(0, |row| row.revision))?;
            Ok(found)
        })
    }

    fn freeze(
        &self,
        head: Revision,
        work: &mut (dyn FnMut() -> Result<(), JournalError> + Send),
    ) -> Result<(), JournalError> {
        let mut writer = self.writer.lock();
        // Only for the write lock: nothing is written.
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let last = last_row(&transaction)?.revision;
        if last != head {
            return Err(JournalError::Conflict { head: last });
        }
        // If a row that gave a blob up were lost, a version would lack its package.
        self.make_durable(head)?;
        work()
    }

    fn check_appendable(&self) -> Result<(), JournalError> {
        self.log.check()
    }

    fn link_at(&self, revision: Revision) -> Result<Option<Digest>, JournalError> {
        self.readers.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT chain FROM rows WHERE revision = ?1")?;
            let found =
                statement.query_row([to_sql(revision)], |row| row.get::<_, [u8; 32]>(0)).optional()?;
            Ok(found.map(Digest::from))
        })
    }

    fn copy_rows(&self, epoch: &str, after: Revision, rows: &[Row]) -> Result<(), JournalError> {
        self.log.check()?;
        let mut writer = self.writer.lock();
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut last = last_row(&transaction)?;
        let is_copy = layout::is_unfinished_copy(&transaction)?;
        check_copy(epoch, &layout::epoch(&transaction)?, last.revision, is_copy)?;
        if last.revision != after {
            return Err(JournalError::Conflict { head: last.revision });
        }
        if after == 0 {
            layout::begin_copy(&transaction, epoch)?;
        }
        for row in rows {
            row.check_copied(last.revision, last.at)?;
            let link = insert(&transaction, &last, row)?;
            last = Last { revision: row.revision, at: Some(row.at), link };
        }
        transaction.commit()?;
        drop(writer);
        self.make_durable(last.revision)
    }

    fn is_unfinished_copy(&self) -> Result<bool, JournalError> {
        self.readers.read(layout::is_unfinished_copy)
    }

    fn finish_copy(&self) -> Result<(), JournalError> {
        layout::finish_copy(&self.writer.lock())
    }

    fn snapshot(&self, target: &Path) -> Result<(), JournalError> {
        snapshot::copy_open(self, target)
    }
}

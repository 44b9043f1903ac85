//! The rows in PostgreSQL.

mod stored;

use std::sync::Arc;

use parking_lot::Mutex;
use registry::journal::{
    Epoch, Journal, JournalError, PublicRow, PublicRows, RecentRows, Revision, Row, chain, check_copy,
};
use registry::names::Digest;

use crate::database::Database;
use crate::error::StoreError;
use crate::params::{params, read_bytes, read_u64, to_sql};

use stored::{
    Last, epoch, insert, insert_behind, last_row, link_before, lock, lock_for_work, meta, named, public_row,
    read_row, try_insert,
};

/// Last rows that are kept in memory, and their bytes.
const MAX_RECENT: usize = 512;
const MAX_RECENT_BYTES: usize = 16 << 20;

/// Rows that one statement returns at most, so that a long history is read in parts.
const MAX_ROWS: usize = 10_000;

/// The journal of one database. Any number of processes on any number of machines may have it open.
///
/// A row is durable when the append returns.
#[derive(Debug)]
pub struct PostgresJournal {
    database: Arc<Database>,
    /// A row that was the last one.
    last: Mutex<Option<Last>>,
    recent: Mutex<RecentRows>,
}

impl PostgresJournal {
    /// The journal in `database`.
    pub fn new(database: Arc<Database>) -> Self {
        Self {
            database,
            last: Mutex::default(),
            recent: Mutex::new(RecentRows::new(MAX_RECENT, MAX_RECENT_BYTES)),
        }
    }

    /// Notes rows in order, and the link of the last one.
    fn note(&self, rows: &[Row], link: Digest) {
        let Some(row) = rows.last() else { return };
        self.recent.lock().extend(rows);
        let mut last = self.last.lock();
        if last.is_none_or(|last| last.revision < row.revision) {
            *last = Some(Last { revision: row.revision, at: Some(row.at), link });
        }
    }

    /// The row before `row`.
    ///
    /// Errors: [`JournalError::Conflict`] if that is not the last one.
    fn last_before(&self, row: &Row) -> Result<Last, JournalError> {
        let known = *self.last.lock();
        if let Some(last) = known.filter(|last| row.check_follows(last.revision, last.at).is_ok()) {
            return Ok(last);
        }
        let last = self.database.read::<_, JournalError>(last_row)?;
        row.check_follows(last.revision, last.at)?;
        Ok(last)
    }
}

fn limited(limit: usize) -> i64 {
    to_sql(limit.min(MAX_ROWS) as u64)
}

impl PublicRows for PostgresJournal {
    fn epoch(&self) -> Result<Epoch, JournalError> {
        self.database.read(epoch)
    }

    fn public_since(&self, after: Revision, limit: usize) -> Result<Vec<PublicRow>, JournalError> {
        // Callers know no later rows than those.
        if let Some(rows) = self.recent.lock().after(after) {
            return Ok(rows.filter_map(|row| row.public.clone()).take(limit).collect());
        }
        let mut found = Vec::new();
        // Callers take fewer rows than they asked for as the end.
        while found.len() < limit {
            let after = found.last().map_or(after, |row: &PublicRow| row.revision);
            let left = limit - found.len();
            let rows = self.database.read::<_, JournalError>(|connection| {
                let select = "SELECT revision, public FROM skillmirror.rows
                              WHERE revision > $1 AND public IS NOT NULL ORDER BY revision LIMIT $2";
                let rows = connection.query(select, params![INT8 to_sql(after), INT8 limited(left)])?;
                rows.iter().map(public_row).collect::<Result<Vec<_>, _>>()
            })?;
            let is_end = rows.len() < left.min(MAX_ROWS);
            found.extend(rows);
            if is_end {
                break;
            }
        }
        Ok(found)
    }

    fn public_row(&self, revision: Revision) -> Result<Option<PublicRow>, JournalError> {
        if let Some(row) = self.recent.lock().get(revision) {
            return Ok(row.public.clone());
        }
        self.database.read(|connection| {
            let select =
                "SELECT revision, public FROM skillmirror.rows WHERE revision = $1 AND public IS NOT NULL";
            let found = connection.query_opt(select, params![INT8 to_sql(revision)])?;
            found.as_ref().map(public_row).transpose()
        })
    }
}

impl Journal for PostgresJournal {
    fn head(&self) -> Result<Revision, JournalError> {
        self.database.read(|connection| {
            let row = connection.query_one("SELECT coalesce(max(revision), 0) FROM skillmirror.rows", &[])?;
            read_u64(&row, 0)
        })
    }

    fn append(&self, row: &Row) -> Result<(), JournalError> {
        let last = self.last_before(row)?;
        let link = chain::link(last.link, row);
        let mut tries = 0;
        let inserted = self.database.read::<_, JournalError>(|connection| {
            tries += 1;
            insert_behind(connection, &last, row, link, &self.database.sender)
        });
        if !matches!(inserted, Ok(true)) {
            *self.last.lock() = None;
            // The answer of a try may be lost. Rows name their requests, so no other process has stored the same one.
            let may_be_stored = tries > 1 || inserted.is_err();
            if !(may_be_stored && matches!(self.link_at(row.revision), Ok(Some(found)) if found == link)) {
                inserted?;
                return Err(JournalError::Conflict { head: self.head()? });
            }
        }
        self.note(std::slice::from_ref(row), link);
        Ok(())
    }

    fn make_durable(&self, _revision: Revision) -> Result<(), JournalError> {
        // The commit of the append has waited for that.
        Ok(())
    }

    fn since(&self, after: Revision, limit: usize) -> Result<Vec<Row>, JournalError> {
        self.database.read(|connection| {
            // One statement, so that the link and the rows are of one state.
            let select = "SELECT revision, at, private, public, chain,
                    (SELECT chain FROM skillmirror.rows WHERE revision <= $1 ORDER BY revision DESC LIMIT 1)
                FROM skillmirror.rows WHERE revision > $1 ORDER BY revision LIMIT $2";
            let rows = connection.query(select, params![INT8 to_sql(after), INT8 limited(limit)])?;
            let mut found: Vec<Row> = Vec::with_capacity(rows.len());
            let mut link = None;
            for stored in &rows {
                let due = found.last().map_or(after, |row| row.revision).saturating_add(1);
                let previous = match link {
                    Some(link) => link,
                    None => link_before(stored, after)?,
                };
                let (row, stored_link) = read_row(stored).map_err(|error| named(due, error))?;
                // The chain tells the numbers that a restore has skipped from missing rows.
                if chain::link(previous, &row) != stored_link {
                    let why = if row.revision == due { "does not match its digest" } else { "is missing" };
                    return Err(StoreError::Damaged(format!("row {due} {why}")));
                }
                link = Some(stored_link);
                found.push(row);
            }
            if let Some(link) = link {
                self.note(&found, link);
            }
            Ok(found)
        })
    }

    fn freeze(
        &self,
        head: Revision,
        work: &mut (dyn FnMut() -> Result<(), JournalError> + Send),
    ) -> Result<(), JournalError> {
        let mut is_begun = false;
        self.database.write(|connection| {
            lock_for_work(connection)?;
            let last = last_row(connection)?.revision;
            if last != head {
                return Err(JournalError::Conflict { head: last }.into());
            }
            if std::mem::replace(&mut is_begun, true) {
                return Err(StoreError::Storage("the connection broke: try again".into()));
            }
            Ok(work()?)
        })
    }

    fn check_appendable(&self) -> Result<(), JournalError> {
        self.database.read(try_insert)
    }

    fn place(&self) -> &'static str {
        "The database of the journal"
    }

    fn on_append(&self, wake: Arc<dyn Fn() + Send + Sync>) {
        self.database.listen(wake);
    }

    fn link_at(&self, revision: Revision) -> Result<Option<Digest>, JournalError> {
        self.database.read(|connection| {
            let select = "SELECT chain FROM skillmirror.rows WHERE revision = $1";
            let found = connection.query_opt(select, params![INT8 to_sql(revision)])?;
            found.map(|row| Ok(read_bytes(&row, 0)?.into())).transpose()
        })
    }

    fn copy_rows(&self, source: &str, after: Revision, rows: &[Row]) -> Result<(), JournalError> {
        self.database.write(|connection| {
            lock(connection)?;
            let mut last = last_row(connection)?;
            let is_copy = meta(connection, "copy")?.is_some();
            check_copy(source, &epoch(connection)?, last.revision, is_copy)?;
            if last.revision != after {
                return Err(JournalError::Conflict { head: last.revision }.into());
            }
            if after == 0 {
                let update = "UPDATE skillmirror.meta SET value = $1 WHERE key = 'epoch'";
                connection.execute(update, params![TEXT source])?;
                connection.batch_execute(
                    "INSERT INTO skillmirror.meta VALUES ('copy', 'unfinished') ON CONFLICT DO NOTHING",
                )?;
            }
            for row in rows {
                row.check_copied(last.revision, last.at)?;
                let link = insert(connection, last.link, row)?;
                last = Last { revision: row.revision, at: Some(row.at), link };
            }
            Ok(())
        })
    }

    fn is_unfinished_copy(&self) -> Result<bool, JournalError> {
        self.database.read(|connection| Ok(meta(connection, "copy")?.is_some()))
    }

    fn finish_copy(&self) -> Result<(), JournalError> {
        self.database
            .write(|connection| connection.batch_execute("DELETE FROM skillmirror.meta WHERE key = 'copy'"))
    }
}

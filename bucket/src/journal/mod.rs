//! The journal of a registry in an object store, and nothing else: no database.
//!
//! A row is an object that is created, `journal/<epoch>/<20 digits>`, and never changed or deleted. The
//! store creates an object once, so of two processes that append the same row one is told that it was
//! not the first. Readers ask for one number after the other, and stop at the first that has no row. Long
//! runs of rows are in segments besides, so that a start needs few requests. `docs/journal-bucket.md` has
//! the format.

mod copying;
mod entry;
mod frozen;
mod head;
mod rows;
mod state;
mod store;

use std::fmt;
use std::time::Duration;

use parking_lot::Mutex;
use registry::journal::{Epoch, Journal, JournalError, PublicRow, PublicRows, Revision, Row, chain};
use registry::names::Digest;

use self::entry::{Entry, Header, JOURNAL, Segment, StoredRow, entry_key};
use self::rows::Place;
use self::state::{Last, NextEntry, State};
use self::store::Store;
use crate::objects::unique;
use crate::target::Target;

/// A read goes on until it has as many rows, or all. It may have more, as segments are read as a whole.
const ROWS_AT_ONCE: usize = 1000;

/// How often a server looks for rows of other processes, with one request.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The journal in a bucket. Any number of processes on any number of machines may have it open.
pub struct BucketJournal {
    store: Store,
    state: Mutex<State>,
}

impl BucketJournal {
    /// The journal in the bucket of `target`. One that does not exist is empty.
    ///
    /// Errors: the store fails, or overwrites objects that must be created.
    pub fn open(target: Target) -> Result<Self, JournalError> {
        let journal = Self { store: Store::of(target)?, state: Mutex::default() };
        journal.store.probe()?;
        Ok(journal)
    }

    /// Whether a bucket has a journal.
    pub fn is_in(target: Target) -> Result<bool, JournalError> {
        Ok(Store::of(target)?.get(JOURNAL)?.is_some())
    }

    /// The address, for messages.
    pub fn name(&self) -> &str {
        self.store.name()
    }

    /// What the bucket says of its journal. None if it has none yet.
    fn header(&self) -> Result<Option<Header>, JournalError> {
        if let Some(header) = &self.state.lock().header {
            return Ok(Some(header.clone()));
        }
        let Some(bytes) = self.store.get(JOURNAL)? else { return Ok(None) };
        let header = Header::read(&bytes).map_err(|why| self.store.damaged(&why))?;
        self.state.lock().header = Some(header.clone());
        Ok(Some(header))
    }

    /// Makes the journal, unless another process does.
    fn create(&self, header: &Header) -> Result<Header, JournalError> {
        self.store.create(JOURNAL, serde_json::to_vec(header).map_err(std::io::Error::other)?)?;
        self.header()?.ok_or_else(|| self.store.damaged("the new journal.json is missing"))
    }

    /// The name of the history. Creates the journal if the bucket has none.
    fn made_epoch(&self) -> Result<Epoch, JournalError> {
        Ok(match self.header()? {
            Some(header) => header.epoch,
            None => self.create(&Header::new(unique(), false))?.epoch,
        })
    }

    /// Stores a row behind `last`, unless another process does.
    fn store_row(&self, epoch: &str, last: Last, row: &Row) -> Result<(), JournalError> {
        let link = chain::link(last.link, row);
        let entry = Entry::Row(StoredRow::new(row, link));
        let bytes = serde_json::to_vec(&entry).map_err(std::io::Error::other)?;
        let NextEntry { mut index, is_frozen } = self.state.lock().next_entry(row.revision);
        if is_frozen {
            index = self.free_index(epoch, row.revision)?;
        }
        loop {
            let created = self.store.create(&entry_key(epoch, row.revision, index), bytes.clone());
            if let Ok(true) = created {
                break;
            }
            match self.place(epoch, row.revision, None)? {
                // Rows name their requests, so no other process has stored the same one: the answer was
                // lost.
                Place::Taken(found) if found.link == link => break,
                Place::Taken(_) => return Err(JournalError::Conflict { head: self.last(epoch)?.revision }),
                Place::Free(_) => {
                    created?;
                    let next = self.free_index(epoch, row.revision)?;
                    if next == index {
                        let why = "the store refuses to create an object that is not there: try again";
                        return Err(JournalError::Storage(why.into()));
                    }
                    index = next;
                }
            }
        }
        self.state.lock().note(row, link);
        self.pack_closed(epoch);
        Ok(())
    }

    /// A row that exists, and its link.
    fn find(&self, revision: Revision) -> Result<Option<StoredRow>, JournalError> {
        let Some(header) = self.header()? else { return Ok(None) };
        self.listed(&header.epoch)?;
        let segment = revision.checked_sub(1).and_then(|before| self.state.lock().segment_after(before));
        // A thousand rows are much to read for one. Copied rows are in segments alone.
        let is_at_hand = |segment: &Segment| header.copied || self.state.lock().cached(*segment).is_some();
        if let Some(segment) = segment.filter(is_at_hand) {
            let rows = self.segment_rows(&header.epoch, segment)?;
            return Ok(rows.iter().find(|row| row.revision == revision).cloned());
        }
        Ok(match self.place(&header.epoch, revision, None)? {
            Place::Taken(row) => Some(row),
            Place::Free(_) => None,
        })
    }
}

impl PublicRows for BucketJournal {
    fn epoch(&self) -> Result<Epoch, JournalError> {
        self.made_epoch()
    }

    fn public_since(&self, after: Revision, limit: usize) -> Result<Vec<PublicRow>, JournalError> {
        let (mut found, mut after) = (Vec::new(), after);
        // Callers take fewer rows than they asked for as the end.
        while found.len() < limit {
            let rows = self.since(after, limit - found.len())?;
            let Some(last) = rows.last() else { break };
            after = last.revision;
            found.extend(rows.into_iter().filter_map(|row| row.public).take(limit - found.len()));
        }
        Ok(found)
    }

    fn public_row(&self, revision: Revision) -> Result<Option<PublicRow>, JournalError> {
        if let Some(row) = self.state.lock().recent(revision) {
            return Ok(row.public.clone());
        }
        let Some(stored) = self.find(revision)? else { return Ok(None) };
        Ok(stored.row().map_err(|why| self.store.damaged(&why))?.public)
    }
}

impl Journal for BucketJournal {
    fn head(&self) -> Result<Revision, JournalError> {
        let Some(header) = self.header()? else { return Ok(0) };
        Ok(self.last(&header.epoch)?.revision)
    }

    fn append(&self, row: &Row) -> Result<(), JournalError> {
        let epoch = self.made_epoch()?;
        // A copy may have begun since this process looked for one.
        if self.is_unfinished_copy()? {
            let why = "an unfinished copy of another journal is there: end it, or name another prefix";
            return Err(JournalError::Storage(why.into()));
        }
        let mut last = self.listed(&epoch)?;
        if row.check_follows(last.revision, last.at).is_err() {
            last = self.last(&epoch)?;
            row.check_follows(last.revision, last.at)?;
        }
        self.store_row(&epoch, last, row)
    }

    fn make_durable(&self, _revision: Revision) -> Result<(), JournalError> {
        // The store has acknowledged the row.
        Ok(())
    }

    fn since(&self, after: Revision, limit: usize) -> Result<Vec<Row>, JournalError> {
        let Some(header) = self.header()?.filter(|_| limit > 0) else { return Ok(Vec::new()) };
        let head = self.listed(&header.epoch)?;
        let mut found: Vec<Row> = Vec::new();
        while found.len() < limit.min(ROWS_AT_ONCE) {
            let last = found.last().map_or(after, |row| row.revision);
            let rows = self.rows_after(&header.epoch, last, limit - found.len())?;
            if rows.is_empty() && last < head.revision {
                return Err(self.store.damaged(&format!("the row after row {last} is missing")));
            }
            if rows.is_empty() {
                break;
            }
            found.extend(rows);
        }
        Ok(found)
    }

    fn freeze(
        &self,
        head: Revision,
        work: &mut (dyn FnMut() -> Result<(), JournalError> + Send),
    ) -> Result<(), JournalError> {
        let epoch = self.made_epoch()?;
        let last = self.last(&epoch)?.revision;
        let next = last.checked_add(1).filter(|_| last == head);
        let Some(next) = next else { return Err(JournalError::Conflict { head: last }) };
        self.while_frozen(&epoch, next, work)
    }

    fn check_appendable(&self) -> Result<(), JournalError> {
        self.head().map(drop)
    }

    fn place(&self) -> &'static str {
        "The object store of the journal"
    }

    fn poll_interval(&self) -> Duration {
        POLL_INTERVAL
    }

    fn link_at(&self, revision: Revision) -> Result<Option<Digest>, JournalError> {
        Ok(self.find(revision)?.map(|row| row.link))
    }

    fn copy_rows(&self, epoch: &str, after: Revision, rows: &[Row]) -> Result<(), JournalError> {
        self.copy(epoch, after, rows)
    }

    fn is_unfinished_copy(&self) -> Result<bool, JournalError> {
        match self.header()? {
            Some(header) => self.is_unfinished(&header),
            None => Ok(false),
        }
    }

    fn finish_copy(&self) -> Result<(), JournalError> {
        self.finish()
    }
}

impl fmt::Debug for BucketJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BucketJournal").field("store", &self.store).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

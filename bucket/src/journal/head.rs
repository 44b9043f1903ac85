//! Finds the last row.

use registry::journal::{JournalError, chain};

use super::entry::{Segment, StoredRow, index_of, revision_of, rows, segments};
use super::rows::Place;
use super::state::{Last, NextEntry};
use super::{BucketJournal, ROWS_AT_ONCE};

/// The name after that of every entry of a row, in a listing.
const AFTER_ENTRIES: &str = "~";

impl BucketJournal {
    /// Lists the bucket, once, and finds the segments and the last row.
    pub(super) fn listed(&self, epoch: &str) -> Result<Last, JournalError> {
        if let Some(head) = self.state.lock().head {
            return Ok(head);
        }
        let names = self.store.list(&segments(epoch), None)?;
        let newest = {
            let mut state = self.state.lock();
            names.iter().filter_map(|name| Segment::read(name)).for_each(|found| state.add_segment(found));
            state.segments.last().copied()
        };
        let end = newest.map(|segment| format!("{:020}{AFTER_ENTRIES}", segment.last));
        let mut last = Last { revision: 0, at: None, link: chain::root() };
        if let Some(segment) = newest {
            let rows = self.segment_rows(epoch, segment)?;
            last = rows.last().cloned().map_or(Ok(last), |row| self.last_of(row))?;
        }
        let mut revisions: Vec<_> = self.store.list(&rows(epoch), end.as_deref())?;
        // An idle registry has many freezes under its next number. Only the last one counts.
        if let Some(newest) = revisions.last().and_then(|name| revision_of(name)) {
            let indexes =
                revisions.iter().filter(|name| revision_of(name) == Some(newest)).map(|name| index_of(name));
            let index = indexes.max().unwrap_or_default();
            self.state.lock().note_next_entry(newest, NextEntry { index, is_frozen: false });
        }
        revisions.dedup_by_key(|name| revision_of(name));
        for revision in revisions.iter().rev().filter_map(|name| revision_of(name)) {
            if let Place::Taken(row) = self.place(epoch, revision, None)? {
                last = self.last_of(row)?;
                break;
            }
        }
        self.state.lock().head.get_or_insert(last);
        Ok(last)
    }

    fn last_of(&self, row: StoredRow) -> Result<Last, JournalError> {
        let link = row.link;
        let row = row.row().map_err(|why| self.store.damaged(&why))?;
        Ok(Last { revision: row.revision, at: Some(row.at), link })
    }

    /// The last row, after a look for later ones.
    pub(super) fn last(&self, epoch: &str) -> Result<Last, JournalError> {
        let mut head = self.listed(epoch)?;
        while let Some(next) = head.revision.checked_add(1) {
            let found = self.single_rows(epoch, next, ROWS_AT_ONCE)?;
            let rows = self.checked(found.iter().cloned(), head.link)?;
            self.note_all(&rows, &found);
            let Some((row, stored)) = rows.last().zip(found.last()) else { break };
            head = Last { revision: row.revision, at: Some(row.at), link: stored.link };
            if rows.len() < ROWS_AT_ONCE {
                break;
            }
        }
        Ok(head)
    }
}

//! Reads rows: from segments, and one by one.

use std::sync::Arc;

use bytes::Bytes;
use registry::data_fault::json_fault;
use registry::journal::{JournalError, Revision, Row, chain};
use registry::names::Digest;
use registry::with_causes;

use super::BucketJournal;
use super::entry::{Entry, Segment, StoredRow, entry_key, lines};
use super::state::{Last, NextEntry};

/// Rows of a segment that is made of single ones.
pub(super) const ROWS_PER_SEGMENT: usize = 1000;

/// Single rows that are asked for at the same time, once it is known that there are many.
const MAX_WINDOW: usize = 64;

/// What is under the number of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// The row.
    Taken(StoredRow),
    /// No row yet.
    Free(NextEntry),
}

impl BucketJournal {
    /// What is under a number. `first` is the entry that [`State::next_entry`] named, if it was read already.
    pub(super) fn place(
        &self,
        epoch: &str,
        revision: Revision,
        first: Option<(NextEntry, Option<Bytes>)>,
    ) -> Result<Place, JournalError> {
        let (NextEntry { mut index, mut is_frozen }, mut read) = match first {
            Some((next, read)) => (next, Some(read)),
            None => (self.state.lock().next_entry(revision), None),
        };
        loop {
            let key = entry_key(epoch, revision, index);
            let found = match read.take() {
                Some(found) => found,
                None => self.store.get(&key)?,
            };
            let Some(bytes) = found else {
                let next = NextEntry { index, is_frozen };
                self.state.lock().note_next_entry(revision, next);
                return Ok(Place::Free(next));
            };
            let entry = serde_json::from_slice(&bytes)
                .map_err(|why| self.store.damaged(&format!("{key} is no entry: {why}")))?;
            match entry {
                Entry::Row(row) if row.revision == revision => return Ok(Place::Taken(row)),
                Entry::Row(_) => {
                    return Err(self.store.damaged(&format!("{key} has the row of another number")));
                }
                Entry::Freeze(_) => is_frozen = true,
                Entry::Thaw(_) => is_frozen = false,
            }
            index += 1;
        }
    }

    /// The single rows from `first` on, without a gap, at most `limit`.
    pub(super) fn single_rows(
        &self,
        epoch: &str,
        first: Revision,
        limit: usize,
    ) -> Result<Vec<StoredRow>, JournalError> {
        let (mut rows, mut window) = (Vec::new(), 1);
        while rows.len() < limit {
            let Some(next) = first.checked_add(rows.len() as u64) else { break };
            let end = next.saturating_add(window.min(limit - rows.len()) as u64);
            let entries: Vec<_> = {
                let state = self.state.lock();
                (next..end).map(|revision| (revision, state.next_entry(revision))).collect()
            };
            let keys =
                entries.iter().map(|(revision, next)| entry_key(epoch, *revision, next.index)).collect();
            for ((revision, next), read) in entries.into_iter().zip(self.store.get_all(keys)?) {
                match self.place(epoch, revision, Some((next, read)))? {
                    Place::Taken(row) => rows.push(row),
                    Place::Free(_) => return Ok(rows),
                }
            }
            window = (window * 2).min(MAX_WINDOW);
        }
        Ok(rows)
    }

    /// The rows of a segment.
    pub(super) fn segment_rows(
        &self,
        epoch: &str,
        segment: Segment,
    ) -> Result<Arc<Vec<StoredRow>>, JournalError> {
        if let Some(rows) = self.state.lock().cached(segment) {
            return Ok(rows);
        }
        let key = segment.key(epoch);
        let bytes = self.store.get_large(&key)?;
        let bytes = bytes.ok_or_else(|| self.store.damaged(&format!("{key} is missing")))?;
        let rows = serde_json::Deserializer::from_slice(&bytes).into_iter().collect::<Result<Vec<_>, _>>();
        let rows: Vec<StoredRow> =
            rows.map_err(|why| self.store.damaged(&format!("{key} is no segment: {}", json_fault(&why))))?;
        let ends = rows.first().zip(rows.last()).map(|(first, last)| (first.revision, last.revision));
        if ends != Some((segment.first, segment.last)) {
            return Err(self.store.damaged(&format!("{key} has other rows than its name says")));
        }
        let rows = Arc::new(rows);
        self.state.lock().cache(segment, Arc::clone(&rows));
        Ok(rows)
    }

    /// Compares rows with their links, of which the one before is `previous`.
    pub(super) fn checked(
        &self,
        rows: impl IntoIterator<Item = StoredRow>,
        mut previous: Digest,
    ) -> Result<Vec<Row>, JournalError> {
        let mut checked = Vec::new();
        for stored in rows {
            let (revision, link) = (stored.revision, stored.link);
            let row = stored.row().map_err(|why| self.store.damaged(&why))?;
            previous = chain::link(previous, &row);
            // The chain tells the numbers that a restore has skipped from missing rows.
            if previous != link {
                let why = format!("row {revision} does not match its digest, or one before it is missing");
                return Err(self.store.damaged(&why));
            }
            checked.push(row);
        }
        Ok(checked)
    }

    /// Notes that these rows are there.
    pub(super) fn note_all(&self, rows: &[Row], stored: &[StoredRow]) {
        let mut state = self.state.lock();
        rows.iter().zip(stored).for_each(|(row, stored)| state.note(row, stored.link));
    }

    /// The link after which the rows of a segment come.
    fn link_before(&self, epoch: &str, segment: Segment) -> Result<Digest, JournalError> {
        let before = self.state.lock().segment_before(segment.first);
        let Some(before) = before else { return Ok(chain::root()) };
        let rows = self.segment_rows(epoch, before)?;
        let last = rows.iter().rev().find(|row| row.revision < segment.first);
        Ok(last.map_or_else(chain::root, |last| last.link))
    }

    /// The rows after `after` of the next segment, or the next single rows.
    pub(super) fn rows_after(
        &self,
        epoch: &str,
        after: Revision,
        limit: usize,
    ) -> Result<Vec<Row>, JournalError> {
        let (next, end, head) = {
            let state = self.state.lock();
            if let Some(rows) = state.recent_after(after, limit) {
                return Ok(rows);
            }
            let head = state.head.map_or(0, |head| head.revision);
            (state.segment_after(after), state.segments.last().copied(), head)
        };
        if let Some(segment) = next {
            let rows = self.segment_rows(epoch, segment)?;
            let start = rows.partition_point(|row| row.revision <= after);
            let previous = match start.checked_sub(1).and_then(|before| rows.get(before)) {
                Some(before) => before.link,
                None => self.link_before(epoch, segment)?,
            };
            return self.checked(rows.iter().skip(start).take(limit).cloned(), previous);
        }
        let Some(first) = after.checked_add(1) else { return Ok(Vec::new()) };
        // A closed run is read as a whole, whatever the limit, and then is a segment in memory.
        let is_closed = after == end.map_or(0, |segment| segment.last)
            && head.saturating_sub(after) >= ROWS_PER_SEGMENT as u64;
        let most = if is_closed { ROWS_PER_SEGMENT } else { limit.min(ROWS_PER_SEGMENT) };
        let rows = self.single_rows(epoch, first, most)?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let previous = match end {
            None if after == 0 => chain::root(),
            Some(segment) if segment.last == after => {
                self.segment_rows(epoch, segment)?.last().map_or_else(chain::root, |last| last.link)
            }
            _ => self.single_link(epoch, after)?,
        };
        let mut checked = self.checked(rows.iter().cloned(), previous)?;
        self.note_all(&checked, &rows);
        if is_closed && rows.len() == ROWS_PER_SEGMENT {
            self.pack(epoch, rows);
        }
        checked.truncate(limit);
        Ok(checked)
    }

    /// The link of a single row.
    fn single_link(&self, epoch: &str, revision: Revision) -> Result<Digest, JournalError> {
        let known = self.state.lock().head.filter(|head| head.revision == revision);
        if let Some(Last { link, .. }) = known {
            return Ok(link);
        }
        match self.place(epoch, revision, None)? {
            Place::Taken(row) => Ok(row.link),
            Place::Free(_) => Err(self.store.damaged(&format!("row {revision} is missing"))),
        }
    }

    /// Packs a run of rows that was closed just now. If that fails, the next row or the next start tries again.
    pub(super) fn pack_closed(&self, epoch: &str) {
        let (run, end) = {
            let state = self.state.lock();
            (state.closed_run(), state.segments.last().copied())
        };
        let Some(run) = run else { return };
        let previous = match end {
            None => Ok(chain::root()),
            Some(segment) => {
                let rows = self.segment_rows(epoch, segment);
                rows.map(|rows| rows.last().map_or_else(chain::root, |last| last.link))
            }
        };
        let Ok(mut link) = previous else { return };
        let linked = |row: &Row| {
            link = chain::link(link, row);
            StoredRow::new(row, link)
        };
        self.pack(epoch, run.iter().map(linked).collect());
    }

    /// Writes a segment of single rows, which later reads are faster with. The rows stay: if one were
    /// deleted, a process that slept could append it once more.
    fn pack(&self, epoch: &str, rows: Vec<StoredRow>) {
        let Some((first, last)) = rows.first().zip(rows.last()) else { return };
        let segment = Segment { first: first.revision, last: last.revision };
        // Without it the rows are read one by one, as now.
        let Ok(text) = lines(&rows) else { return };
        match self.store.create(&segment.key(epoch), text) {
            Ok(_) => {
                let mut state = self.state.lock();
                state.add_segment(segment);
                state.cache(segment, Arc::new(rows));
            }
            Err(why) => {
                tracing::warn!(error = %with_causes(&why), "cannot pack rows of the journal; trying again later");
                self.state.lock().note_failed_packing();
            }
        }
    }
}

//! What a process knows of its journal.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use registry::journal::{RecentRows, Revision, Row};
use registry::names::Digest;
use registry::time::Timestamp;

use super::entry::{Header, Segment, StoredRow};
use super::rows::ROWS_PER_SEGMENT;

/// Segments that are kept in memory.
const MAX_SEGMENTS: usize = 16;

/// Last rows that are kept in memory: a segment is made of them, and each change of the tree reads up to 256
/// public rows again. Their bytes have no limit, because a segment has none.
const MAX_ROWS: usize = ROWS_PER_SEGMENT + 256;

/// How long no segment is made after one could not be written.
const PACKING_PAUSE: Duration = Duration::from_secs(10 * 60);

/// The last row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Last {
    pub(super) revision: Revision,
    pub(super) at: Option<Timestamp>,
    pub(super) link: Digest,
}

/// The entry that the row of a number gets, or where to begin to look for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct NextEntry {
    /// Its index.
    pub(super) index: u32,
    /// Whether the entry before it is a freeze.
    pub(super) is_frozen: bool,
}

/// What is known. Everything but the head never changes.
#[derive(Debug)]
pub(super) struct State {
    /// None until it was read.
    pub(super) header: Option<Header>,
    /// The last row that is known. None until the bucket was listed.
    pub(super) head: Option<Last>,
    /// In the order of the rows. They begin with the first row, and have no gap but those of copies.
    pub(super) segments: Vec<Segment>,
    /// Whether a copy is known to be finished.
    pub(super) is_finished: bool,
    /// The row that was looked for last and is not there, its next entry, and since when that is known.
    next: Option<(Revision, NextEntry, Instant)>,
    read: VecDeque<(Segment, Arc<Vec<StoredRow>>)>,
    recent: RecentRows,
    packing_failed: Option<Instant>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            header: None,
            head: None,
            segments: Vec::new(),
            is_finished: false,
            next: None,
            read: VecDeque::new(),
            recent: RecentRows::new(MAX_ROWS, usize::MAX),
            packing_failed: None,
        }
    }
}

impl State {
    /// The first segment with a row after `after`.
    pub(super) fn segment_after(&self, after: Revision) -> Option<Segment> {
        let index = self.segments.partition_point(|segment| segment.last <= after);
        self.segments.get(index).copied()
    }

    /// The segment before the one that begins with `first`.
    pub(super) fn segment_before(&self, first: Revision) -> Option<Segment> {
        let index = self.segments.partition_point(|segment| segment.first < first);
        index.checked_sub(1).and_then(|before| self.segments.get(before)).copied()
    }

    /// Where to begin to look for the row of a number.
    pub(super) fn next_entry(&self, revision: Revision) -> NextEntry {
        self.next.filter(|(of, ..)| *of == revision).map(|(_, next, _)| next).unwrap_or_default()
    }

    /// Notes that the row of a number is not there.
    pub(super) fn note_next_entry(&mut self, revision: Revision, next: NextEntry) {
        let is_old = self.head.is_some_and(|head| revision <= head.revision);
        if !is_old && self.next.is_none_or(|(of, known, _)| (of, known) != (revision, next)) {
            self.next = Some((revision, next, Instant::now()));
        }
    }

    /// How long it has been known that this is the next entry of a number.
    pub(super) fn known_for(&self, revision: Revision, next: NextEntry) -> Duration {
        let known = self.next.filter(|(of, known, _)| (*of, *known) == (revision, next));
        known.map(|(.., since)| since.elapsed()).unwrap_or_default()
    }

    /// Adds a segment. An interrupted copy may have left a shorter one with the same first row, or one
    /// that overlaps others: their rows are the same.
    pub(super) fn add_segment(&mut self, segment: Segment) {
        match self.segments.last_mut() {
            Some(last) if last.last >= segment.last => {}
            Some(last) if last.first == segment.first => *last = segment,
            _ => self.segments.push(segment),
        }
    }

    pub(super) fn cached(&self, segment: Segment) -> Option<Arc<Vec<StoredRow>>> {
        self.read.iter().find(|(cached, _)| *cached == segment).map(|(_, rows)| Arc::clone(rows))
    }

    pub(super) fn cache(&mut self, segment: Segment, rows: Arc<Vec<StoredRow>>) {
        self.read.truncate(MAX_SEGMENTS - 1);
        self.read.push_front((segment, rows));
    }

    /// A row that was appended or read just now.
    pub(super) fn recent(&self, revision: Revision) -> Option<&Row> {
        self.recent.get(revision)
    }

    /// The rows after `after`, if all of them up to the head are in memory, and there are any.
    pub(super) fn recent_after(&self, after: Revision, limit: usize) -> Option<Vec<Row>> {
        self.recent.after(after).map(|rows| rows.take(limit).cloned().collect())
    }

    /// Notes that a segment could not be written: writes must not wait for further attempts now.
    pub(super) fn note_failed_packing(&mut self) {
        self.packing_failed = Some(Instant::now());
    }

    /// The rows of the next segment, if there are as many behind the last one, and all of them are in memory.
    pub(super) fn closed_run(&self) -> Option<Vec<Row>> {
        if self.packing_failed.is_some_and(|failed| failed.elapsed() < PACKING_PAUSE) {
            return None;
        }
        let end = self.segments.last().map_or(0, |segment| segment.last);
        let head = self.head?.revision;
        let is_closed = head.saturating_sub(end) >= ROWS_PER_SEGMENT as u64;
        is_closed.then(|| self.recent_after(end, ROWS_PER_SEGMENT)).flatten()
    }

    /// Notes the last row, unless a later one is known.
    pub(super) fn note(&mut self, row: &Row, link: Digest) {
        let head = self.head.map_or(0, |head| head.revision);
        if row.revision <= head {
            return;
        }
        self.head = Some(Last { revision: row.revision, at: Some(row.at), link });
        self.recent.extend(std::slice::from_ref(row));
    }
}

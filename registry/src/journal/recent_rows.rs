//! The last rows of a journal, in memory: each change of the tree reads up to 256 of them again.

use std::collections::VecDeque;

use super::{Revision, Row};

/// The last rows that a process has appended or read, without a gap.
#[derive(Debug)]
pub struct RecentRows {
    /// The newest first.
    rows: VecDeque<Row>,
    max: usize,
    max_bytes: usize,
    /// Of all rows.
    bytes: usize,
}

impl RecentRows {
    /// No rows yet, and at most `max`, with `max_bytes` together. Most rows have a few thousand bytes; that of a
    /// package with many files has a million.
    pub fn new(max: usize, max_bytes: usize) -> Self {
        Self { rows: VecDeque::new(), max, max_bytes, bytes: 0 }
    }

    /// Adds rows behind the last one. Older ones are known already. Behind a gap, only the new ones stay.
    pub fn extend(&mut self, rows: &[Row]) {
        // A start reads millions.
        for row in rows.iter().skip(rows.len().saturating_sub(self.max)) {
            let last = self.rows.front().map(|last| last.revision);
            if last.is_some_and(|last| row.revision <= last) {
                continue;
            }
            if last.is_some_and(|last| row.revision != last + 1) {
                self.rows.clear();
                self.bytes = 0;
            }
            self.rows.push_front(row.clone());
            self.bytes += row.bytes();
            while self.rows.len() > self.max || self.bytes > self.max_bytes {
                let Some(oldest) = self.rows.pop_back() else { break };
                self.bytes -= oldest.bytes();
            }
        }
    }

    /// A row.
    pub fn get(&self, revision: Revision) -> Option<&Row> {
        let back = self.rows.front()?.revision.checked_sub(revision)?;
        self.rows.get(usize::try_from(back).ok()?)
    }

    /// The rows after `after`, if all of them up to the last one are here, and there are any.
    pub fn after(&self, after: Revision) -> Option<impl Iterator<Item = &Row>> {
        let (oldest, newest) = (self.rows.back()?.revision, self.rows.front()?.revision);
        let is_whole = oldest.saturating_sub(1) <= after && after < newest;
        is_whole.then(|| self.rows.iter().rev().filter(move |row| row.revision > after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;

    fn rows(revisions: impl IntoIterator<Item = Revision>) -> Vec<Row> {
        let row = |revision| Row {
            revision,
            at: Timestamp::from_unix(0).unwrap(),
            private: String::new(),
            public: None,
        };
        revisions.into_iter().map(row).collect()
    }

    fn after(recent: &RecentRows, revision: Revision) -> Option<Vec<Revision>> {
        recent.after(revision).map(|rows| rows.map(|row| row.revision).collect())
    }

    #[test]
    fn last_rows_are_kept_without_a_gap() {
        let mut recent = RecentRows::new(3, usize::MAX);
        assert_eq!(after(&recent, 0), None);
        recent.extend(&rows(1..=5));
        recent.extend(&rows([4, 5]));
        assert_eq!((after(&recent, 2), after(&recent, 4)), (Some(vec![3, 4, 5]), Some(vec![5])));
        assert_eq!((after(&recent, 1), after(&recent, 5)), (None, None));
        let found = [2, 3, 5, 6].map(|revision| recent.get(revision).map(|row| row.revision));
        assert_eq!(found, [None, Some(3), Some(5), None]);
        recent.extend(&rows([9]));
        assert_eq!((after(&recent, 8), after(&recent, 5)), (Some(vec![9]), None));
        assert!(recent.get(5).is_none());
    }

    #[test]
    fn large_rows_are_kept_while_they_fit() {
        let large = |revision, bytes| Row { private: "x".repeat(bytes), ..rows([revision]).remove(0) };
        let mut recent = RecentRows::new(512, 30);
        for revision in 1..=4 {
            recent.extend(&[large(revision, 10)]);
        }
        assert_eq!((after(&recent, 1), after(&recent, 0)), (Some(vec![2, 3, 4]), None));
        recent.extend(&[large(5, 31)]);
        assert_eq!((after(&recent, 4), recent.bytes), (None, 0), "not even the last one");
        recent.extend(&rows([6]));
        assert_eq!(after(&recent, 5), Some(vec![6]));
    }
}

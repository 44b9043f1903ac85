//! The pieces of the search index that no manifest leads to any more.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, SystemTime};

use crate::search::PieceName;

/// How long expired pieces of the search index stay in the tree: until either
/// bound is met, the oldest ones go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// From when the manifest ceased to lead to them. With none they go as soon as
    /// the head is written.
    pub time: Duration,
    /// Of all of them together.
    pub bytes: u64,
}

impl Retention {
    /// They go as soon as the head is written.
    pub const NONE: Self = Self { time: Duration::ZERO, bytes: 0 };

    /// Whether what was expired then has to go by its time.
    fn is_over(&self, since: SystemTime) -> bool {
        since.checked_add(self.time).is_some_and(|end| end <= SystemTime::now())
    }
}

/// ExpiredPieces pieces, the oldest first.
#[derive(Debug, Default)]
pub(super) struct ExpiredPieces {
    /// By when the manifest ceased to lead to them, with their sizes.
    by_time: BTreeMap<(SystemTime, PieceName), u64>,
    since: HashMap<PieceName, SystemTime>,
    bytes: u64,
}

impl ExpiredPieces {
    /// Notes since when a piece of so many bytes is one.
    pub(super) fn insert(&mut self, name: PieceName, since: SystemTime, bytes: u64) {
        self.remove(name);
        self.since.insert(name, since);
        self.by_time.insert((since, name), bytes);
        self.bytes += bytes;
    }

    /// Notes that a piece is none, or is gone.
    pub(super) fn remove(&mut self, name: PieceName) {
        if let Some(since) = self.since.remove(&name)
            && let Some(bytes) = self.by_time.remove(&(since, name))
        {
            self.bytes -= bytes;
        }
    }

    /// All of them, in no order.
    pub(super) fn names(&self) -> Vec<PieceName> {
        self.since.keys().copied().collect()
    }

    /// The oldest one, where it has to go.
    pub(super) fn next_to_remove(&self, retention: Retention) -> Option<PieceName> {
        let ((since, name), _) = self.by_time.first_key_value()?;
        (self.bytes > retention.bytes || retention.is_over(*since)).then_some(*name)
    }
}

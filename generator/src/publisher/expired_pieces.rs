//! The expired pieces of the search index: no manifest names them any more.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, SystemTime};

use crate::search::PieceName;

/// Limits on expired pieces in the tree. While one of them is exceeded, the oldest pieces are
/// removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// The time since the manifest stopped naming them. If zero, pieces are removed as soon as the
    /// head is written.
    pub time: Duration,
    /// The size of all expired pieces together.
    pub bytes: u64,
}

impl Retention {
    /// Pieces are removed as soon as the head is written.
    pub const NONE: Self = Self { time: Duration::ZERO, bytes: 0 };

    /// Whether the time of a piece has passed that expired at `since`.
    fn is_over(&self, since: SystemTime) -> bool {
        since.checked_add(self.time).is_some_and(|end| end <= SystemTime::now())
    }
}

/// Expired pieces, the oldest first.
#[derive(Debug, Default)]
pub(super) struct ExpiredPieces {
    /// Sizes by the time of expiry.
    by_time: BTreeMap<(SystemTime, PieceName), u64>,
    since: HashMap<PieceName, SystemTime>,
    bytes: u64,
}

impl ExpiredPieces {
    /// Adds a piece of this size that expired at `since`.
    pub(super) fn insert(&mut self, name: PieceName, since: SystemTime, bytes: u64) {
        self.remove(name);
        self.since.insert(name, since);
        self.by_time.insert((since, name), bytes);
        self.bytes += bytes;
    }

    /// Removes a piece that is current again, or gone.
    pub(super) fn remove(&mut self, name: PieceName) {
        if let Some(since) = self.since.remove(&name)
            && let Some(bytes) = self.by_time.remove(&(since, name))
        {
            self.bytes -= bytes;
        }
    }

    /// The names of all expired pieces, in any order.
    pub(super) fn names(&self) -> Vec<PieceName> {
        self.since.keys().copied().collect()
    }

    /// The oldest piece, if it must be removed.
    pub(super) fn next_to_remove(&self, retention: Retention) -> Option<PieceName> {
        let ((since, name), _) = self.by_time.first_key_value()?;
        (self.bytes > retention.bytes || retention.is_over(*since)).then_some(*name)
    }
}

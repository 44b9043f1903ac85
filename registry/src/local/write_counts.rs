//! Counting the writes of a person or client, for limits on their rate.

use std::num::NonZeroU32;
use std::time::Duration;

use super::{LocalError, LocalStore};
use crate::names::Digest;

/// Writes per minute of one key. A minute's writes may come at once (GCRA, the leaky bucket as a
/// meter): each takes up its share of the minute, and comes too early if no share is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteLimit(NonZeroU32);

impl WriteLimit {
    /// A limit of `writes` in each minute.
    pub fn per_minute(writes: NonZeroU32) -> Self {
        Self(writes)
    }

    /// The writes that may come at once.
    pub fn writes(&self) -> u32 {
        self.0.get()
    }

    /// The share of one write. At least a nanosecond.
    pub fn share(&self) -> Duration {
        Duration::from_secs(60) / self.writes()
    }

    /// The shares of all writes: a minute, rounded down to whole shares.
    pub fn window(&self) -> Duration {
        self.share() * self.writes()
    }
}

/// The outcome of counting a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteCount {
    /// Whether it came in time. One that comes too early does not count.
    pub is_allowed: bool,
    /// The time until no share is taken up any more.
    pub full_in: Duration,
}

impl LocalStore {
    /// Counts a write of `key`, which is stored as its digest. In PostgreSQL the limit holds for all
    /// servers together, otherwise for this process.
    pub fn count_write(&self, key: &str, limit: WriteLimit) -> Result<WriteCount, LocalError> {
        self.records.count_write(&Digest::of(key.as_bytes()), limit)
    }
}

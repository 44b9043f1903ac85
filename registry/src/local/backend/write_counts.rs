//! Counts of writes, for limits on their rate.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::local::LocalError;
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

/// Counts of writes.
pub trait WriteCounts: Send + Sync {
    /// Counts a write of `key`, if the limit allows it. A store that several servers share counts for
    /// all of them. Otherwise each process may count for itself.
    fn count_write(&self, key: &Digest, limit: WriteLimit) -> Result<WriteCount, LocalError>;

    /// Forgets the keys of which no share is taken up.
    fn forget_write_counts(&self) -> Result<(), LocalError>;
}

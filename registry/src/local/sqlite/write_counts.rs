//! Counts of writes, in the memory of one process: a write should not cost another one.

use std::collections::HashMap;
use std::time::Instant;

use parking_lot::Mutex;

use super::SqliteLocal;
use crate::local::{LocalError, WriteCount, WriteCounts, WriteLimit};
use crate::names::Digest;

/// When no share of a key is taken up any more.
pub(super) type FullTimes = Mutex<HashMap<Digest, Instant>>;

impl WriteCounts for SqliteLocal {
    fn count_write(&self, key: &Digest, limit: WriteLimit) -> Result<WriteCount, LocalError> {
        let now = Instant::now();
        let mut full_times = self.write_counts.lock();
        let full_at = full_times.entry(*key).or_insert(now);
        let taken = full_at.saturating_duration_since(now);
        let full_in = taken + limit.share();
        if full_in > limit.window() {
            return Ok(WriteCount { is_allowed: false, full_in: taken });
        }
        *full_at = now + full_in;
        Ok(WriteCount { is_allowed: true, full_in })
    }

    fn forget_write_counts(&self) -> Result<(), LocalError> {
        let now = Instant::now();
        let mut full_times = self.write_counts.lock();
        full_times.retain(|_, full_at| *full_at > now);
        full_times.shrink_to_fit();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    #[test]
    fn keys_without_shares_are_forgotten() {
        let data = tempfile::tempdir().unwrap();
        let (local, _) = SqliteLocal::open(data.path()).unwrap();
        let [fast, slow] = [NonZeroU32::MAX, NonZeroU32::MIN].map(WriteLimit::per_minute);
        for number in 0..100_u8 {
            assert!(local.count_write(&Digest::of(&[number]), fast).unwrap().is_allowed);
        }
        let kept = Digest::of(b"kept");
        assert!(local.count_write(&kept, slow).unwrap().is_allowed);
        local.forget_write_counts().unwrap();
        assert_eq!(local.write_counts.lock().len(), 1);
        assert!(!local.count_write(&kept, slow).unwrap().is_allowed);
    }
}

//! Counts of writes, in the memory of one process: a write should not cost another one.

use std::collections::HashMap;
use std::time::Instant;

use parking_lot::Mutex;

use crate::local::{WriteCount, WriteLimit};
use crate::names::Digest;

/// When no share of a key is taken up any more.
pub(super) type FullTimes = Mutex<HashMap<Digest, Instant>>;

pub(super) fn count(full_times: &FullTimes, key: &Digest, limit: WriteLimit) -> WriteCount {
    let now = Instant::now();
    let mut full_times = full_times.lock();
    let full_at = full_times.entry(*key).or_insert(now);
    let taken = full_at.saturating_duration_since(now);
    let full_in = taken + limit.share();
    if full_in > limit.window() {
        return WriteCount { is_allowed: false, full_in: taken };
    }
    *full_at = now + full_in;
    WriteCount { is_allowed: true, full_in }
}

pub(super) fn forget(full_times: &FullTimes) {
    let now = Instant::now();
    let mut full_times = full_times.lock();
    full_times.retain(|_, full_at| *full_at > now);
    full_times.shrink_to_fit();
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    #[test]
    fn keys_without_shares_are_forgotten() {
        let full_times = FullTimes::default();
        let [fast, slow] = [NonZeroU32::MAX, NonZeroU32::MIN].map(WriteLimit::per_minute);
        for number in 0..100_u8 {
            assert!(count(&full_times, &Digest::of(&[number]), fast).is_allowed);
        }
        let kept = Digest::of(b"kept");
        assert!(count(&full_times, &kept, slow).is_allowed);
        forget(&full_times);
        assert_eq!(full_times.lock().len(), 1);
        assert!(!count(&full_times, &kept, slow).is_allowed);
    }
}

//! How much of the review queue each person uses.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use crate::names::Handle;
use crate::time::Timestamp;

/// How long the package of a closed submission counts: garbage collection keeps it for as long.
const KEPT_FOR: Duration = Duration::from_secs(86_400);

/// The submissions of one person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReviewUsage {
    /// Submissions that wait for review.
    pub pending: usize,
    /// Bytes of their packages, and of those that were closed in the last day without
    /// becoming public.
    pub bytes: u64,
}

/// The usage of every person. Each change costs the same, however many there were.
#[derive(Default)]
pub(super) struct ReviewUsages(HashMap<Handle, Usage>);

#[derive(Default)]
struct Usage {
    pending: usize,
    pending_bytes: u64,
    /// Time and size of packages that were closed without becoming public, oldest first.
    closed: VecDeque<(Timestamp, u64)>,
}

impl Usage {
    fn forget_old(&mut self, now: Timestamp) {
        while self.closed.front().is_some_and(|(at, _)| at.plus(KEPT_FOR) <= now) {
            self.closed.pop_front();
        }
    }
}

impl ReviewUsages {
    pub(super) fn open(&mut self, by: &Handle, bytes: u64) {
        let usage = self.0.entry(by.clone()).or_default();
        usage.pending += 1;
        usage.pending_bytes += bytes;
    }

    /// `became_public`: the package is no longer kept for the review alone.
    pub(super) fn close(&mut self, by: &Handle, bytes: u64, became_public: bool, at: Timestamp) {
        let Some(usage) = self.0.get_mut(by) else { return };
        usage.pending = usage.pending.saturating_sub(1);
        usage.pending_bytes = usage.pending_bytes.saturating_sub(bytes);
        usage.forget_old(at);
        if !became_public && bytes > 0 {
            usage.closed.push_back((at, bytes));
        }
        if usage.pending == 0 && usage.closed.is_empty() {
            self.0.remove(by);
        }
    }

    pub(super) fn of(&self, by: &Handle, now: Timestamp) -> ReviewUsage {
        let Some(usage) = self.0.get(by) else { return ReviewUsage::default() };
        let recent = usage.closed.iter().rev().take_while(|(at, _)| at.plus(KEPT_FOR) > now);
        // A future time was written before the clock was set back, so its age is unknown.
        let recent = recent.filter(|(at, _)| *at <= now.plus(KEPT_FOR));
        let closed: u64 = recent.map(|(_, bytes)| bytes).sum();
        ReviewUsage { pending: usage.pending, bytes: usage.pending_bytes + closed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_package_counts_for_a_day_unless_it_became_public() {
        let at = |seconds: i64| Timestamp::from_unix(1_769_860_800 + seconds).unwrap();
        let (ann, mut usages) = ("ann".parse().unwrap(), ReviewUsages::default());
        for bytes in [10, 20, 40] {
            usages.open(&ann, bytes);
        }
        let of = |usages: &ReviewUsages, now| {
            let ReviewUsage { pending, bytes } = usages.of(&ann, now);
            (pending, bytes)
        };
        assert_eq!(of(&usages, at(0)), (3, 70));
        usages.close(&ann, 10, false, at(0));
        usages.close(&ann, 20, true, at(1));
        assert_eq!(of(&usages, at(1)), (1, 50));
        assert_eq!((of(&usages, at(86_399)), of(&usages, at(86_400))), ((1, 50), (1, 40)));
        usages.close(&ann, 40, false, at(86_400));
        assert_eq!(usages.0[&ann].closed.len(), 1, "the older one is forgotten");
        assert_eq!(of(&usages, at(200_000)), (0, 0));
        assert_eq!(of(&usages, at(-1)), (0, 0), "of a clock that was set back");
    }
}

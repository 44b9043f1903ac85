//! How a mirror is doing, for its metrics.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use registry::time::Timestamp;
use server::metrics::Reading;

/// How a mirror is doing.
#[derive(Debug, Default)]
pub struct MirrorState {
    revision: AtomicU64,
    /// The last time at which the tree was what the source had, in Unix seconds; 0 for never.
    followed_at: AtomicU64,
    is_failing: AtomicBool,
}

impl MirrorState {
    /// The tree is what the source has.
    pub fn followed(&self, revision: u64) {
        let now = u64::try_from(Timestamp::now().as_unix()).unwrap_or_default();
        self.revision.store(revision, Ordering::Relaxed);
        self.followed_at.store(now, Ordering::Relaxed);
        self.is_failing.store(false, Ordering::Relaxed);
    }

    /// The source cannot be followed.
    pub fn failed(&self) {
        self.is_failing.store(true, Ordering::Relaxed);
    }

    /// The values for metrics.
    #[allow(clippy::cast_precision_loss, reason = "metrics are floating-point numbers")]
    pub fn readings(&self) -> Vec<Reading> {
        let number = |of: &AtomicU64| of.load(Ordering::Relaxed) as f64;
        let is_failing = f64::from(u8::from(self.is_failing.load(Ordering::Relaxed)));
        vec![
            Reading::new("mirror_revision", "The last public revision in the mirror", number(&self.revision)),
            Reading::new(
                "mirror_followed_timestamp_seconds",
                "When the mirror last was what its source had, in Unix seconds; 0 for never",
                number(&self.followed_at),
            ),
            Reading::new("mirror_failing", "Whether the last look at the source failed", is_failing),
        ]
    }
}

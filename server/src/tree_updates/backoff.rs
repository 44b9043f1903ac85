//! When to retry what has failed.

use std::time::{Duration, Instant};

/// How often the journal is checked for rows of other processes, and the shortest pause after a failure.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// The longest pause between two attempts.
const MAX_PAUSE: Duration = Duration::from_secs(10);

/// Doubles the pause with each failure.
#[derive(Default)]
pub(super) struct Backoff {
    pub(super) pause: Duration,
    /// `None` after a success.
    until: Option<Instant>,
}

impl Backoff {
    pub(super) fn is_over(&self, now: Instant) -> bool {
        self.until.is_none_or(|until| now >= until)
    }

    pub(super) fn is_failing(&self) -> bool {
        self.until.is_some()
    }

    pub(super) fn failed(&mut self, now: Instant) {
        self.pause = (self.pause * 2).clamp(POLL_INTERVAL, MAX_PAUSE);
        self.until = Some(now + self.pause);
    }
}

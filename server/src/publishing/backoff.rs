//! When what has failed is tried again.

use std::time::{Duration, Instant};

use super::tree_writer::POLL;

/// The longest pause between two attempts to write what could not be written.
const LONGEST: Duration = Duration::from_secs(10);

/// When something that has failed is tried again.
#[derive(Default)]
pub(super) struct Backoff {
    pub(super) pause: Duration,
    pub(super) until: Option<Instant>,
}

impl Backoff {
    pub(super) fn is_over(&self, now: Instant) -> bool {
        self.until.is_none_or(|until| now >= until)
    }

    pub(super) fn failed(&mut self, now: Instant) {
        self.pause = (self.pause * 2).clamp(POLL, LONGEST);
        self.until = Some(now + self.pause);
    }
}

//! Limits how often a client can try passwords.

use std::time::Duration;

use crate::local::{LocalError, LocalStore};
use crate::names::Digest;
use crate::time::Timestamp;

/// Failures count for this time.
const FAILURE_WINDOW: Duration = Duration::from_secs(10 * 60);

impl LocalStore {
    /// How long logins of `subject` are blocked, if they are. `subject` is a
    /// digest of a client, or of account and client. The block lasts until only
    /// `max - 1` failures are younger than ten minutes. Failures in other processes
    /// count too.
    pub fn login_blocked_for(
        &self,
        subject: &Digest,
        max: u32,
        now: Timestamp,
    ) -> Result<Option<Duration>, LocalError> {
        let since = window_start(now);
        let last = self.backend.login_failure(subject, since, max.saturating_sub(1))?;
        // If the clock was set back, the block is still not longer than the window.
        Ok(last.map(|at| Duration::from_secs(at.saturating_sub(since).unsigned_abs()).min(FAILURE_WINDOW)))
    }

    /// Records a failed login of all `subjects`, and forgets those outside the window.
    pub fn record_login_failure(&self, subjects: &[Digest], now: Timestamp) -> Result<(), LocalError> {
        self.backend.record_login_failure(subjects, now, window_start(now))
    }
}

/// Failures at this time (Unix seconds) or before no longer count.
fn window_start(now: Timestamp) -> i64 {
    now.as_unix().saturating_sub_unsigned(FAILURE_WINDOW.as_secs())
}

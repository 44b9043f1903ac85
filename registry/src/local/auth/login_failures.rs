//! Limits how often a client can try passwords.

use std::time::Duration;

use crate::local::{LocalError, LocalStore, Record, Space};
use crate::names::Digest;
use crate::time::Timestamp;

/// The times (Unix seconds) of the failures of each subject, by its digest.
const LOGIN_FAILURES: Space = Space::new("login_failures.1");

/// Failures count for this time.
const FAILURE_WINDOW: Duration = Duration::from_secs(10 * 60);

/// The last failures of a subject that are stored. No limit is higher.
const MAX_STORED: usize = 100;

impl LocalStore {
    /// How long logins of `subject` are blocked, if they are. `subject` is a
    /// digest of a client, or of account and client. The block lasts until only
    /// `max - 1` failures are younger than ten minutes. Failures in other processes
    /// count too. `max` is at most 100.
    pub fn login_blocked_for(
        &self,
        subject: &Digest,
        max: u32,
        now: Timestamp,
    ) -> Result<Option<Duration>, LocalError> {
        let subject = subject.to_string();
        let stored: Option<Vec<i64>> = self.single(|records| records.value(LOGIN_FAILURES, &subject))?;
        let since = window_start(now);
        let mut failures: Vec<_> = stored.into_iter().flatten().filter(|at| *at > since).collect();
        failures.sort_unstable_by(|a, b| b.cmp(a));
        let last = failures.get(max.saturating_sub(1) as usize);
        // If the clock was set back, the block is still not longer than the window.
        Ok(last.map(|at| Duration::from_secs(at.saturating_sub(since).unsigned_abs()).min(FAILURE_WINDOW)))
    }

    /// Records a failed login of all `subjects`, and forgets theirs outside the window.
    pub fn record_login_failure(&self, subjects: &[Digest], now: Timestamp) -> Result<(), LocalError> {
        let places: Vec<_> = subjects.iter().map(|subject| (LOGIN_FAILURES, subject.to_string())).collect();
        let (since, expires) = (window_start(now), now.plus(FAILURE_WINDOW).as_unix());
        self.write(Some(LOGIN_FAILURES), |records| {
            let mut noted = Vec::with_capacity(places.len());
            for (place, stored) in places.iter().zip(records.get(&places)?) {
                let stored: Option<Vec<i64>> = stored.map(|record| record.read()).transpose()?;
                let mut failures: Vec<_> = stored.into_iter().flatten().filter(|at| *at > since).collect();
                failures.push(now.as_unix());
                failures.drain(..failures.len().saturating_sub(MAX_STORED));
                noted.push(Record::new(place.clone(), &failures)?.expiring(expires));
            }
            records.put(&noted)
        })
    }
}

/// Failures at this time (Unix seconds) or before no longer count.
fn window_start(now: Timestamp) -> i64 {
    now.as_unix().saturating_sub_unsigned(FAILURE_WINDOW.as_secs())
}

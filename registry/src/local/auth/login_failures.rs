//! Limits how often a client can try passwords.

use std::time::Duration;

use rusqlite::params;

use crate::local::{LocalError, LocalStore};
use crate::names::Digest;
use crate::time::Timestamp;

pub(in crate::local) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS login_failures(subject TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS login_failures_of ON login_failures(subject, at);
    CREATE INDEX IF NOT EXISTS login_failures_ends ON login_failures(at);
";

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
        let query = "SELECT at FROM login_failures WHERE subject = ?1 AND at > ?2
                     ORDER BY at DESC LIMIT 1 OFFSET ?3";
        let last: Option<i64> =
            self.read_one(query, params![subject.to_string(), since, max.saturating_sub(1)])?;
        // If the clock was set back, the block is still not longer than the window.
        Ok(last.map(|at| Duration::from_secs(at.saturating_sub(since).unsigned_abs()).min(FAILURE_WINDOW)))
    }

    /// Records a failed login of all `subjects`, and forgets those outside the window.
    pub fn record_login_failure(&self, subjects: &[Digest], now: Timestamp) -> Result<(), LocalError> {
        self.write(|transaction| {
            transaction.execute("DELETE FROM login_failures WHERE at <= ?1", [window_start(now)])?;
            let mut insert =
                transaction.prepare_cached("INSERT INTO login_failures(subject, at) VALUES (?1, ?2)")?;
            for subject in subjects {
                insert.execute(params![subject.to_string(), now.as_unix()])?;
            }
            Ok(())
        })
    }
}

/// Failures at this time (Unix seconds) or before no longer count.
fn window_start(now: Timestamp) -> i64 {
    now.as_unix().saturating_sub_unsigned(FAILURE_WINDOW.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::opened;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix(1_769_860_800 + seconds).unwrap()
    }

    #[test]
    fn login_blocked_for_after_ten_failures_in_ten_minutes() {
        let data = tempfile::tempdir().unwrap();
        let (store, ann, bob) = (opened(data.path()), Digest::of(b"ann"), Digest::of(b"bob"));
        let barred = |now| store.login_blocked_for(&ann, 10, at(now)).unwrap().map(|wait| wait.as_secs());
        for second in 0..10 {
            assert_eq!(barred(second), None, "after {second} failures");
            store.record_login_failure(&[ann], at(second)).unwrap();
        }
        assert_eq!([barred(9), barred(100), barred(599)], [Some(591), Some(500), Some(1)]);
        // Only nine failures are left in the window.
        assert_eq!(barred(600), None);
        store.record_login_failure(&[ann], at(600)).unwrap();
        assert_eq!([barred(600), barred(601)], [Some(1), None]);
        assert_eq!(store.login_blocked_for(&bob, 10, at(9)).unwrap(), None);
    }

    #[test]
    fn record_login_failure_is_visible_to_others_and_forgets_old_ones() {
        let data = tempfile::tempdir().unwrap();
        let (here, there, ann) = (opened(data.path()), opened(data.path()), Digest::of(b"ann"));
        for _ in 0..10 {
            here.record_login_failure(&[ann], at(0)).unwrap();
        }
        assert!(there.login_blocked_for(&ann, 10, at(0)).unwrap().is_some());
        drop((here, there));
        let again = opened(data.path());
        assert!(again.login_blocked_for(&ann, 10, at(599)).unwrap().is_some());
        again.record_login_failure(&[ann], at(600)).unwrap();
        let kept: i64 = again
            .connection
            .lock()
            .query_row("SELECT count(*) FROM login_failures", [], |row| row.get(0))
            .unwrap();
        assert_eq!(kept, 1);
    }

    #[test]
    fn login_blocked_for_with_the_clock_set_back_is_at_most_the_window() {
        let data = tempfile::tempdir().unwrap();
        let (store, ann) = (opened(data.path()), Digest::of(b"ann"));
        for _ in 0..10 {
            store.record_login_failure(&[ann], at(100_000)).unwrap();
        }
        assert_eq!(store.login_blocked_for(&ann, 10, at(0)).unwrap(), Some(FAILURE_WINDOW));
    }
}

//! Logins that failed lately, so that nobody tries passwords for long.

use std::time::Duration;

use rusqlite::{OptionalExtension, params};

use crate::local::{LocalError, LocalStore};
use crate::names::Digest;
use crate::time::Timestamp;

pub(in crate::local) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS login_failures(subject TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS login_failures_of ON login_failures(subject, at);
    CREATE INDEX IF NOT EXISTS login_failures_ends ON login_failures(at);
";

/// After so many failures …
const MAX_FAILURES: i64 = 10;
/// … within this time nobody gets in.
const FAILURE_WINDOW: Duration = Duration::from_secs(10 * 60);

impl LocalStore {
    /// How long nobody gets in for `subject`, a digest of who tries from where:
    /// until the tenth failure from the end is ten minutes old. None where there
    /// were fewer. What other processes have noted counts too.
    pub fn login_blocked_for(
        &self,
        subject: &Digest,
        now: Timestamp,
    ) -> Result<Option<Duration>, LocalError> {
        let since = begin(now);
        let connection = self.connection.lock();
        let tenth: Option<i64> = connection
            .prepare_cached(
                "SELECT at FROM login_failures WHERE subject = ?1 AND at > ?2
                 ORDER BY at DESC LIMIT 1 OFFSET ?3",
            )?
            .query_row(params![subject.to_string(), since, MAX_FAILURES - 1], |row| row.get(0))
            .optional()?;
        // A clock that was set back must not keep anyone out for longer.
        Ok(tenth.map(|at| Duration::from_secs(at.saturating_sub(since).unsigned_abs()).min(FAILURE_WINDOW)))
    }

    /// Notes that a login of `subject` failed, durably. Those that no longer
    /// count are forgotten.
    pub fn record_login_failure(&self, subject: &Digest, now: Timestamp) -> Result<(), LocalError> {
        let mut connection = self.connection.lock();
        let transaction = connection.transaction()?;
        transaction.execute("DELETE FROM login_failures WHERE at <= ?1", [begin(now)])?;
        transaction.execute(
            "INSERT INTO login_failures(subject, at) VALUES (?1, ?2)",
            params![subject.to_string(), now.as_unix()],
        )?;
        Ok(transaction.commit()?)
    }
}

/// What is older than this, or as old, no longer counts (Unix seconds).
fn begin(now: Timestamp) -> i64 {
    now.as_unix().saturating_sub(i64::try_from(FAILURE_WINDOW.as_secs()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::opened;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix(1_769_860_800 + seconds).unwrap()
    }

    #[test]
    fn ten_within_ten_minutes_are_too_many() {
        let data = tempfile::tempdir().unwrap();
        let (store, ann, bob) = (opened(data.path()), Digest::of(b"ann"), Digest::of(b"bob"));
        let barred = |now| store.login_blocked_for(&ann, at(now)).unwrap().map(|wait| wait.as_secs());
        for second in 0..10 {
            assert_eq!(barred(second), None, "after {second} failures");
            store.record_login_failure(&ann, at(second)).unwrap();
        }
        assert_eq!([barred(9), barred(100), barred(599)], [Some(591), Some(500), Some(1)]);
        // The first is forgotten, and the ninth from the end is no bar.
        assert_eq!(barred(600), None);
        store.record_login_failure(&ann, at(600)).unwrap();
        assert_eq!([barred(600), barred(601)], [Some(1), None]);
        assert_eq!(store.login_blocked_for(&bob, at(9)).unwrap(), None);
    }

    #[test]
    fn another_process_knows_and_old_ones_are_forgotten() {
        let data = tempfile::tempdir().unwrap();
        let (here, there, ann) = (opened(data.path()), opened(data.path()), Digest::of(b"ann"));
        for _ in 0..10 {
            here.record_login_failure(&ann, at(0)).unwrap();
        }
        assert!(there.login_blocked_for(&ann, at(0)).unwrap().is_some());
        drop((here, there));
        let again = opened(data.path());
        assert!(again.login_blocked_for(&ann, at(599)).unwrap().is_some());
        again.record_login_failure(&ann, at(600)).unwrap();
        let kept: i64 = again
            .connection
            .lock()
            .query_row("SELECT count(*) FROM login_failures", [], |row| row.get(0))
            .unwrap();
        assert_eq!(kept, 1);
    }

    #[test]
    fn a_clock_set_back_keeps_nobody_out_for_longer() {
        let data = tempfile::tempdir().unwrap();
        let (store, ann) = (opened(data.path()), Digest::of(b"ann"));
        for _ in 0..10 {
            store.record_login_failure(&ann, at(100_000)).unwrap();
        }
        assert_eq!(store.login_blocked_for(&ann, at(0)).unwrap(), Some(FAILURE_WINDOW));
    }
}

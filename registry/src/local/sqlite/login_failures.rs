//! The table of failed logins.

use rusqlite::params;

use super::SqliteLocal;
use crate::local::{LocalError, LoginFailures};
use crate::names::Digest;
use crate::time::Timestamp;

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS login_failures(subject TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS login_failures_of ON login_failures(subject, at);
    CREATE INDEX IF NOT EXISTS login_failures_ends ON login_failures(at);
";

impl LoginFailures for SqliteLocal {
    fn login_failure(&self, subject: &Digest, since: i64, index: u32) -> Result<Option<i64>, LocalError> {
        let query = "SELECT at FROM login_failures WHERE subject = ?1 AND at > ?2
                     ORDER BY at DESC LIMIT 1 OFFSET ?3";
        self.read_one(query, params![subject.to_string(), since, index])
    }

    fn record_login_failure(
        &self,
        subjects: &[Digest],
        now: Timestamp,
        forget: i64,
    ) -> Result<(), LocalError> {
        self.write(|transaction| {
            transaction.execute("DELETE FROM login_failures WHERE at <= ?1", [forget])?;
            let mut insert =
                transaction.prepare_cached("INSERT INTO login_failures(subject, at) VALUES (?1, ?2)")?;
            for subject in subjects {
                insert.execute(params![subject.to_string(), now.as_unix()])?;
            }
            Ok(())
        })
    }
}

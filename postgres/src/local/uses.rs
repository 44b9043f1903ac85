//! Failed logins, and when tokens were used.

use registry::local::{LocalError, LoginFailures, TokenUses};
use registry::names::Digest;
use registry::time::Timestamp;

use super::PostgresLocal;
use crate::params::{params, read};

impl LoginFailures for PostgresLocal {
    fn login_failure(&self, subject: &Digest, since: i64, index: u32) -> Result<Option<i64>, LocalError> {
        let subject = subject.to_string();
        self.0.read(|connection| {
            let select = "SELECT at FROM skillmirror.login_failures WHERE subject = $1 AND at > $2
                          ORDER BY at DESC LIMIT 1 OFFSET $3";
            let values = params![TEXT subject, INT8 since, INT8 i64::from(index)];
            connection.query_opt(select, values)?.map(|row| read(&row, 0)).transpose()
        })
    }

    fn record_login_failure(
        &self,
        subjects: &[Digest],
        now: Timestamp,
        forget: i64,
    ) -> Result<(), LocalError> {
        let subjects: Vec<_> = subjects.iter().map(ToString::to_string).collect();
        self.0.write(|connection| {
            let old = "DELETE FROM skillmirror.login_failures WHERE at <= $1";
            connection.execute(old, params![INT8 forget])?;
            let insert = "INSERT INTO skillmirror.login_failures(subject, at) SELECT unnest($1), $2";
            connection.execute(insert, params![TEXT_ARRAY subjects, INT8 now.as_unix()])?;
            Ok(())
        })
    }
}

impl TokenUses for PostgresLocal {
    fn put_token_uses(&self, uses: &[(String, Timestamp)]) -> Result<(), LocalError> {
        // In one order everywhere, so that two processes do not wait for each other.
        let mut uses: Vec<_> = uses.iter().map(|(token, at)| (token.as_str(), at.as_unix())).collect();
        uses.sort_unstable();
        let (tokens, times): (Vec<_>, Vec<_>) = uses.into_iter().unzip();
        self.0.write(|connection| {
            let insert = "INSERT INTO skillmirror.token_uses(token, at) SELECT * FROM unnest($1, $2)
                          ON CONFLICT (token) DO UPDATE SET at = greatest(token_uses.at, excluded.at)";
            connection.execute(insert, params![TEXT_ARRAY tokens, INT8_ARRAY times])?;
            Ok(())
        })
    }

    fn token_use(&self, token: &str) -> Result<Option<Timestamp>, LocalError> {
        self.0.read(|connection| {
            let select = "SELECT at FROM skillmirror.token_uses WHERE token = $1";
            let at =
                connection.query_opt(select, params![TEXT token])?.map(|row| read(&row, 0)).transpose()?;
            Ok(at.and_then(Timestamp::from_unix))
        })
    }
}

//! The table of uses of tokens.

use rusqlite::params;

use super::SqliteLocal;
use crate::local::{LocalError, TokenUses};
use crate::time::Timestamp;

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS token_uses(token TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
";

impl TokenUses for SqliteLocal {
    fn put_token_uses(&self, uses: &[(String, Timestamp)]) -> Result<(), LocalError> {
        self.write(|transaction| {
            // Several processes write, so the greatest time counts.
            let mut insert = transaction.prepare_cached(
                "INSERT INTO token_uses(token, at) VALUES (?1, ?2)
                 ON CONFLICT(token) DO UPDATE SET at = max(at, excluded.at)",
            )?;
            for (token, at) in uses {
                insert.execute(params![token, at.as_unix()])?;
            }
            Ok(())
        })
    }

    fn token_use(&self, token: &str) -> Result<Option<Timestamp>, LocalError> {
        let at: Option<i64> = self.read_one("SELECT at FROM token_uses WHERE token = ?1", [token])?;
        Ok(at.and_then(Timestamp::from_unix))
    }
}

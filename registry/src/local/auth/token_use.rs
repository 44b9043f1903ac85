//! When each token was last used: gathered in memory, so that a request costs
//! no write to the disk.

use std::collections::HashMap;
use std::time::Duration;

use rusqlite::{OptionalExtension, params};

use crate::local::{LocalError, LocalStore};
use crate::time::Timestamp;

pub(in crate::local) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS token_uses(token TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
";

/// A token's use is written at most this often.
const WRITE_INTERVAL: Duration = Duration::from_secs(60);

/// The uses since the start that have something left to do: to be written, or
/// to hold back the next writing.
#[derive(Default)]
pub(in crate::local) struct TokenUses(HashMap<String, Use>);

struct Use {
    latest: Timestamp,
    /// Whether `latest` has yet to be written.
    pending: bool,
    /// Not to be written before this, whether the last attempt went well or
    /// not: a failing disk must not make every request try it.
    next: Timestamp,
}

type Written = Vec<(String, Timestamp)>;

impl TokenUses {
    /// Takes a use down. What is due by then is for the caller to write.
    fn record(&mut self, token: &str, at: Timestamp) -> Written {
        match self.0.get_mut(token) {
            Some(known) if at > known.latest => (known.latest, known.pending) = (at, true),
            Some(_) => {}
            None => {
                self.0.insert(token.to_owned(), Use { latest: at, pending: true, next: at });
            }
        }
        // Looking through all is paid for by the write that follows.
        if self.0.get(token).is_some_and(|known| known.pending && known.next <= at) {
            self.0.retain(|_, known| known.pending || known.next > at);
            self.take(at, |known| known.next <= at)
        } else {
            Written::new()
        }
    }

    /// Everything not yet written.
    fn take_all(&mut self) -> Written {
        self.take(Timestamp::default(), |_| true)
    }

    fn take(&mut self, now: Timestamp, due: impl Fn(&Use) -> bool) -> Written {
        let mut taken = Written::new();
        for (token, known) in &mut self.0 {
            if known.pending && due(known) {
                (known.pending, known.next) = (false, now.max(known.latest).plus(WRITE_INTERVAL));
                taken.push((token.clone(), known.latest));
            }
        }
        taken
    }

    /// Takes back what could not be written.
    fn put_back(&mut self, failed: Written) {
        for (token, at) in failed {
            let known = self.0.entry(token).or_insert(Use {
                latest: at,
                pending: true,
                next: at.plus(WRITE_INTERVAL),
            });
            known.pending = true;
        }
    }
}

impl LocalStore {
    /// Notes that the token with the id `token` (never the secret itself) was
    /// used at `at`. Kept in memory, and written for each token at once the
    /// first time, then at most once a minute; a crash loses the rest. On an
    /// error the use stays noted, and is written with a later one.
    pub fn token_used(&self, token: &str, at: Timestamp) -> Result<(), LocalError> {
        let due = self.token_uses.lock().record(token, at);
        self.write_token_uses(due)
    }

    /// Writes every use that is only in memory yet: for a clean end.
    pub fn flush(&self) -> Result<(), LocalError> {
        let due = self.token_uses.lock().take_all();
        self.write_token_uses(due)
    }

    /// When the token was last used: here, or in another process as far as it
    /// has written. None where it was never.
    pub fn token_last_used(&self, token: &str) -> Result<Option<Timestamp>, LocalError> {
        let here = self.token_uses.lock().0.get(token).map(|known| known.latest);
        let connection = self.connection.lock();
        let mut statement = connection.prepare_cached("SELECT at FROM token_uses WHERE token = ?1")?;
        let written: Option<i64> = statement.query_row(params![token], |row| row.get(0)).optional()?;
        Ok(here.max(written.and_then(Timestamp::from_unix)))
    }

    /// Without the lock on the uses, which requests wait for.
    fn write_token_uses(&self, due: Written) -> Result<(), LocalError> {
        if due.is_empty() {
            return Ok(());
        }
        let written = self.insert_token_uses(&due);
        if written.is_err() {
            self.token_uses.lock().put_back(due);
        }
        written
    }

    /// All in one transaction: the disk is waited for once.
    fn insert_token_uses(&self, due: &Written) -> Result<(), LocalError> {
        let mut connection = self.connection.lock();
        let transaction = connection.transaction()?;
        {
            // The greater, as several processes write.
            let mut insert = transaction.prepare_cached(
                "INSERT INTO token_uses(token, at) VALUES (?1, ?2)
                 ON CONFLICT(token) DO UPDATE SET at = max(at, excluded.at)",
            )?;
            for (token, at) in due {
                insert.execute(params![token, at.as_unix()])?;
            }
        }
        Ok(transaction.commit()?)
    }
}

#[cfg(test)]
mod tests;

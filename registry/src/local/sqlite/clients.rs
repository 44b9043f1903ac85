//! The tables of clients that have downloaded, as hashes.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, Transaction, params};

use crate::local::{Download, KEY_TTL_DAYS, LocalError, client_hash, new_client_key};
use crate::time::Day;

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS download_keys(
        day INTEGER PRIMARY KEY, key BLOB NOT NULL, used INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS download_clients(
        day INTEGER NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (day, hash)) STRICT, WITHOUT ROWID;
";

type Key = [u8; 32];

/// The remembered clients, within a transaction.
pub(super) struct Clients<'t> {
    transaction: &'t Transaction<'t>,
    today: Day,
    keys: HashMap<Day, Key>,
}

impl<'t> Clients<'t> {
    /// Opens the list of clients, and forgets those that are too old `today`.
    pub(super) fn open(transaction: &'t Transaction<'t>, today: Day) -> Result<Self, LocalError> {
        forget(transaction, today)?;
        Ok(Self { transaction, today, keys: HashMap::new() })
    }

    /// Adds the client of a download. Returns false if it had the version that
    /// day already.
    pub(super) fn add(&mut self, download: &Download) -> Result<bool, LocalError> {
        let key = match self.keys.get(&download.day) {
            Some(key) => *key,
            None => {
                let key = self.key_of(download.day)?;
                self.keys.insert(download.day, key);
                key
            }
        };
        let mut insert = self
            .transaction
            .prepare_cached("INSERT OR IGNORE INTO download_clients(day, hash) VALUES (?1, ?2)")?;
        Ok(insert.execute(params![download.day.number(), client_hash(&key, download)])? > 0)
    }

    /// The key of a day, or a new one. Records that it is used today.
    fn key_of(&self, day: Day) -> Result<Key, LocalError> {
        let known: Option<Key> = self
            .transaction
            .prepare_cached("SELECT key FROM download_keys WHERE day = ?1")?
            .query_row([day.number()], |row| row.get(0))
            .optional()?;
        let key = known.map_or_else(new_client_key, Ok)?;
        self.transaction
            .prepare_cached(
                "INSERT INTO download_keys(day, key, used) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET used = max(used, excluded.used) WHERE used < excluded.used",
            )?
            .execute(params![day.number(), key, self.today.number()])?;
        Ok(key)
    }
}

/// Erases keys that were not used for [`KEY_TTL_DAYS`], and their hashes.
pub(super) fn forget(transaction: &Transaction<'_>, today: Day) -> rusqlite::Result<()> {
    let last = [today.number() - KEY_TTL_DAYS];
    let hashes = "DELETE FROM download_clients WHERE day IN (SELECT day FROM download_keys WHERE used <= ?1)";
    transaction.prepare_cached(hashes)?.execute(last)?;
    transaction.prepare_cached("DELETE FROM download_keys WHERE used <= ?1")?.execute(last)?;
    Ok(())
}

#[cfg(test)]
mod tests;

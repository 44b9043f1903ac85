//! Which clients had which version on which day, as hashes.
//!
//! A hash is that of version and address under a random key of the day, so that
//! nothing here can be compared with what is elsewhere. The addresses of a day
//! are not to be found out once its key is gone, and it goes with its hashes
//! when nothing of that day has been counted for a while.

use std::collections::HashMap;
use std::net::IpAddr;

use rusqlite::{OptionalExtension, Transaction, params};

use super::{Download, LocalError};
use crate::names::DigestBuilder;
use crate::time::Day;

pub(in crate::local) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS download_keys(
        day INTEGER PRIMARY KEY, key BLOB NOT NULL, used INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS download_clients(
        day INTEGER NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (day, hash)) STRICT, WITHOUT ROWID;
";

/// How many days after its last use a key is kept: logs are mostly rotated by
/// then, and a mirror's may come late.
const KEY_TTL_DAYS: i64 = 32;

type Key = [u8; 32];

/// The clients, as a transaction finds them.
pub(super) struct Clients<'t> {
    transaction: &'t Transaction<'t>,
    today: Day,
    keys: HashMap<Day, Key>,
}

impl<'t> Clients<'t> {
    /// Those that are there on the day `today`: who is to be forgotten by then is.
    pub(super) fn of(transaction: &'t Transaction<'t>, today: Day) -> Result<Self, LocalError> {
        forget(transaction, today)?;
        Ok(Self { transaction, today, keys: HashMap::new() })
    }

    /// Remembers that a client had a version on a day; false where that was known.
    pub(super) fn is_new(&mut self, download: &Download) -> Result<bool, LocalError> {
        let Download { day, .. } = *download;
        let key = match self.keys.get(&day) {
            Some(key) => *key,
            None => {
                let key = self.key_of(day)?;
                self.keys.insert(day, key);
                key
            }
        };
        let mut insert = self
            .transaction
            .prepare_cached("INSERT OR IGNORE INTO download_clients(day, hash) VALUES (?1, ?2)")?;
        Ok(insert.execute(params![day.number(), hash(&key, download)])? > 0)
    }

    /// The day's key, which is used today; a new one where it has none.
    fn key_of(&self, day: Day) -> Result<Key, LocalError> {
        let known: Option<Key> = self
            .transaction
            .prepare_cached("SELECT key FROM download_keys WHERE day = ?1")?
            .query_row([day.number()], |row| row.get(0))
            .optional()?;
        let key = match known {
            Some(key) => key,
            None => {
                let mut key = Key::default();
                getrandom::fill(&mut key)
                    .map_err(|why| LocalError::Storage(format!("no random numbers: {why}")))?;
                key
            }
        };
        self.transaction
            .prepare_cached(
                "INSERT INTO download_keys(day, key, used) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET used = max(used, excluded.used) WHERE used < excluded.used",
            )?
            .execute(params![day.number(), key, self.today.number()])?;
        Ok(key)
    }
}

/// All parts have a fixed length, so that no two inputs read the same, and
/// nothing can be put behind one.
fn hash(key: &Key, download: &Download) -> [u8; 16] {
    let address = match download.client {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => address,
    };
    let mut digest = DigestBuilder::default();
    digest.update(key);
    digest.update(&download.skill.0.to_be_bytes());
    digest.update(&download.version.0.to_be_bytes());
    digest.update(&address.octets());
    let digest = digest.finish();
    let (half, _) = digest.as_bytes().split_at(16);
    half.try_into().unwrap_or_default()
}

/// Erases the keys that were not used for [`KEY_TTL_DAYS`] days, and their hashes.
pub(super) fn forget(transaction: &Transaction<'_>, today: Day) -> rusqlite::Result<()> {
    let old: Vec<i64> = transaction
        .prepare_cached("SELECT day FROM download_keys WHERE used <= ?1")?
        .query_map([today.number() - KEY_TTL_DAYS], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for day in old {
        transaction.execute("DELETE FROM download_clients WHERE day = ?1", [day])?;
        transaction.execute("DELETE FROM download_keys WHERE day = ?1", [day])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;

//! How often each version was downloaded.
//!
//! A client counts once for a version and day. Which ones were there is kept as
//! hashes ([`clients`]), and never longer than for a while; how far a log was
//! counted in [`logs`], with what was counted.

mod clients;
mod logs;

use std::collections::HashMap;
use std::net::IpAddr;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

pub use logs::{KnownLog, LogCounted, LogPosition, LogStart};

use super::{HistoryContents, LocalError, LocalStore};
use crate::journal::database::{read_u64 as read, to_sql as stored};
use crate::public::Id;
use crate::time::{Day, Timestamp};
use clients::Clients;

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS download_days(
        skill INTEGER NOT NULL, version INTEGER NOT NULL, day INTEGER NOT NULL, count INTEGER NOT NULL,
        PRIMARY KEY (skill, version, day)) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS download_totals(
        skill INTEGER PRIMARY KEY, count INTEGER NOT NULL, changed INTEGER NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS download_totals_changed ON download_totals(changed);
";
pub(super) use clients::SCHEMA as CLIENTS;
pub(super) use logs::SCHEMA as LOGS;

/// A complete download of a version's package.
///
/// One whose client is not known has no place here: it could not be told from
/// the next one, and anyone could raise the numbers with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Download {
    /// The skill's id.
    pub skill: Id,
    /// The version's id.
    pub version: Id,
    /// When it was, in UTC.
    pub day: Day,
    /// Who it was. An IPv4 address counts as the same in its IPv6 form.
    pub client: IpAddr,
}

/// What became of downloads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counted {
    /// How many were counted, by the ids of skill and version.
    pub new: HashMap<(Id, Id), u64>,
    /// How many were of a client that had the version on that day already.
    pub repeated: u64,
}

/// The downloads of a version on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DownloadDay {
    /// The version's id.
    pub version: Id,
    /// The day, in UTC.
    pub day: Day,
    /// How many clients downloaded it.
    pub count: u64,
}

impl LocalStore {
    /// Counts downloads: all of them or, on an error, none. Other processes may
    /// count at the same time.
    pub fn count_downloads(&self, downloads: &[Download]) -> Result<Counted, LocalError> {
        self.counting(|transaction| count(transaction, downloads))
    }

    /// Forgets which clients there were on days of which nothing has been counted
    /// for 32 days. Counting does so too: this is for when nothing is counted.
    pub fn forget_clients(&self) -> Result<(), LocalError> {
        self.counting(|transaction| Ok(clients::forget(transaction, Timestamp::now().into())?))
    }

    /// The downloads in all of the skills that were counted after the number
    /// `since`, by the skill's id, and the number to go on with. With 0: of every
    /// skill that was ever downloaded. Costs what has changed.
    ///
    /// A number is good for this file alone. One that it has not reached, because
    /// it is another file now, counts as 0.
    pub fn download_totals_since(&self, since: u64) -> Result<(Vec<(Id, u64)>, u64), LocalError> {
        let mut connection = self.connection.lock();
        // One state for both questions.
        let transaction = connection.transaction()?;
        let last = last_change(&transaction)?;
        let since = if since > last { 0 } else { since };
        let mut totals: Vec<_> = transaction
            .prepare_cached("SELECT skill, count FROM download_totals WHERE changed > ?1")?
            .query_map([stored(since)], |row| Ok((Id(read(row, 0)?), read(row, 1)?)))?
            .collect::<Result<_, _>>()?;
        totals.sort_unstable();
        Ok((totals, last))
    }

    /// On which days the versions of a skill were downloaded, and how often: by
    /// version and day.
    pub fn download_days(&self, skill: Id) -> Result<Vec<DownloadDay>, LocalError> {
        let connection = self.connection.lock();
        let mut statement = connection.prepare_cached(
            "SELECT version, day, count FROM download_days WHERE skill = ?1 ORDER BY version, day",
        )?;
        let rows = statement.query_map([stored(skill.0)], |row| {
            let number = row.get(1)?;
            let day = Day::from_number(number);
            let day = day.ok_or(rusqlite::Error::IntegralValueOutOfRange(1, number))?;
            Ok(DownloadDay { version: Id(read(row, 0)?), day, count: read(row, 2)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn counting<R>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<R, LocalError>,
    ) -> Result<R, LocalError> {
        let mut connection = self.connection.lock();
        // The right to write comes first: what is read then is still so when it
        // is written, whatever other processes do.
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }
}

fn count(transaction: &Transaction<'_>, downloads: &[Download]) -> Result<Counted, LocalError> {
    let mut counted = Counted::default();
    let mut days: HashMap<(Id, Id, Day), u64> = HashMap::new();
    let mut clients = Clients::of(transaction, Timestamp::now().into())?;
    for download in downloads {
        let Download { skill, version, day, .. } = *download;
        if clients.is_new(download)? {
            *days.entry((skill, version, day)).or_default() += 1;
            *counted.new.entry((skill, version)).or_default() += 1;
        } else {
            counted.repeated += 1;
        }
    }
    add(transaction, &days)?;
    Ok(counted)
}

fn add(transaction: &Transaction<'_>, days: &HashMap<(Id, Id, Day), u64>) -> rusqlite::Result<()> {
    let change = stored(last_change(transaction)? + 1);
    let mut to_day = transaction.prepare_cached(
        "INSERT INTO download_days(skill, version, day, count) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET count = count + excluded.count",
    )?;
    let mut to_total = transaction.prepare_cached(
        "INSERT INTO download_totals(skill, count, changed) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET count = count + excluded.count, changed = excluded.changed",
    )?;
    for ((skill, version, day), count) in days {
        to_day.execute(params![stored(skill.0), stored(version.0), day.number(), stored(*count)])?;
        to_total.execute(params![stored(skill.0), stored(*count), change])?;
    }
    Ok(())
}

/// Drops the numbers of all other skills and versions. The totals that are left
/// count as changed, for they may be smaller.
pub(super) fn keep_only(transaction: &Transaction<'_>, remaining: &HistoryContents) -> rusqlite::Result<()> {
    super::counters::adopted::keep_only(transaction, remaining)?;
    let known: Vec<(u64, u64)> = transaction
        .prepare("SELECT DISTINCT skill, version FROM download_days")?
        .query_map([], |row| Ok((read(row, 0)?, read(row, 1)?)))?
        .collect::<Result<_, _>>()?;
    for (skill, version) in known {
        if !remaining.skills.contains(&Id(skill)) || !remaining.versions.contains(&Id(version)) {
            transaction.execute(
                "DELETE FROM download_days WHERE skill = ?1 AND version = ?2",
                [stored(skill), stored(version)],
            )?;
        }
    }
    sum_up(transaction)
}

/// Makes the totals anew, of the days and of what was lost.
pub(super) fn sum_up(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let change = stored(last_change(transaction)? + 1);
    transaction.execute("DELETE FROM download_totals", [])?;
    transaction.execute(
        "INSERT INTO download_totals(skill, count, changed)
         SELECT skill, sum(count), ?1 FROM
         (SELECT skill, count FROM download_days UNION ALL SELECT skill, count FROM lost_downloads)
         GROUP BY skill",
        [change],
    )?;
    Ok(())
}

/// The number of the last change of a total; 0 where there was none.
fn last_change(connection: &Connection) -> rusqlite::Result<u64> {
    connection
        .prepare_cached("SELECT coalesce(max(changed), 0) FROM download_totals")?
        .query_row([], |row| read(row, 0))
}

#[cfg(test)]
mod tests;

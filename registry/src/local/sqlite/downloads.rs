//! The tables of counted downloads.

use std::collections::HashMap;

use rusqlite::{Connection, Transaction, params};

use super::SqliteLocal;
use super::clients::{self, Clients};
use crate::journal::database::{read_u64, to_sql};
use crate::local::{CountedDownloads, Download, DownloadDay, Downloads, LocalError};
use crate::public::Id;
use crate::time::Day;

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS download_days(
        skill INTEGER NOT NULL, version INTEGER NOT NULL, day INTEGER NOT NULL, count INTEGER NOT NULL,
        PRIMARY KEY (skill, version, day)) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS download_totals(
        skill INTEGER PRIMARY KEY, count INTEGER NOT NULL, changed INTEGER NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS download_totals_changed ON download_totals(changed);
";

impl Downloads for SqliteLocal {
    fn count_downloads(&self, downloads: &[Download], today: Day) -> Result<CountedDownloads, LocalError> {
        self.write(|transaction| count(transaction, downloads, today))
    }

    fn forget_clients(&self, today: Day) -> Result<(), LocalError> {
        self.write(|transaction| Ok(clients::forget(transaction, today)?))
    }

    fn download_totals_since(&self, since: u64) -> Result<(Vec<(Id, u64)>, u64), LocalError> {
        let mut connection = self.connection.lock();
        // One transaction, so that both queries see one state.
        let transaction = connection.transaction()?;
        let last = last_change(&transaction)?;
        let since = if since > last { 0 } else { since };
        let mut totals: Vec<_> = transaction
            .prepare_cached("SELECT skill, count FROM download_totals WHERE changed > ?1")?
            .query_map([to_sql(since)], |row| Ok((Id(read_u64(row, 0)?), read_u64(row, 1)?)))?
            .collect::<Result<_, _>>()?;
        totals.sort_unstable();
        Ok((totals, last))
    }

    fn download_days(&self, skill: Id) -> Result<Vec<DownloadDay>, LocalError> {
        let connection = self.connection.lock();
        let mut statement = connection.prepare_cached(
            "SELECT version, day, count FROM download_days WHERE skill = ?1 ORDER BY version, day",
        )?;
        let rows = statement.query_map([to_sql(skill.0)], |row| {
            let number = row.get(1)?;
            let day = Day::from_number(number);
            let day = day.ok_or(rusqlite::Error::IntegralValueOutOfRange(1, number))?;
            Ok(DownloadDay { version: Id(read_u64(row, 0)?), day, count: read_u64(row, 2)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Counts downloads `today`.
pub(super) fn count(
    transaction: &Transaction<'_>,
    downloads: &[Download],
    today: Day,
) -> Result<CountedDownloads, LocalError> {
    let mut counted = CountedDownloads::default();
    let mut days: HashMap<(Id, Id, Day), u64> = HashMap::new();
    let mut clients = Clients::open(transaction, today)?;
    for download in downloads {
        let Download { skill, version, day, .. } = *download;
        if clients.add(download)? {
            *days.entry((skill, version, day)).or_default() += 1;
            *counted.new.entry((skill, version)).or_default() += 1;
        } else {
            counted.repeated += 1;
        }
    }
    let change = to_sql(last_change(transaction)? + 1);
    let mut add_to_day = transaction.prepare_cached(
        "INSERT INTO download_days(skill, version, day, count) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET count = count + excluded.count",
    )?;
    let mut add_to_total = transaction.prepare_cached(
        "INSERT INTO download_totals(skill, count, changed) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET count = count + excluded.count, changed = excluded.changed",
    )?;
    for ((skill, version, day), count) in days {
        let (skill, count) = (to_sql(skill.0), to_sql(count));
        add_to_day.execute(params![skill, to_sql(version.0), day.number(), count])?;
        add_to_total.execute(params![skill, count, change])?;
    }
    Ok(counted)
}

/// Computes all totals from the days and from adopted counters. Each total
/// counts as changed.
pub(super) fn recompute_totals(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let change = to_sql(last_change(transaction)? + 1);
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

/// The number of the last change of a total, or 0.
fn last_change(connection: &Connection) -> rusqlite::Result<u64> {
    connection
        .prepare_cached("SELECT coalesce(max(changed), 0) FROM download_totals")?
        .query_row([], |row| read_u64(row, 0))
}

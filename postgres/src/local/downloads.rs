//! Counted downloads, and the clients of them as hashes.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};

use crate::connection::Connection;
use registry::local::{
    CountedDownloads, Download, DownloadDay, Downloads, KEY_TTL_DAYS, LocalError, client_hash, new_client_key,
};
use registry::public::Id;
use registry::time::Day;

use super::{PostgresLocal, lock_counts};
use crate::error::StoreError;
use crate::params::{params, read, read_bytes, read_u64, to_sql};

impl Downloads for PostgresLocal {
    fn count_downloads(&self, downloads: &[Download], today: Day) -> Result<CountedDownloads, LocalError> {
        self.0.write(|connection| {
            lock_counts(connection)?;
            count(connection, downloads, today)
        })
    }

    fn forget_clients(&self, today: Day) -> Result<(), LocalError> {
        self.0.write(|connection| {
            lock_counts(connection)?;
            forget(connection, today)
        })
    }

    fn download_totals_since(&self, since: u64) -> Result<(Vec<(Id, u64)>, u64), LocalError> {
        self.0.read(|connection| {
            // One statement, so that all numbers are of one state.
            let select =
                "WITH last AS (SELECT coalesce(max(changed), 0) AS last FROM skillmirror.download_totals)
                SELECT last.last, skill, count FROM last LEFT JOIN skillmirror.download_totals
                ON changed > CASE WHEN $1 > last.last THEN 0 ELSE $1 END ORDER BY skill";
            let rows = connection.query(select, params![INT8 to_sql(since)])?;
            let last = rows.first().map_or(Ok(0), |row| read_u64(row, 0))?;
            let mut totals = Vec::with_capacity(rows.len());
            for row in &rows {
                if read::<Option<i64>>(row, 1)?.is_some() {
                    totals.push((Id(read_u64(row, 1)?), read_u64(row, 2)?));
                }
            }
            Ok((totals, last))
        })
    }

    fn download_days(&self, skill: Id) -> Result<Vec<DownloadDay>, LocalError> {
        self.0.read(|connection| {
            let select = "SELECT version, day, count FROM skillmirror.download_days WHERE skill = $1
                          ORDER BY version, day";
            let rows = connection.query(select, params![INT8 to_sql(skill.0)])?;
            let days = rows.iter().map(|row| {
                let day = Day::from_number(read(row, 1)?);
                let day = day.ok_or_else(|| StoreError::Damaged("a day is invalid".into()))?;
                Ok(DownloadDay { version: Id(read_u64(row, 0)?), day, count: read_u64(row, 2)? })
            });
            days.collect()
        })
    }
}

/// Counts downloads `today`. Call it with the lock of counts held.
pub(super) fn count(
    connection: &mut Connection,
    downloads: &[Download],
    today: Day,
) -> Result<CountedDownloads, StoreError> {
    forget(connection, today)?;
    let mut keys = BTreeMap::new();
    for Download { day, .. } in downloads {
        if let Entry::Vacant(key) = keys.entry(day.number()) {
            key.insert(key_of(connection, *day, today)?);
        }
    }
    let hashes: Vec<_> = downloads
        .iter()
        .filter_map(|download| {
            let day = download.day.number();
            keys.get(&day).map(|key| (day, client_hash(key, download)))
        })
        .collect();
    let mut new = insert_clients(connection, &hashes)?;
    let mut counted = CountedDownloads::default();
    let (mut days, mut totals) = (BTreeMap::new(), BTreeMap::new());
    for (download, hash) in downloads.iter().zip(&hashes) {
        if new.remove(hash) {
            let Download { skill, version, .. } = *download;
            *days.entry((skill.0, version.0, hash.0)).or_insert(0_i64) += 1;
            *totals.entry(skill.0).or_insert(0_i64) += 1;
            *counted.new.entry((skill, version)).or_default() += 1;
        } else {
            counted.repeated += 1;
        }
    }
    let change = last_change(connection)?.saturating_add(1);
    for ((skill, version, day), count) in days {
        let add = "INSERT INTO skillmirror.download_days AS known (skill, version, day, count)
                   VALUES ($1, $2, $3, $4)
                   ON CONFLICT (skill, version, day) DO UPDATE SET count = known.count + excluded.count";
        connection.execute(add, params![INT8 to_sql(skill), INT8 to_sql(version), INT8 day, INT8 count])?;
    }
    for (skill, count) in totals {
        let add = "INSERT INTO skillmirror.download_totals AS known (skill, count, changed) VALUES ($1, $2, $3)
                   ON CONFLICT (skill) DO UPDATE SET count = known.count + excluded.count, changed = excluded.changed";
        connection.execute(add, params![INT8 to_sql(skill), INT8 count, INT8 to_sql(change)])?;
    }
    Ok(counted)
}

/// Stores clients. Returns the new ones.
fn insert_clients(
    connection: &mut Connection,
    hashes: &[(i64, [u8; 16])],
) -> Result<HashSet<(i64, [u8; 16])>, StoreError> {
    let days: Vec<_> = hashes.iter().map(|(day, _)| *day).collect();
    let bytes: Vec<&[u8]> = hashes.iter().map(|(_, hash)| hash.as_slice()).collect();
    let insert = "INSERT INTO skillmirror.download_clients(day, hash) SELECT * FROM unnest($1, $2)
                  ON CONFLICT DO NOTHING RETURNING day, hash";
    let rows = connection.query(insert, params![INT8_ARRAY days, BYTEA_ARRAY bytes])?;
    rows.iter().map(|row| Ok((read(row, 0)?, read_bytes(row, 1)?))).collect()
}

/// The key of a day, or a new one. Records that it is used today.
fn key_of(connection: &mut Connection, day: Day, today: Day) -> Result<[u8; 32], StoreError> {
    let insert = "INSERT INTO skillmirror.download_keys AS known (day, key, used) VALUES ($1, $2, $3)
                  ON CONFLICT (day) DO UPDATE SET used = greatest(known.used, excluded.used) RETURNING key";
    let new = new_client_key()?;
    let values = params![INT8 day.number(), BYTEA new.as_slice(), INT8 today.number()];
    read_bytes(&connection.query_one(insert, values)?, 0)
}

/// Erases keys that were not used for [`KEY_TTL_DAYS`], and their hashes.
fn forget(connection: &mut Connection, today: Day) -> Result<(), StoreError> {
    let last = today.number() - KEY_TTL_DAYS;
    let hashes = "DELETE FROM skillmirror.download_clients WHERE day IN
                  (SELECT day FROM skillmirror.download_keys WHERE used <= $1)";
    connection.execute(hashes, params![INT8 last])?;
    connection.execute("DELETE FROM skillmirror.download_keys WHERE used <= $1", params![INT8 last])?;
    Ok(())
}

/// Computes all totals from the days and from adopted counters. Each total counts as changed. Call it with
/// the lock of counts held.
pub(super) fn recompute_totals(connection: &mut Connection) -> Result<(), StoreError> {
    let change = last_change(connection)?.saturating_add(1);
    connection.batch_execute("DELETE FROM skillmirror.download_totals")?;
    let insert = "INSERT INTO skillmirror.download_totals(skill, count, changed)
        SELECT skill, sum(count)::bigint, $1 FROM (
            SELECT skill, count FROM skillmirror.download_days
            UNION ALL SELECT skill, count FROM skillmirror.lost_downloads) AS counted
        GROUP BY skill";
    connection.execute(insert, params![INT8 to_sql(change)])?;
    Ok(())
}

/// The number of the last change of a total, or 0.
fn last_change(connection: &mut Connection) -> Result<u64, StoreError> {
    let select = "SELECT coalesce(max(changed), 0) FROM skillmirror.download_totals";
    read_u64(&connection.query_one(select, &[])?, 0)
}

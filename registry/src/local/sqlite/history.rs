//! The table of the history that the store belongs to.

use std::collections::HashSet;

use rusqlite::types::FromSql;
use rusqlite::{ToSql, Transaction};

use super::{SqliteLocal, downloads};
use crate::local::{History, HistoryContents, LocalError};
use crate::names::Handle;
use crate::public::Id;

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS history(
        one INTEGER PRIMARY KEY CHECK (one = 1), epoch TEXT NOT NULL) STRICT;
";

impl History for SqliteLocal {
    fn history_epoch(&self) -> Result<Option<String>, LocalError> {
        self.read_one("SELECT epoch FROM history", [])
    }

    fn begin_history(&self, epoch: &str) -> Result<(), LocalError> {
        let insert = "INSERT OR IGNORE INTO history(one, epoch) VALUES (1, ?1)";
        self.connection.lock().execute(insert, [epoch])?;
        Ok(())
    }

    fn replace_history(&self, epoch: &str, contents: &HistoryContents) -> Result<(), LocalError> {
        let HistoryContents { accounts, skills, versions } = contents;
        let is_account =
            |handle: &String| handle.parse().is_ok_and(|handle: Handle| accounts.contains(&handle));
        let is_in = |ids: &HashSet<Id>, id: i64| u64::try_from(id).is_ok_and(|id| ids.contains(&Id(id)));
        self.write(|transaction| {
            transaction.execute_batch(
                "DELETE FROM token_uses; DELETE FROM sessions; DELETE FROM device_logins; DELETE FROM uploads",
            )?;
            retain(transaction, "passwords", "handle", is_account)?;
            retain(transaction, "download_days", "skill", |id| is_in(skills, *id))?;
            retain(transaction, "download_days", "version", |id| is_in(versions, *id))?;
            retain(transaction, "lost_downloads", "skill", |id| is_in(skills, *id))?;
            retain(transaction, "published_counters", "skill", |id| is_in(skills, *id))?;
            downloads::recompute_totals(transaction)?;
            transaction.execute("UPDATE history SET epoch = ?1", [epoch])?;
            Ok(())
        })
    }
}

/// Deletes the rows of `table` whose `column` is not to be kept.
fn retain<T: FromSql + ToSql>(
    transaction: &Transaction<'_>,
    table: &str,
    column: &str,
    keep: impl Fn(&T) -> bool,
) -> rusqlite::Result<()> {
    let values: Vec<T> = transaction
        .prepare(&format!("SELECT DISTINCT {column} FROM {table}"))?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut delete = transaction.prepare(&format!("DELETE FROM {table} WHERE {column} = ?1"))?;
    for value in values.iter().filter(|value| !keep(value)) {
        delete.execute([value])?;
    }
    Ok(())
}

//! Removes the data of a history that a backup has replaced.

use std::collections::HashSet;

use rusqlite::types::FromSql;
use rusqlite::{ToSql, Transaction};

use super::{LocalError, LocalStore, downloads};
use crate::names::Handle;
use crate::public::Id;

/// The accounts, skills and versions of a restored history.
#[derive(Debug, Clone, Default)]
pub struct HistoryContents {
    /// The accounts.
    pub accounts: HashSet<Handle>,
    /// The skills, with the removed ones that can be restored.
    pub skills: HashSet<Id>,
    /// The versions of these skills.
    pub versions: HashSet<Id>,
}

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS history(
        one INTEGER PRIMARY KEY CHECK (one = 1), epoch TEXT NOT NULL) STRICT;
";

impl LocalStore {
    /// The epoch of the history that the store belongs to. None before the first
    /// start.
    pub fn history_epoch(&self) -> Result<Option<String>, LocalError> {
        self.read_one("SELECT epoch FROM history", [])
    }

    /// Compares the journal's epoch with the last known one. If it is another, a
    /// backup has replaced the history, and data of the old one is removed. Call
    /// it at every start.
    pub fn follow_history(
        &self,
        epoch: &str,
        contents: impl FnOnce() -> HistoryContents,
    ) -> Result<(), LocalError> {
        match self.history_epoch()? {
            Some(known) if known == epoch => Ok(()),
            Some(_) => self.history_replaced(epoch, &contents()),
            None => {
                let insert = "INSERT OR IGNORE INTO history(one, epoch) VALUES (1, ?1)";
                self.connection.lock().execute(insert, [epoch])?;
                Ok(())
            }
        }
    }

    /// Removes what does not belong to the restored history.
    ///
    /// Passwords of other accounts go, because their handles are free again. So do
    /// token uses, downloads and published counters of other skills and versions,
    /// because their ids will be reused. All sessions end. The positions in logs
    /// stay: downloads of remaining skills are still counted.
    fn history_replaced(&self, epoch: &str, contents: &HistoryContents) -> Result<(), LocalError> {
        let HistoryContents { accounts, skills, versions } = contents;
        let is_account =
            |handle: &String| handle.parse().is_ok_and(|handle: Handle| accounts.contains(&handle));
        let is_in = |ids: &HashSet<Id>, id: i64| u64::try_from(id).is_ok_and(|id| ids.contains(&Id(id)));
        self.write(|transaction| {
            transaction.execute_batch("DELETE FROM token_uses; DELETE FROM sessions")?;
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::Duration;

    use super::*;
    use crate::local::{Download, opened};
    use crate::names::Handle;
    use crate::public::Counters;
    use crate::time::Timestamp;

    #[test]
    fn history_replaced_removes_passwords_of_others_and_all_sessions() {
        let data = tempfile::tempdir().unwrap();
        let store = opened(data.path());
        let [ann, bob] = ["ann", "bob"].map(|handle| handle.parse::<Handle>().unwrap());
        for handle in [&ann, &bob] {
            store.set_password(handle, "$a$1").unwrap();
        }
        store.token_used("7", Timestamp::now()).unwrap();
        let (lifetime, now) = (Duration::from_secs(9), Timestamp::now());
        let (key, _) = store.begin_session(&ann, "$a$1", now, lifetime).unwrap().unwrap();
        drop(store);
        let store = opened(data.path());
        let accounts = HashSet::from([ann.clone()]);
        store.history_replaced("e", &HistoryContents { accounts, ..HistoryContents::default() }).unwrap();
        assert!(store.password(&ann).unwrap().is_some());
        assert!(store.password(&bob).unwrap().is_none());
        assert_eq!(store.token_last_used("7").unwrap(), None);
        assert!(store.session(&key, now).unwrap().is_none());
    }

    #[test]
    fn history_replaced_removes_counters_of_others() {
        let data = tempfile::tempdir().unwrap();
        let store = opened(data.path());
        let day = Timestamp::now().into();
        let downloads: Vec<_> = [(1, 2), (1, 5), (1, 5), (4, 4)]
            .into_iter()
            .enumerate()
            .map(|(client, (skill, version))| Download {
                skill: Id(skill),
                version: Id(version),
                day,
                client: [10, 0, 0, client as u8].into(),
            })
            .collect();
        store.count_downloads(&downloads).unwrap();
        store.publish_counters(&[(Id(1), Counters::default()), (Id(4), Counters::default())], 9).unwrap();
        let (_, since) = store.download_totals_since(0).unwrap();
        let versions = HashSet::from([Id(2)]);
        let remaining =
            HistoryContents { skills: HashSet::from([Id(1)]), versions, ..HistoryContents::default() };
        store.history_replaced("e", &remaining).unwrap();
        let (totals, last) = store.download_totals_since(since).unwrap();
        assert_eq!(totals, [(Id(1), 1)], "the remaining totals count as changed");
        assert!(last > since);
        assert!(store.download_days(Id(4)).unwrap().is_empty());
        let published: Vec<_> =
            store.published_counters_since(0).unwrap().into_iter().map(|(skill, ..)| skill).collect();
        assert_eq!(published, [Id(1)]);
        assert_eq!(store.counter_generation().unwrap(), 9);
    }
}

//! What is remembered of a history ends with it.

use std::collections::HashSet;

use rusqlite::OptionalExtension;

use super::counters::published;
use super::{LocalError, LocalStore, downloads};
use crate::names::Handle;
use crate::public::Id;

/// Who and what a restored history has.
#[derive(Debug, Clone, Default)]
pub struct HistoryContents {
    /// The accounts.
    pub accounts: HashSet<Handle>,
    /// The skills, deleted ones too where they can be restored.
    pub skills: HashSet<Id>,
    /// The versions of these skills.
    pub versions: HashSet<Id>,
}

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS history(
        one INTEGER PRIMARY KEY CHECK (one = 1), epoch TEXT NOT NULL) STRICT;
";

impl LocalStore {
    /// To be called at every opening with the epoch of the journal: where that is
    /// another one than before, a backup has taken the place of the history, and
    /// what is remembered of the other one is forgotten.
    pub fn follow_history(
        &self,
        epoch: &str,
        remaining: impl FnOnce() -> HistoryContents,
    ) -> Result<(), LocalError> {
        let known: Option<String> = self
            .connection
            .lock()
            .prepare_cached("SELECT epoch FROM history")?
            .query_row([], |row| row.get(0))
            .optional()?;
        match known {
            Some(known) if known == epoch => Ok(()),
            Some(_) => self.history_replaced(epoch, &remaining()),
            None => {
                let insert = "INSERT OR IGNORE INTO history(one, epoch) VALUES (1, ?1)";
                self.connection.lock().execute(insert, [epoch])?;
                Ok(())
            }
        }
    }

    /// What the restored history has stays. Others' passwords are forgotten, because their
    /// handles are free again; and when tokens were used, and the downloads and
    /// published counters of other skills and versions, because the ids of those
    /// that are gone are given to new ones. How far logs were counted stays
    /// known: what was counted for a skill that remains is still counted. All
    /// sessions end.
    fn history_replaced(&self, epoch: &str, remaining: &HistoryContents) -> Result<(), LocalError> {
        let mut connection = self.connection.lock();
        let transaction = connection.transaction()?;
        transaction.execute_batch("DELETE FROM token_uses; DELETE FROM sessions")?;
        let known: Vec<String> = transaction
            .prepare("SELECT handle FROM passwords")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for handle in known {
            if !handle.parse().is_ok_and(|handle: Handle| remaining.accounts.contains(&handle)) {
                transaction.execute("DELETE FROM passwords WHERE handle = ?1", [handle])?;
            }
        }
        downloads::keep_only(&transaction, remaining)?;
        published::keep_only(&transaction, remaining)?;
        transaction.execute("UPDATE history SET epoch = ?1", [epoch])?;
        Ok(transaction.commit()?)
    }
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
    fn who_is_not_in_the_new_history_has_no_password_and_nobody_a_session() {
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
    fn what_is_not_in_the_new_history_has_no_numbers() {
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
        assert_eq!(totals, [(Id(1), 1)], "what is left is to be published again");
        assert!(last > since);
        assert!(store.download_days(Id(4)).unwrap().is_empty());
        let published: Vec<_> =
            store.published_counters_since(0).unwrap().into_iter().map(|(skill, ..)| skill).collect();
        assert_eq!(published, [Id(1)]);
        assert_eq!(store.counter_generation().unwrap(), 9);
    }
}

//! Counters that outlive the store: those that a tree shows are taken over
//! where there are none here, because the file was lost or erased.

use rusqlite::{Transaction, TransactionBehavior};

use super::published::{last_generation, publish};
use crate::journal::database::{read_u64, to_sql as stored};
use crate::local::{HistoryContents, LocalError, LocalStore, downloads};
use crate::public::{Counters, Id};

pub(in crate::local) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS lost_downloads(
        skill INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
";

impl LocalStore {
    /// Takes over counters that were published as `generation` and before, if
    /// none were ever published here. They count as published once more, in the
    /// generation after that. Of downloads they are all that is left to know: the
    /// totals go on from there.
    pub fn adopt_counters(&self, counters: &[(Id, Counters)], generation: u64) -> Result<(), LocalError> {
        let mut connection = self.connection.lock();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if last_generation(&transaction)? > 0 {
            return Ok(());
        }
        publish(&transaction, counters, generation.saturating_add(1))?;
        for (skill, counters) in counters {
            transaction.execute(
                "INSERT OR REPLACE INTO lost_downloads(skill, count) VALUES (?1, ?2)",
                [stored(skill.0), stored(counters.downloads)],
            )?;
        }
        downloads::sum_up(&transaction)?;
        Ok(transaction.commit()?)
    }
}

/// Drops the numbers of all other skills.
pub(in crate::local) fn keep_only(
    transaction: &Transaction<'_>,
    remaining: &HistoryContents,
) -> rusqlite::Result<()> {
    let known: Vec<u64> = transaction
        .prepare("SELECT skill FROM lost_downloads")?
        .query_map([], |row| read_u64(row, 0))?
        .collect::<Result<_, _>>()?;
    for skill in known.into_iter().filter(|skill| !remaining.skills.contains(&Id(*skill))) {
        transaction.execute("DELETE FROM lost_downloads WHERE skill = ?1", [stored(skill)])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::{Download, opened};
    use crate::time::Timestamp;

    #[test]
    fn totals_go_on_from_what_was_shown() {
        let data = tempfile::tempdir().unwrap();
        let store = opened(data.path());
        let shown = Counters { downloads: 40, stars: 3, ..Counters::default() };
        store.adopt_counters(&[(Id(7), shown)], 12).unwrap();
        assert_eq!(store.published_counters_since(0).unwrap(), [(Id(7), shown, 13)]);
        let download = |client: &str| Download {
            skill: Id(7),
            version: Id(8),
            day: Timestamp::now().into(),
            client: client.parse().unwrap(),
        };
        store.count_downloads(&[download("192.0.2.1"), download("192.0.2.2")]).unwrap();
        assert_eq!(store.download_totals_since(0).unwrap().0, [(Id(7), 42)]);
        // Only where there is nothing.
        store.adopt_counters(&[(Id(7), Counters::default())], 90).unwrap();
        assert_eq!(store.counter_generation().unwrap(), 13);
        assert_eq!(store.download_totals_since(0).unwrap().0, [(Id(7), 42)]);
    }
}

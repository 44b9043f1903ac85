//! Adopts the counters that a tree shows if the local store has none, because
//! its file was lost or erased.

use super::published::{insert, last_generation};
use crate::journal::database::to_sql;
use crate::local::{LocalError, LocalStore, downloads};
use crate::public::{Counters, Id};

pub(in crate::local) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS lost_downloads(
        skill INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
";

impl LocalStore {
    /// Publishes counters that a tree shows up to `generation`, unless counters
    /// were published here. They get the next generation. The downloads of each
    /// day are lost, so totals are counted on from these.
    pub fn adopt_counters(&self, counters: &[(Id, Counters)], generation: u64) -> Result<(), LocalError> {
        self.write(|transaction| {
            if last_generation(transaction)? > 0 {
                return Ok(());
            }
            insert(transaction, counters, generation.saturating_add(1))?;
            for (skill, counters) in counters {
                transaction.execute(
                    "INSERT OR REPLACE INTO lost_downloads(skill, count) VALUES (?1, ?2)",
                    [to_sql(skill.0), to_sql(counters.downloads)],
                )?;
            }
            Ok(downloads::recompute_totals(transaction)?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::{Download, opened};
    use crate::time::Timestamp;

    #[test]
    fn adopt_counters_into_an_empty_store_sets_the_totals() {
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
        // The store is not empty any more.
        store.adopt_counters(&[(Id(7), Counters::default())], 90).unwrap();
        assert_eq!(store.counter_generation().unwrap(), 13);
        assert_eq!(store.download_totals_since(0).unwrap().0, [(Id(7), 42)]);
    }
}

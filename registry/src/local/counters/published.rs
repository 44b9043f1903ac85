//! The numbers that the tree shows for each skill: what the process that counts
//! hands to the one that writes the tree.

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use crate::journal::database::{read_u64 as read, to_sql as stored};
use crate::local::{HistoryContents, LocalError, LocalStore};
use crate::public::{Counters, Hundredths, Id};

pub(in crate::local) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS published_counters(
        skill INTEGER PRIMARY KEY,
        downloads INTEGER NOT NULL, stars INTEGER NOT NULL,
        rating_hundredths INTEGER, ratings INTEGER NOT NULL,
        generation INTEGER NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS published_counters_generation ON published_counters(generation);
    CREATE TABLE IF NOT EXISTS counter_generation(
        one INTEGER PRIMARY KEY CHECK (one = 1), generation INTEGER NOT NULL) STRICT;
";

impl LocalStore {
    /// Publishes the numbers of some skills, in place of their earlier ones, as
    /// the generation `generation`: all of them or, on an error, none.
    ///
    /// Errors: [`LocalError::Conflict`] where the last generation is not a
    /// smaller one, for another process has published meanwhile.
    pub fn publish_counters(&self, counters: &[(Id, Counters)], generation: u64) -> Result<(), LocalError> {
        let mut connection = self.connection.lock();
        // Takes the right to write before it reads: nobody can come between.
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if generation <= last_generation(&transaction)? {
            return Err(LocalError::Conflict);
        }
        publish(&transaction, counters, generation)?;
        Ok(transaction.commit()?)
    }

    /// The numbers that were published after the generation `generation`, each
    /// with the one it was published as, in the order of these: with 0 all there
    /// are. By generation and, within one, by the skill's id.
    pub fn published_counters_since(&self, generation: u64) -> Result<Vec<(Id, Counters, u64)>, LocalError> {
        let connection = self.connection.lock();
        let mut statement = connection.prepare_cached(
            "SELECT skill, downloads, stars, rating_hundredths, ratings, generation FROM published_counters
             WHERE generation > ?1 ORDER BY generation, skill",
        )?;
        let rows = statement.query_map([stored(generation)], |row| {
            let counters = Counters {
                downloads: read(row, 1)?,
                stars: read(row, 2)?,
                rating_average: row.get::<_, Option<u16>>(3)?.map(Hundredths::from_hundredths),
                ratings: read(row, 4)?,
            };
            Ok((Id(read(row, 0)?), counters, read(row, 5)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The last generation that was published; 0 where none was. It never falls,
    /// not even when a restored history has fewer skills.
    pub fn counter_generation(&self) -> Result<u64, LocalError> {
        Ok(last_generation(&self.connection.lock())?)
    }
}

/// Drops the numbers of all other skills.
pub(in crate::local) fn keep_only(
    transaction: &Transaction<'_>,
    remaining: &HistoryContents,
) -> rusqlite::Result<()> {
    let known: Vec<u64> = transaction
        .prepare("SELECT skill FROM published_counters")?
        .query_map([], |row| read(row, 0))?
        .collect::<Result<_, _>>()?;
    for skill in known.into_iter().filter(|skill| !remaining.skills.contains(&Id(*skill))) {
        transaction.execute("DELETE FROM published_counters WHERE skill = ?1", [stored(skill)])?;
    }
    Ok(())
}

/// Writes counters as a generation that is later than all before.
pub(super) fn publish(
    transaction: &Transaction<'_>,
    counters: &[(Id, Counters)],
    generation: u64,
) -> rusqlite::Result<()> {
    transaction.execute(
        "INSERT INTO counter_generation(one, generation) VALUES (1, ?1)
             ON CONFLICT(one) DO UPDATE SET generation = excluded.generation",
        [stored(generation)],
    )?;
    {
        let mut insert = transaction.prepare_cached(
                "INSERT OR REPLACE INTO published_counters
                 (skill, downloads, stars, rating_hundredths, ratings, generation) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?;
        for (skill, Counters { downloads, stars, rating_average, ratings }) in counters {
            insert.execute(params![
                stored(skill.0),
                stored(*downloads),
                stored(*stars),
                rating_average.map(|mean| i64::from(mean.get())),
                stored(*ratings),
                stored(generation)
            ])?;
        }
    }
    Ok(())
}

pub(super) fn last_generation(connection: &Connection) -> rusqlite::Result<u64> {
    connection
        .prepare_cached("SELECT coalesce(max(generation), 0) FROM counter_generation")?
        .query_row([], |row| read(row, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::opened;

    fn counters(downloads: u64) -> Counters {
        Counters { downloads, stars: 2, rating_average: Some(Hundredths::from_hundredths(450)), ratings: 2 }
    }

    #[test]
    fn the_last_numbers_count_in_every_process() {
        let data = tempfile::tempdir().unwrap();
        let (server, watcher) = (opened(data.path()), opened(data.path()));
        assert_eq!(watcher.counter_generation().unwrap(), 0);
        server.publish_counters(&[(Id(7), counters(1)), (Id(5), counters(2))], 1).unwrap();
        server.publish_counters(&[(Id(7), counters(3))], 4).unwrap();
        let all = [(Id(5), counters(2), 1), (Id(7), counters(3), 4)];
        assert_eq!(watcher.published_counters_since(0).unwrap(), all);
        assert_eq!(watcher.published_counters_since(1).unwrap(), all[1..]);
        assert_eq!(watcher.published_counters_since(4).unwrap(), []);
        assert_eq!(watcher.counter_generation().unwrap(), 4);
    }

    #[test]
    fn a_generation_that_is_not_greater_changes_nothing() {
        let data = tempfile::tempdir().unwrap();
        let store = opened(data.path());
        store.publish_counters(&[(Id(7), counters(1))], 3).unwrap();
        for generation in [0, 2, 3] {
            let refused = store.publish_counters(&[(Id(8), counters(9))], generation);
            assert!(matches!(refused, Err(LocalError::Conflict)), "{generation}");
        }
        assert_eq!(store.published_counters_since(0).unwrap(), [(Id(7), counters(1), 3)]);
        // One that nothing is published in counts too.
        store.publish_counters(&[], 4).unwrap();
        assert_eq!(store.counter_generation().unwrap(), 4);
    }
}

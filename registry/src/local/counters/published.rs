//! The published counters of each skill: the process that counts hands them to
//! the process that writes the tree.

use rusqlite::{Connection, Transaction, params};

use crate::journal::database::{read_u64, to_sql};
use crate::local::{LocalError, LocalStore};
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
    /// Publishes the counters of some skills as `generation`, in one transaction.
    ///
    /// Errors: [`LocalError::Conflict`] unless the last generation is smaller,
    /// because another process has published meanwhile.
    pub fn publish_counters(&self, counters: &[(Id, Counters)], generation: u64) -> Result<(), LocalError> {
        self.write(|transaction| {
            if generation <= last_generation(transaction)? {
                return Err(LocalError::Conflict);
            }
            Ok(insert(transaction, counters, generation)?)
        })
    }

    /// The counters that were published after `generation` (0: all), each with
    /// its generation. Sorted by generation, then by skill.
    pub fn published_counters_since(&self, generation: u64) -> Result<Vec<(Id, Counters, u64)>, LocalError> {
        let connection = self.connection.lock();
        let mut statement = connection.prepare_cached(
            "SELECT skill, downloads, stars, rating_hundredths, ratings, generation FROM published_counters
             WHERE generation > ?1 ORDER BY generation, skill",
        )?;
        let rows = statement.query_map([to_sql(generation)], |row| {
            let counters = Counters {
                downloads: read_u64(row, 1)?,
                stars: read_u64(row, 2)?,
                rating_average: row.get::<_, Option<u16>>(3)?.map(Hundredths),
                ratings: read_u64(row, 4)?,
            };
            Ok((Id(read_u64(row, 0)?), counters, read_u64(row, 5)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The last published generation, or 0. It never falls, not even when a
    /// restored history has fewer skills.
    pub fn counter_generation(&self) -> Result<u64, LocalError> {
        Ok(last_generation(&self.connection.lock())?)
    }
}

/// Inserts counters as `generation`, which must be the greatest.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    counters: &[(Id, Counters)],
    generation: u64,
) -> rusqlite::Result<()> {
    transaction.execute(
        "INSERT OR REPLACE INTO counter_generation(one, generation) VALUES (1, ?1)",
        [to_sql(generation)],
    )?;
    let mut insert = transaction.prepare_cached(
        "INSERT OR REPLACE INTO published_counters
         (skill, downloads, stars, rating_hundredths, ratings, generation) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for (skill, Counters { downloads, stars, rating_average, ratings }) in counters {
        insert.execute(params![
            to_sql(skill.0),
            to_sql(*downloads),
            to_sql(*stars),
            rating_average.map(|mean| mean.0),
            to_sql(*ratings),
            to_sql(generation)
        ])?;
    }
    Ok(())
}

pub(super) fn last_generation(connection: &Connection) -> rusqlite::Result<u64> {
    connection
        .prepare_cached("SELECT coalesce(max(generation), 0) FROM counter_generation")?
        .query_row([], |row| read_u64(row, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::opened;

    fn counters(downloads: u64) -> Counters {
        Counters { downloads, stars: 2, rating_average: Some(Hundredths(450)), ratings: 2 }
    }

    #[test]
    fn publish_counters_is_visible_to_other_processes() {
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
    fn publish_counters_with_an_old_generation_conflicts() {
        let data = tempfile::tempdir().unwrap();
        let store = opened(data.path());
        store.publish_counters(&[(Id(7), counters(1))], 3).unwrap();
        for generation in [0, 2, 3] {
            let refused = store.publish_counters(&[(Id(8), counters(9))], generation);
            assert!(matches!(refused, Err(LocalError::Conflict)), "{generation}");
        }
        assert_eq!(store.published_counters_since(0).unwrap(), [(Id(7), counters(1), 3)]);
        // A generation without counters counts too.
        store.publish_counters(&[], 4).unwrap();
        assert_eq!(store.counter_generation().unwrap(), 4);
    }
}

//! The tables of published counters.

use rusqlite::{Connection, Transaction, params};

use super::{SqliteLocal, downloads};
use crate::journal::database::{read_u64, to_sql};
use crate::local::{LocalError, PublishedCounters};
use crate::public::{Counters, Hundredths, Id};

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS published_counters(
        skill INTEGER PRIMARY KEY,
        downloads INTEGER NOT NULL, stars INTEGER NOT NULL,
        rating_hundredths INTEGER, ratings INTEGER NOT NULL,
        generation INTEGER NOT NULL) STRICT;
    CREATE INDEX IF NOT EXISTS published_counters_generation ON published_counters(generation);
    CREATE TABLE IF NOT EXISTS counter_generation(
        one INTEGER PRIMARY KEY CHECK (one = 1), generation INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS lost_downloads(
        skill INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
";

impl PublishedCounters for SqliteLocal {
    fn publish_counters(&self, counters: &[(Id, Counters)], generation: u64) -> Result<(), LocalError> {
        self.write(|transaction| {
            if generation <= last_generation(transaction)? {
                return Err(LocalError::Conflict);
            }
            Ok(insert(transaction, counters, generation)?)
        })
    }

    fn published_counters_since(&self, generation: u64) -> Result<Vec<(Id, Counters, u64)>, LocalError> {
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

    fn counter_generation(&self) -> Result<u64, LocalError> {
        Ok(last_generation(&self.connection.lock())?)
    }

    fn adopt_counters(&self, counters: &[(Id, Counters)], generation: u64) -> Result<(), LocalError> {
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

/// Inserts counters as `generation`, which must be the greatest.
fn insert(
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

fn last_generation(connection: &Connection) -> rusqlite::Result<u64> {
    connection
        .prepare_cached("SELECT coalesce(max(generation), 0) FROM counter_generation")?
        .query_row([], |row| read_u64(row, 0))
}

//! Published counters.

use crate::connection::Connection;
use registry::local::{LocalError, PublishedCounters};
use registry::public::{Counters, Hundredths, Id};

use super::{PostgresLocal, downloads, lock_counts};
use crate::error::StoreError;
use crate::params::{params, read, read_u64, to_sql};

impl PublishedCounters for PostgresLocal {
    fn publish_counters(&self, counters: &[(Id, Counters)], generation: u64) -> Result<(), LocalError> {
        self.0.write(|connection| {
            lock_counts(connection)?;
            if generation <= last_generation(connection)? {
                return Err(LocalError::Conflict.into());
            }
            insert(connection, counters, generation)
        })
    }

    fn published_counters_since(&self, generation: u64) -> Result<Vec<(Id, Counters, u64)>, LocalError> {
        self.0.read(|connection| {
            let select = "SELECT skill, downloads, stars, rating_hundredths, ratings, generation
                FROM skillmirror.published_counters WHERE generation > $1 ORDER BY generation, skill";
            let rows = connection.query(select, params![INT8 to_sql(generation)])?;
            let counters = rows.iter().map(|row| {
                let rating: Option<i32> = read(row, 3)?;
                let counters = Counters {
                    downloads: read_u64(row, 1)?,
                    stars: read_u64(row, 2)?,
                    rating_average: rating.and_then(|mean| u16::try_from(mean).ok()).map(Hundredths),
                    ratings: read_u64(row, 4)?,
                };
                Ok((Id(read_u64(row, 0)?), counters, read_u64(row, 5)?))
            });
            counters.collect()
        })
    }

    fn counter_generation(&self) -> Result<u64, LocalError> {
        self.0.read(last_generation)
    }

    fn adopt_counters(&self, counters: &[(Id, Counters)], generation: u64) -> Result<(), LocalError> {
        self.0.write(|connection| {
            lock_counts(connection)?;
            if last_generation(connection)? > 0 {
                return Ok(());
            }
            insert(connection, counters, generation.saturating_add(1))?;
            for (skill, counters) in counters {
                let insert = "INSERT INTO skillmirror.lost_downloads(skill, count) VALUES ($1, $2)
                              ON CONFLICT (skill) DO UPDATE SET count = excluded.count";
                connection.execute(insert, params![INT8 to_sql(skill.0), INT8 to_sql(counters.downloads)])?;
            }
            downloads::recompute_totals(connection)
        })
    }
}

fn insert(
    connection: &mut Connection,
    counters: &[(Id, Counters)],
    generation: u64,
) -> Result<(), StoreError> {
    let last = "INSERT INTO skillmirror.counter_generation(one, generation) VALUES (1, $1)
                ON CONFLICT (one) DO UPDATE SET generation = excluded.generation";
    connection.execute(last, params![INT8 to_sql(generation)])?;
    let column =
        |of: fn(&Counters) -> u64| -> Vec<i64> { counters.iter().map(|(_, it)| to_sql(of(it))).collect() };
    let skills: Vec<_> = counters.iter().map(|(skill, _)| to_sql(skill.0)).collect();
    let ratings: Vec<_> =
        counters.iter().map(|(_, it)| it.rating_average.map(|mean| i32::from(mean.0))).collect();
    let insert = "INSERT INTO skillmirror.published_counters
            (skill, downloads, stars, rating_hundredths, ratings, generation)
        SELECT *, $6::bigint FROM unnest($1, $2, $3, $4, $5)
        ON CONFLICT (skill) DO UPDATE SET downloads = excluded.downloads, stars = excluded.stars,
            rating_hundredths = excluded.rating_hundredths, ratings = excluded.ratings, generation = excluded.generation";
    connection.execute(
        insert,
        params![
            INT8_ARRAY skills,
            INT8_ARRAY column(|it| it.downloads),
            INT8_ARRAY column(|it| it.stars),
            INT4_ARRAY ratings,
            INT8_ARRAY column(|it| it.ratings),
            INT8 to_sql(generation),
        ],
    )?;
    Ok(())
}

fn last_generation(connection: &mut Connection) -> Result<u64, StoreError> {
    let select = "SELECT coalesce(max(generation), 0) FROM skillmirror.counter_generation";
    read_u64(&connection.query_one(select, &[])?, 0)
}

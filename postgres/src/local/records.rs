//! Reads and writes what a backup or a copy has.

use crate::connection::Connection;
use registry::local::{ImportError, LocalError, LocalRecord, Records};

use super::{PostgresLocal, downloads, lock_counts};
use crate::error::StoreError;
use crate::params::{params, read, read_u64, to_sql};

impl Records for PostgresLocal {
    fn export(&self, visit: &mut dyn FnMut(LocalRecord) -> Result<(), LocalError>) -> Result<(), LocalError> {
        let records = self.0.write::<_, LocalError>(|connection| {
            // All queries see one state.
            connection.batch_execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
            let mut records = Vec::new();
            let passwords = "SELECT handle, phc FROM skillmirror.passwords ORDER BY handle";
            for row in connection.query(passwords, &[])? {
                records.push(LocalRecord::Password { handle: read(&row, 0)?, hash: read(&row, 1)? });
            }
            let days = "SELECT skill, version, day, count FROM skillmirror.download_days
                        ORDER BY skill, version, day";
            for row in connection.query(days, &[])? {
                let (skill, version) = (read_u64(&row, 0)?, read_u64(&row, 1)?);
                let (day, count) = (read(&row, 2)?, read_u64(&row, 3)?);
                records.push(LocalRecord::Downloads { skill, version, day, count });
            }
            let lost = "SELECT skill, count FROM skillmirror.lost_downloads ORDER BY skill";
            for row in connection.query(lost, &[])? {
                let (skill, count) = (read_u64(&row, 0)?, read_u64(&row, 1)?);
                records.push(LocalRecord::EarlierDownloads { skill, count });
            }
            Ok(records)
        })?;
        records.into_iter().try_for_each(visit)
    }

    fn import(
        &self,
        epoch: &str,
        records: &mut dyn Iterator<Item = Result<LocalRecord, ImportError>>,
    ) -> Result<(), ImportError> {
        let records = records.collect::<Result<Vec<_>, _>>()?;
        self.0.write(|connection| {
            lock_counts(connection)?;
            for (number, record) in (1..).zip(&records) {
                if insert(connection, record)? != 1 {
                    return Err(StoreError::Known(number));
                }
            }
            downloads::recompute_totals(connection)?;
            let history = "INSERT INTO skillmirror.history(one, epoch) VALUES (1, $1)
                           ON CONFLICT (one) DO UPDATE SET epoch = excluded.epoch";
            connection.execute(history, params![TEXT epoch])?;
            Ok(())
        })
    }
}

/// Inserts a record. Returns the number of new rows.
fn insert(connection: &mut Connection, record: &LocalRecord) -> Result<u64, StoreError> {
    Ok(match record {
        LocalRecord::Password { handle, hash } => {
            let insert =
                "INSERT INTO skillmirror.passwords(handle, phc) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            connection.execute(insert, params![TEXT handle, TEXT hash])?
        }
        LocalRecord::Downloads { skill, version, day, count } => {
            let insert = "INSERT INTO skillmirror.download_days(skill, version, day, count)
                          VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
            let (skill, version, count) = (to_sql(*skill), to_sql(*version), to_sql(*count));
            connection.execute(insert, params![INT8 skill, INT8 version, INT8 *day, INT8 count])?
        }
        LocalRecord::EarlierDownloads { skill, count } => {
            let insert =
                "INSERT INTO skillmirror.lost_downloads(skill, count) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            connection.execute(insert, params![INT8 to_sql(*skill), INT8 to_sql(*count)])?
        }
    })
}

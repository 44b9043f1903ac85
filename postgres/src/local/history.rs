//! The history that the data belong to.

use registry::local::{History, HistoryContents, LocalError};

use super::{PostgresLocal, downloads, lock_counts};
use crate::params::{params, read, to_sql};

impl History for PostgresLocal {
    fn history_epoch(&self) -> Result<Option<String>, LocalError> {
        self.0.read(|connection| {
            let found = connection.query_opt("SELECT epoch FROM skillmirror.history", &[])?;
            found.map(|row| read(&row, 0)).transpose()
        })
    }

    fn begin_history(&self, epoch: &str) -> Result<(), LocalError> {
        self.0.read(|connection| {
            let insert = "INSERT INTO skillmirror.history(one, epoch) VALUES (1, $1) ON CONFLICT DO NOTHING";
            connection.execute(insert, params![TEXT epoch])?;
            Ok(())
        })
    }

    fn replace_history(&self, epoch: &str, contents: &HistoryContents) -> Result<(), LocalError> {
        let HistoryContents { accounts, skills, versions } = contents;
        let accounts: Vec<_> = accounts.iter().map(|handle| handle.as_str()).collect();
        let ids = |ids: &std::collections::HashSet<registry::public::Id>| -> Vec<i64> {
            ids.iter().map(|id| to_sql(id.0)).collect()
        };
        let (skills, versions) = (ids(skills), ids(versions));
        self.0.write(|connection| {
            lock_counts(connection)?;
            for table in ["token_uses", "sessions", "device_logins", "uploads"] {
                connection.batch_execute(&format!("DELETE FROM skillmirror.{table}"))?;
            }
            let passwords = "DELETE FROM skillmirror.passwords WHERE NOT handle = ANY($1)";
            connection.execute(passwords, params![TEXT_ARRAY accounts])?;
            let days = "DELETE FROM skillmirror.download_days
                        WHERE NOT skill = ANY($1) OR NOT version = ANY($2)";
            connection.execute(days, params![INT8_ARRAY skills, INT8_ARRAY versions])?;
            for table in ["lost_downloads", "published_counters"] {
                let delete = format!("DELETE FROM skillmirror.{table} WHERE NOT skill = ANY($1)");
                connection.execute(&delete, params![INT8_ARRAY skills])?;
            }
            downloads::recompute_totals(connection)?;
            let update = "UPDATE skillmirror.history SET epoch = $1";
            connection.execute(update, params![TEXT epoch])?;
            Ok(())
        })
    }
}

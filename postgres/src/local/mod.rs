//! The local data in PostgreSQL: one table of records, and one of counts of writes.

mod transaction;
mod write_counts;

use std::sync::Arc;

use registry::local::{LocalError, Mode, Records, Work, WriteCount, WriteLimit};
use registry::names::Digest;

use crate::database::Database;
use transaction::Statements;

/// The local data of one database. All servers of a registry share it.
#[derive(Debug, Clone)]
pub struct PostgresLocal(Arc<Database>);

impl PostgresLocal {
    /// The local data in `database`.
    pub fn new(database: Arc<Database>) -> Self {
        Self(database)
    }
}

impl Records for PostgresLocal {
    fn run(&self, mode: Mode, work: &mut Work<'_>) -> Result<(), LocalError> {
        let holds = matches!(mode, Mode::Write { lock: None, .. });
        let run = |connection: &mut _| {
            let mut statements = Statements { connection, holds, failed: None };
            match (work(&mut statements), statements.failed) {
                (Err(_), Some(failed)) => Err(failed),
                (done, _) => Ok(done?),
            }
        };
        // Another isolation, which the database may have as its default, would not see what was done before the lock.
        let committed = "BEGIN ISOLATION LEVEL READ COMMITTED";
        match mode {
            Mode::Single => self.0.read(run),
            Mode::Snapshot => self.0.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", run),
            Mode::Write { lock: None, .. } => self.0.transaction(committed, run),
            Mode::Write { lock: Some(space), .. } => {
                let key = format!("hashtextextended('skillmirror.{}', 0)", space.name());
                let begin = format!("{committed}; SELECT pg_advisory_xact_lock({key})");
                self.0.transaction(&begin, run)
            }
        }
    }

    fn count_write(&self, key: &Digest, limit: WriteLimit) -> Result<WriteCount, LocalError> {
        self.0.read(|connection| write_counts::count(connection, key, limit))
    }

    fn forget_write_counts(&self) -> Result<(), LocalError> {
        self.0.read(write_counts::forget)
    }
}

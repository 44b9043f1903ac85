//! The local data in PostgreSQL. Each file of this module has the tables of one subject.

mod accounts;
mod counters;
mod device_logins;
mod downloads;
mod history;
mod logs;
mod records;
mod uploads;
mod uses;
mod write_counts;

use std::sync::Arc;

use crate::connection::Connection;

use crate::database::Database;
use crate::error::StoreError;
use crate::params::params;
use crate::schema::COUNT_LOCK;

/// The local data of one database. All servers of a registry share it.
#[derive(Debug, Clone)]
pub struct PostgresLocal(Arc<Database>);

impl PostgresLocal {
    /// The local data in `database`.
    pub fn new(database: Arc<Database>) -> Self {
        Self(database)
    }
}

/// Waits until no other process counts, until the end of the transaction: numbers of changes become visible
/// in their order.
fn lock_counts(connection: &mut Connection) -> Result<(), StoreError> {
    connection.query("SELECT pg_advisory_xact_lock($1)", params![INT8 COUNT_LOCK])?;
    Ok(())
}

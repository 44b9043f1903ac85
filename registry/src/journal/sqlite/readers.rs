//! A pool of connections that only read. In a write-ahead log each sees the last
//! commit and never waits. The writer's connection may wait for its disk.

use std::path::PathBuf;
use std::time::Duration;

use parking_lot::Mutex;
use rusqlite::Connection;

use crate::journal::JournalError;
use crate::journal::database;

/// Idle connections above this number are closed.
const MAX_IDLE: usize = 8;

pub(super) struct Readers {
    path: PathBuf,
    busy_timeout: Duration,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// An empty pool for the journal at `path`. It opens connections on demand.
    pub(super) fn new(path: PathBuf, busy_timeout: Duration) -> Self {
        Self { path, busy_timeout, idle: Mutex::default() }
    }

    /// Calls `read` with a connection that nobody else uses meanwhile.
    pub(super) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        let idle = self.idle.lock().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => {
                let connection = database::connect(&self.path, self.busy_timeout)?;
                connection.pragma_update(None, "query_only", true)?;
                connection
            }
        };
        let result = read(&connection);
        let mut idle = self.idle.lock();
        if idle.len() < MAX_IDLE {
            idle.push(connection);
        }
        result
    }
}

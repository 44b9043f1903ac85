//! Connections that only read. In a write-ahead log each sees the last commit
//! and waits for nobody; the writer's own would wait for its disk.

use std::path::PathBuf;
use std::time::Duration;

use parking_lot::Mutex;
use rusqlite::Connection;

use crate::journal::JournalError;
use crate::journal::database::{self, DatabaseError};

/// Idle connections above this number are closed.
const MAX_IDLE: usize = 8;

pub(super) struct Readers {
    path: PathBuf,
    busy_timeout: Duration,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// Readers of the journal at `path`; none is opened before it is needed.
    pub(super) fn new(path: PathBuf, busy_timeout: Duration) -> Self {
        Self { path, busy_timeout, idle: Mutex::default() }
    }

    /// Lets `look` read on a connection that nobody else has meanwhile.
    pub(super) fn read<T>(
        &self,
        look: impl FnOnce(&Connection) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        let idle = self.idle.lock().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => self.connect()?,
        };
        let seen = look(&connection);
        let mut idle = self.idle.lock();
        if idle.len() < MAX_IDLE {
            idle.push(connection);
        }
        seen
    }

    fn connect(&self) -> Result<Connection, DatabaseError> {
        let connection = database::connect(&self.path, self.busy_timeout)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    }
}

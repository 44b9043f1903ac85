//! Registries whose journal is in a database.

use std::process::Command;
use std::sync::Arc;

use super::program::program;
use super::{PostgresServer, Registry};

/// The address of a database, and the server of that.
pub type Database = (String, Arc<PostgresServer>);

/// A new database if the tests run on PostgreSQL: `TEST_STORAGE=postgres`.
pub fn database_of_tests() -> Option<Database> {
    let is_database = std::env::var("TEST_STORAGE").is_ok_and(|kind| kind == "postgres");
    is_database.then(new_database)
}

/// A new database on the server that all tests share.
pub fn new_database() -> Database {
    let server = PostgresServer::shared();
    (server.database().1, server)
}

impl Registry {
    /// Empty folders and an empty database, without a server.
    pub fn in_database() -> Self {
        let mut registry = Self::not_started();
        registry.use_database(Some(new_database()));
        registry
    }

    /// From now on commands use another journal: a database, or the data folder.
    pub fn use_database(&mut self, database: Option<Database>) {
        self.database = database;
    }

    /// The program, where the registry is.
    pub(super) fn program(&self) -> Command {
        let mut program =
            self.disk.as_ref().map_or_else(|| program(self.folder()), |(_, disk)| disk.program());
        program.envs(self.variables());
        program
    }

    /// The setting that names the database, for every command.
    pub(super) fn variables(&self) -> Option<(&str, &str)> {
        self.database.as_ref().map(|(address, _)| ("SKILLMIRROR_STORAGE_JOURNAL", address.as_str()))
    }
}

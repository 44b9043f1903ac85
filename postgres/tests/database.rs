//! The stores against a real PostgreSQL.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]

#[path = "../../tests/outside/harness/postgres.rs"]
mod server;

mod contract;
mod cut_off;
mod damage;
mod isolation;
mod outages;
mod pooler;
mod rights;
mod schema;
mod tls;
mod turns;
mod wake_up;
mod write_counts;

use std::sync::Arc;

use postgres_store::{Address, Database, PostgresJournal, PostgresLocal, Roots};
use registry::journal::{PublicRow, Row};
use registry::local::LocalStore;
use registry::time::Timestamp;
use server::PostgresServer;

fn opened(address: &str) -> Arc<Database> {
    try_open(address).unwrap()
}

fn try_open(address: &str) -> Result<Arc<Database>, String> {
    let address: Address = address.parse().unwrap();
    Database::open(address, &Roots::Builtin).map(Arc::new).map_err(|why| registry::with_causes(&why))
}

fn journal(address: &str) -> PostgresJournal {
    PostgresJournal::new(opened(address))
}

fn local(address: &str) -> LocalStore {
    LocalStore::on(Arc::new(PostgresLocal::new(opened(address))))
}

fn row(revision: u64) -> Row {
    let at = Timestamp::from_unix(1_769_860_800).unwrap();
    let public = Some(PublicRow::new(revision, "{}".into()));
    Row { revision, at, private: format!("{{\"n\":{revision}}}"), public }
}

/// A database of one test.
struct TestDatabase {
    server: Arc<PostgresServer>,
    name: String,
    address: String,
}

impl TestDatabase {
    fn new() -> Self {
        let server = PostgresServer::shared();
        let (name, address) = server.database();
        Self { server, name, address }
    }

    fn sql(&self, statements: &str) -> String {
        self.server.sql(&self.name, statements)
    }
}

//! Rows, local data and turns in PostgreSQL.

use std::sync::Arc;

use bucket::TurnSource;
use client::http::root_certs_of_environment;
use postgres_store::{Address, Database, PostgresJournal, PostgresLocal, Roots, Turns};
use registry::journal::Journal;
use registry::local::LocalStore;
use ureq::tls::RootCerts;

use crate::Failure;

/// Connects to a database, and makes or migrates its schema. Returns the journal and the local data in it.
pub fn open_database(address: Address) -> Result<(Arc<dyn Journal>, LocalStore), Failure> {
    let database = Arc::new(Database::open(address, &roots()?)?);
    let local = LocalStore::on(Arc::new(PostgresLocal::new(Arc::clone(&database))));
    Ok((Arc::new(PostgresJournal::new(database)), local))
}

/// Whether a database has a journal.
pub fn has_database_journal(address: Address) -> Result<bool, Failure> {
    Ok(Database::has_journal(address, &roots()?)?)
}

/// The authorities that may sign the certificate of a database.
fn roots() -> Result<Roots, String> {
    Ok(match root_certs_of_environment()? {
        RootCerts::Specific(certificates) => {
            Roots::Specific(certificates.iter().map(|certificate| certificate.der().to_vec()).collect())
        }
        _ => Roots::Builtin,
    })
}

/// Turns to write a bucket that a database gives to the servers of its registry.
pub(super) fn turns(address: Address) -> Result<Arc<dyn TurnSource>, Failure> {
    Ok(Arc::new(DatabaseTurns(Turns::of(address, &roots()?)?)))
}

#[derive(Debug)]
struct DatabaseTurns(Turns);

impl TurnSource for DatabaseTurns {
    fn number(&self) -> Option<u64> {
        self.0.number()
    }

    fn end(&self) {
        self.0.end();
    }
}

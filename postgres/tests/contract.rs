//! The suites that every store has to pass.

use std::sync::Arc;

use registry::journal::Journal;
use registry::journal::contract::JournalUnderTest;
use registry::local::Records;
use registry::local::contract::RecordsUnderTest;

use postgres_store::PostgresLocal;

use super::{TestDatabase, journal, opened};

pub struct Postgres(TestDatabase);

impl JournalUnderTest for Postgres {
    fn new() -> Self {
        Self(TestDatabase::new())
    }

    fn open(&self) -> Box<dyn Journal> {
        Box::new(journal(&self.0.address))
    }
}

impl RecordsUnderTest for Postgres {
    fn new() -> Self {
        Self(TestDatabase::new())
    }

    fn open(&self) -> Arc<dyn Records> {
        Arc::new(PostgresLocal::new(opened(&self.0.address)))
    }
}

mod rows {
    registry::journal_contract!(super::Postgres);
}

mod local {
    registry::records_contract!(crate::contract::Postgres);
}

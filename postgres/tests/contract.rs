//! The suites that every store has to pass.

use std::sync::Arc;

use registry::journal::Journal;
use registry::journal::contract::JournalUnderTest;
use registry::local::Local;
use registry::local::contract::LocalUnderTest;

use super::{TestDatabase, journal, local};

pub struct Postgres(TestDatabase);

impl JournalUnderTest for Postgres {
    fn new() -> Self {
        Self(TestDatabase::new())
    }

    fn open(&self) -> Box<dyn Journal> {
        Box::new(journal(&self.0.address))
    }
}

impl LocalUnderTest for Postgres {
    fn new() -> Self {
        Self(TestDatabase::new())
    }

    fn open(&self) -> Arc<dyn Local> {
        Arc::new(local(&self.0.address))
    }
}

mod rows {
    registry::journal_contract!(super::Postgres);
}

registry::local_contract!(crate::contract::Postgres);

//! The suites that every store has to pass, in this crate or in another one. A store
//! under test is a type with one of the traits here; a macro makes the tests.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "these are tests")]

pub mod blobs;
pub mod rows;

pub use blobs::BlobsUnderTest;
pub use rows::JournalUnderTest;

/// Makes a test of each function, which gets a new value of the type.
#[macro_export]
macro_rules! contract_tests {
    ($type:ty, $trait:path, $suite:path, $($test:ident),+ $(,)?) => {
        $(#[test] fn $test() {
            use $suite as suite;
            suite::$test(&<$type as $trait>::new())
        })+
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{BlobFolder, Blobs, Journal, MemoryJournal, SqliteJournal};

    struct Memory(MemoryJournal);

    impl JournalUnderTest for Memory {
        fn new() -> Self {
            Self(MemoryJournal::new())
        }

        fn open(&self) -> Box<dyn Journal> {
            Box::new(self.0.clone())
        }
    }

    impl BlobsUnderTest for Memory {
        fn new() -> Self {
            Self(MemoryJournal::new())
        }

        fn open(&self) -> Box<dyn Blobs> {
            Box::new(self.0.clone())
        }
    }

    struct Folder(tempfile::TempDir);

    impl JournalUnderTest for Folder {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn open(&self) -> Box<dyn Journal> {
            Box::new(SqliteJournal::open(self.0.path()).unwrap())
        }
    }

    impl BlobsUnderTest for Folder {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn open(&self) -> Box<dyn Blobs> {
            Box::new(BlobFolder::open(self.0.path()).unwrap())
        }
    }

    mod rows_in_memory {
        crate::journal_contract!(super::Memory);
    }

    mod rows_in_sqlite {
        crate::journal_contract!(super::Folder);
    }

    mod blobs_in_memory {
        crate::blobs_with_locks_contract!(super::Memory);
    }

    mod blobs_in_a_folder {
        crate::blobs_with_locks_contract!(super::Folder);
    }
}

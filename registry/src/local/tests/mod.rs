//! Tests of what each kind of data is, on SQLite, and the suite of engines for it.

mod accounts;
mod counts;
mod device_logins;
mod histories;
mod uploads;

use std::path::Path;
use std::sync::Arc;

use super::contract::RecordsUnderTest;
use super::{LocalStore, Records, SqliteLocal};

/// A data folder. Each `open` is the view of another process.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
}

impl RecordsUnderTest for Folder {
    fn new() -> Self {
        Self::new()
    }

    fn open(&self) -> Arc<dyn Records> {
        opened_sqlite(self.0.path()).1
    }
}

crate::records_contract!(crate::local::tests::Folder);

fn open(folder: &Folder) -> LocalStore {
    opened(folder.0.path())
}

pub(super) fn opened(data: &Path) -> LocalStore {
    let (store, warning) = LocalStore::open(data).unwrap();
    assert_eq!(warning, None);
    store
}

/// The store, and the file below it.
pub(super) fn opened_sqlite(data: &Path) -> (LocalStore, Arc<SqliteLocal>) {
    let sqlite = Arc::new(SqliteLocal::open(data).unwrap().0);
    (LocalStore::on(Arc::<SqliteLocal>::clone(&sqlite)), sqlite)
}

//! Settings of a database that are stricter than usual.

use registry::journal::{Journal, JournalError};

use super::{TestDatabase, journal, row};

/// Sets what new connections to a database begin with.
fn set(database: &TestDatabase, setting: &str) {
    database.sql(&format!("ALTER DATABASE {} SET {setting}", database.name));
}

#[test]
fn two_processes_append_to_a_database_with_serializable_transactions() {
    let database = TestDatabase::new();
    set(&database, "default_transaction_isolation = serializable");
    let stores = [journal(&database.address), journal(&database.address)];
    std::thread::scope(|threads| {
        for (writer, journal) in stores.iter().enumerate() {
            threads.spawn(move || {
                let mut appended = 0;
                while appended < 20 {
                    let mut row = row(journal.head().unwrap() + 1);
                    row.private = format!(r#"{{"writer":{writer}}}"#);
                    match journal.append(&row) {
                        Ok(()) => appended += 1,
                        Err(JournalError::Conflict { .. }) => {}
                        Err(other) => panic!("{other}"),
                    }
                }
            });
        }
    });
    assert_eq!(stores[0].since(0, 99).unwrap().len(), 40);
}

#[test]
fn check_tells_a_database_that_takes_rows_from_a_read_only_one() {
    let database = TestDatabase::new();
    journal(&database.address).append(&row(1)).unwrap();
    let writable = journal(&database.address);
    writable.check_appendable().unwrap();
    assert_eq!(
        (writable.head().unwrap(), writable.since(0, 9).unwrap()),
        (1, vec![row(1)]),
        "it adds nothing"
    );
    set(&database, "default_transaction_read_only = on");
    let read_only = journal(&database.address);
    let refused = read_only.check_appendable().unwrap_err();
    assert!(matches!(refused, JournalError::Storage(_)), "{refused}");
    assert_eq!(read_only.head().unwrap(), 1);
}

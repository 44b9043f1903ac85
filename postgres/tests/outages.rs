//! A server that ends, and comes back.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use registry::journal::{Journal, JournalError};
use registry::local::WriteLimit;

use super::server::PostgresServer;
use super::{journal, local, row, try_open};

/// Asks again until there is an answer, because nobody says when a database is known to be back.
fn soon<T>(look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(60);
    let until = std::iter::repeat_with(look).take_while(|_| Instant::now() < deadline);
    until.flatten().next().expect("it comes back within a minute")
}

#[test]
fn work_after_a_restart_succeeds() {
    let server = PostgresServer::start();
    let (_, address) = server.database();
    let (journal, local) = (journal(&address), local(&address));
    journal.append(&row(1)).unwrap();
    local.set_password(&"ann".parse().unwrap(), "$a$1").unwrap();
    server.end();
    let refused = journal.append(&row(2)).unwrap_err();
    assert!(matches!(refused, JournalError::Storage(_)), "{refused}");
    server.begin();
    // While it is known to be away, it is asked once.
    soon(|| journal.append(&row(2)).ok());
    assert_eq!(local.password(&"ann".parse().unwrap()).unwrap().as_deref(), Some("$a$1"));
    assert_eq!(journal.since(0, 9).unwrap(), [row(1), row(2)]);
}

/// Counts of writes are in a table that PostgreSQL empties after a crash.
#[test]
fn write_limits_work_again_after_a_crash_of_postgresql() {
    let server = PostgresServer::start();
    let (_, address) = server.database();
    let (local, one_a_minute) = (local(&address), WriteLimit::per_minute(NonZeroU32::MIN));
    assert!(local.count_write("ann", one_a_minute).unwrap().is_allowed);
    assert!(!local.count_write("ann", one_a_minute).unwrap().is_allowed);
    server.end();
    server.begin();
    assert!(local.count_write("ann", one_a_minute).unwrap().is_allowed);
}

#[test]
fn server_that_hangs_is_given_up_until_it_answers() {
    let server = PostgresServer::start();
    let (_, address) = server.database();
    let journal = journal(&address);
    journal.append(&row(1)).unwrap();
    let frozen = server.freeze();
    for _ in 0..2 {
        let why = registry::with_causes(&journal.append(&row(2)).unwrap_err());
        assert!(why.contains("has not answered"), "{why}");
    }
    drop(frozen);
    // It is asked again after a second. Statements that were sent before may be done now.
    let next = soon(|| journal.head().ok()) + 1;
    let append =
        || Some(journal.append(&row(next))).filter(|done| !matches!(done, Err(JournalError::Storage(_))));
    let appended = soon(append);
    // Row 2 may be one of them.
    assert!(matches!(appended, Ok(()) | Err(JournalError::Conflict { .. })), "{appended:?}");
    let rows = journal.since(0, 9).unwrap();
    assert!(rows == [row(1), row(2)] || rows == [row(1), row(2), row(3)], "{rows:?}");
}

#[test]
fn acknowledged_rows_survive_crashes_in_one_history() {
    let server = PostgresServer::start();
    let (_, address) = server.database();
    let stores = [journal(&address), journal(&address)];
    let (acknowledged, is_done) = (AtomicU64::new(0), AtomicBool::new(false));
    std::thread::scope(|threads| {
        let (acknowledged, is_done) = (&acknowledged, &is_done);
        for (writer, journal) in stores.iter().enumerate() {
            threads.spawn(move || {
                while !is_done.load(Ordering::SeqCst) {
                    let Ok(head) = journal.head() else { continue };
                    // Each row names its request, so no two writers have the same one.
                    let mut row = row(head + 1);
                    row.private = format!(r#"{{"writer":{writer}}}"#);
                    match journal.append(&row) {
                        Ok(()) => drop(acknowledged.fetch_add(1, Ordering::SeqCst)),
                        Err(JournalError::Conflict { .. } | JournalError::Storage(_)) => {}
                        Err(other) => panic!("{other}"),
                    }
                }
            });
        }
        for crash in 1..=3 {
            while acknowledged.load(Ordering::SeqCst) < crash * 50 {
                std::thread::yield_now();
            }
            server.end();
            server.begin();
        }
        let before = acknowledged.load(Ordering::SeqCst);
        while acknowledged.load(Ordering::SeqCst) < before + 50 {
            std::thread::yield_now();
        }
        is_done.store(true, Ordering::SeqCst);
    });
    let rows = stores[0].since(0, usize::MAX).unwrap();
    assert!(rows.iter().map(|row| row.revision).eq(1..=rows.len() as u64), "one history without gaps");
    let (head, acknowledged) = (stores[0].head().unwrap(), acknowledged.into_inner());
    assert!(head >= acknowledged, "{acknowledged} rows were acknowledged, and {head} are there");
}

#[test]
fn error_of_an_unreachable_database_hides_the_password() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().to_str().unwrap().replace('/', "%2F");
    let why = try_open(&format!("postgres://skill:hunter2@{socket}/skills")).unwrap_err();
    assert!(why.contains("cannot be reached") && !why.contains("hunter2"), "{why}");
    let server = PostgresServer::shared();
    let (_, address) = server.database();
    let database = super::opened(&address.replace("postgres@", "postgres:hunter2@"));
    assert!(!format!("{database:?} {database} {:?}", Arc::clone(&database)).contains("hunter2"));
}

use super::*;
use crate::local::LocalStore;
use crate::local::tests::opened_sqlite;
use crate::public::Id;
use crate::time::Timestamp;

fn at(bytes: u64) -> LogPosition {
    LogPosition { bytes, digest: Digest::of(&bytes.to_be_bytes()) }
}

fn download(client: u8) -> [Download; 1] {
    let client = [192, 0, 2, client].into();
    [Download { skill: Id(1), version: Id(2), day: Timestamp::default().into(), client }]
}

fn total(store: &LocalStore) -> u64 {
    store.download_totals_since(0).unwrap().0.iter().map(|(_, count)| count).sum()
}

#[test]
fn count_log_that_fails_stores_nothing() {
    let data = tempfile::tempdir().unwrap();
    let (store, sqlite) = opened_sqlite(data.path());
    let known = store.known_log(LogStart::of(b"a line")).unwrap();
    let change = "CREATE TRIGGER refuse BEFORE INSERT ON records WHEN new.space = 'log_positions.1'
                  BEGIN SELECT RAISE(ABORT, 'refused'); END";
    sqlite.connection.lock().execute_batch(change).unwrap();
    assert!(store.count_log(&known, None, at(10), &download(1)).is_err());
    assert_eq!(total(&store), 0);
}

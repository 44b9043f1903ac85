use super::*;
use crate::local::tests::{opened, opened_sqlite};
use crate::local::{LocalStore, SqliteLocal};
use crate::public::Id;

fn day(number: i64) -> Day {
    Day::from_number(number).unwrap()
}

/// Whether the client is new to a version on the day `on`, when it is `today`.
fn is_new(store: &LocalStore, on: i64, today: i64) -> bool {
    let client = [192, 0, 2, 1].into();
    let download = Download { skill: Id(1), version: Id(2), day: day(on), client };
    store.count_downloads_on(day(today), &[download]).unwrap().repeated == 0
}

fn count(store: &LocalStore, space: Space) -> u64 {
    store.single(|records| records.count(space, "")).unwrap()
}

#[test]
fn forget_erases_clients_of_days_without_recent_use() {
    let data = tempfile::tempdir().unwrap();
    let store = opened(data.path());
    assert!(is_new(&store, 100, 100));
    assert!(is_new(&store, 101, 101));
    // Its use renews it.
    assert!(!is_new(&store, 100, 120));
    assert!(is_new(&store, 151, 151), "another day");
    let counts = || [DOWNLOAD_KEYS, DOWNLOAD_CLIENTS].map(|space| count(&store, space));
    assert_eq!(counts(), [2, 2]);
    assert!(!is_new(&store, 100, 151));
    assert!(is_new(&store, 101, 151), "its key is gone");
    store.forget_clients_on(day(1000)).unwrap();
    assert_eq!(counts(), [0, 0]);
    assert!(is_new(&store, 151, 1000));
    // After the clock went back.
    assert!(!is_new(&store, 151, 900));
}

#[test]
fn forget_overwrites_the_key_on_the_disk() {
    let data = tempfile::tempdir().unwrap();
    let (store, sqlite) = opened_sqlite(data.path());
    is_new(&store, 100, 100);
    let stored = store.single(|records| records.all(DOWNLOAD_KEYS, "")).unwrap();
    let key = stored[0].value.clone();
    let is_there = |sqlite: &SqliteLocal| {
        let connection = sqlite.connection.lock();
        connection.pragma_update_and_check(None, "wal_checkpoint", "truncate", |_| Ok(())).unwrap();
        let bytes = std::fs::read(data.path().join("local.sqlite")).unwrap();
        bytes.windows(64).any(|window| window == &key.as_bytes()[..64])
    };
    assert!(is_there(&sqlite));
    store.forget_clients_on(day(1000)).unwrap();
    assert!(!is_there(&sqlite));
}

#[test]
fn forget_after_the_clock_went_back_keeps_all() {
    let data = tempfile::tempdir().unwrap();
    let store = opened(data.path());
    assert!(is_new(&store, 100, 100));
    assert!(!is_new(&store, 100, 50));
    assert!(!is_new(&store, 100, 131));
}

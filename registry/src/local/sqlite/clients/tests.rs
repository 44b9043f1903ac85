use super::*;
use crate::local::SqliteLocal;
use crate::public::Id;

fn opened(data: &std::path::Path) -> SqliteLocal {
    SqliteLocal::open(data).unwrap().0
}

fn day(number: i64) -> Day {
    Day::from_number(number).unwrap()
}

/// Whether the client is new to `version` on the day `on`, when it is `today`.
fn is_new(store: &SqliteLocal, on: i64, today: i64) -> bool {
    let client = [192, 0, 2, 1].into();
    let download = Download { skill: Id(1), version: Id(2), day: day(on), client };
    store.write(|transaction| Clients::open(transaction, day(today))?.add(&download)).unwrap()
}

fn rows(store: &SqliteLocal, table: &str) -> i64 {
    let question = format!("SELECT count(*) FROM {table}");
    store.connection.lock().query_row(&question, [], |row| row.get(0)).unwrap()
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
    assert_eq!((rows(&store, "download_keys"), rows(&store, "download_clients")), (2, 2));
    assert!(!is_new(&store, 100, 151));
    assert!(is_new(&store, 101, 151), "its key is gone");
    store.write(|transaction| Ok(forget(transaction, day(1000))?)).unwrap();
    assert_eq!((rows(&store, "download_keys"), rows(&store, "download_clients")), (0, 0));
}

#[test]
fn forget_overwrites_the_key_on_the_disk() {
    let data = tempfile::tempdir().unwrap();
    let store = opened(data.path());
    is_new(&store, 100, 100);
    let key: Key =
        store.connection.lock().query_row("SELECT key FROM download_keys", [], |row| row.get(0)).unwrap();
    let is_there = || {
        let bytes = std::fs::read(data.path().join("local.sqlite")).unwrap();
        bytes.windows(key.len()).any(|window| window == key)
    };
    let flush = || {
        let connection = store.connection.lock();
        connection.pragma_update_and_check(None, "wal_checkpoint", "truncate", |_| Ok(())).unwrap();
    };
    flush();
    assert!(is_there());
    store.write(|transaction| Ok(forget(transaction, day(1000))?)).unwrap();
    flush();
    assert!(!is_there());
}

#[test]
fn forget_after_the_clock_went_back_keeps_all() {
    let data = tempfile::tempdir().unwrap();
    let store = opened(data.path());
    assert!(is_new(&store, 100, 100));
    assert!(!is_new(&store, 100, 50));
    assert!(!is_new(&store, 100, 131));
}

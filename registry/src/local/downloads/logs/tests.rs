use super::*;
use crate::local::{LocalStore, opened};
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
fn count_log_stores_position_and_downloads() {
    let data = tempfile::tempdir().unwrap();
    let (store, other) = (opened(data.path()), opened(data.path()));
    let start = LogStart::of(b"a line");
    let known = store.known_log(start).unwrap();
    assert!(known.positions.is_empty());
    let LogCounted::Done(counted, known) = store.count_log(&known, None, at(10), &download(1)).unwrap()
    else {
        panic!("nobody else counts");
    };
    assert_eq!(counted.new[&(Id(1), Id(2))], 1);
    assert_eq!(known.positions, [at(10)]);
    assert_eq!(other.known_log(start).unwrap().positions, [at(10)]);
    assert!(other.known_log(LogStart(start.0 ^ 1)).unwrap().positions.is_empty());
    store.count_log(&known, Some(at(10)), at(20), &[]).unwrap();
    assert_eq!(other.known_log(start).unwrap().positions, [at(20)], "a short step is one position");
    let known = other.known_log(start).unwrap();
    other.count_log(&known, Some(at(20)), at(20 + MIN_POSITION_GAP), &[]).unwrap();
    assert_eq!(other.known_log(start).unwrap().positions, [at(20), at(20 + MIN_POSITION_GAP)]);
}

#[test]
fn count_log_with_an_outdated_value_conflicts() {
    let data = tempfile::tempdir().unwrap();
    let store = opened(data.path());
    let start = LogStart::of(b"a line");
    let stale = store.known_log(start).unwrap();
    store.count_log(&stale, None, at(10), &download(1)).unwrap();
    let second = store.count_log(&stale, None, at(15), &download(2)).unwrap();
    assert!(matches!(second, LogCounted::Conflict));
    assert_eq!((total(&store), store.known_log(start).unwrap().positions), (1, vec![at(10)]));
    // A replaced position conflicts too.
    let stale = store.known_log(start).unwrap();
    store.count_log(&stale, Some(at(10)), at(12), &[]).unwrap();
    let second = store.count_log(&stale, Some(at(10)), at(15), &download(3)).unwrap();
    assert!(matches!(second, LogCounted::Conflict));
    assert_eq!(total(&store), 1);
}

#[test]
fn count_log_that_fails_stores_nothing() {
    let data = tempfile::tempdir().unwrap();
    let store = opened(data.path());
    let known = store.known_log(LogStart::of(b"a line")).unwrap();
    store.connection.lock().execute_batch("DROP TABLE log_positions").unwrap();
    store.connection.lock().execute_batch("CREATE TABLE log_positions(id INTEGER, start INTEGER)").unwrap();
    assert!(store.count_log(&known, None, at(10), &download(1)).is_err());
    assert_eq!(total(&store), 0);
}

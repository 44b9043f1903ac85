//! Tests of records, which every engine has to pass.

use std::thread;

use super::RecordsUnderTest;
use crate::local::{LocalError, Mode, Place, Record, Records, Space, Transaction};

const ONE: Space = Space::new("one.1");
const OTHER: Space = Space::new("other.1");
const LOCKED: Mode = Mode::Write { lock: Some(ONE), is_durable: true };
const HELD: Mode = Mode::Write { lock: None, is_durable: false };

fn place(key: &str) -> Place {
    (ONE, key.to_owned())
}

fn record(key: &str, value: u64) -> Record {
    Record::new(place(key), &value).unwrap()
}

fn run<R>(
    store: &dyn Records,
    mode: Mode,
    mut work: impl FnMut(&mut dyn Transaction) -> Result<R, LocalError>,
) -> R {
    let mut done = None;
    let mut work = |records: &mut dyn Transaction| {
        done = Some(work(records)?);
        Ok(())
    };
    store.run(mode, &mut work).unwrap();
    done.unwrap()
}

fn put(store: &dyn Records, records: &[Record]) {
    run(store, Mode::Single, |transaction| transaction.put(records));
}

/// The records of a space as text, by key.
fn shown(store: &dyn Records, space: Space) -> String {
    let found = run(store, Mode::Single, |records| records.scan(space, "", "", 1000));
    let texts = found.iter().map(|record| format!("{}={}", record.place.1, record.value));
    texts.collect::<Vec<_>>().join(" ")
}

/// Adds 1 to the value of a record, which may be missing.
fn add(records: &mut dyn Transaction, key: &str) -> Result<(), LocalError> {
    let value: u64 = records.value(ONE, key)?.unwrap_or_default();
    records.put(&[record(key, value + 1)])
}

/// Runs `work` in 4 threads of each of two processes.
fn in_two_processes<R: Send>(
    engine: &impl RecordsUnderTest,
    work: impl Fn(&dyn Records, usize) -> R + Sync,
) -> Vec<R> {
    let stores = [engine.open(), engine.open()];
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..8)
            .map(|n| (n, &stores[n % 2]))
            .map(|(n, store)| scope.spawn(move || work(&**store, n)))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

pub fn put_replaces_and_is_visible_to_other_processes(engine: &impl RecordsUnderTest) {
    let (here, there) = (engine.open(), engine.open());
    let expiring = record("b", 2).numbered(7).expiring(9);
    put(&*here, &[record("a", 1), expiring.clone()]);
    assert_eq!(run(&*there, Mode::Single, |records| records.get(&[place("b")])), [Some(expiring)]);
    put(&*there, &[record("b", 3)]);
    assert_eq!(run(&*here, Mode::Single, |records| records.get(&[place("b")])), [Some(record("b", 3))]);
    run(&*here, LOCKED, |records| records.delete(&[place("a"), place("none")]));
    drop((here, there));
    assert_eq!(shown(&*engine.open(), ONE), "b=3");
}

pub fn get_returns_records_in_the_order_of_their_places(engine: &impl RecordsUnderTest) {
    let store = engine.open();
    let other = Record::new((OTHER, "a".to_owned()), &2).unwrap();
    put(&*store, &[record("a", 1), record("b", 3), other.clone()]);
    let places = [place("b"), place("none"), other.place.clone(), place("a"), (OTHER, "b".to_owned())];
    for mode in [Mode::Single, Mode::Snapshot, HELD, LOCKED] {
        let found = run(&*store, mode, |records| records.get(&places));
        assert_eq!(found, [Some(record("b", 3)), None, Some(other.clone()), Some(record("a", 1)), None]);
        assert!(run(&*store, mode, |records| records.get(&[])).is_empty());
    }
}

pub fn values_come_back_as_they_were(engine: &impl RecordsUnderTest) {
    let store = engine.open();
    let text = "Überall 日本 '; \\ \u{0} \u{202e} 😀".repeat(1000);
    let stored = Record::new(place("!/~"), &text).unwrap();
    put(&*store, std::slice::from_ref(&stored));
    let found = run(&*store, Mode::Single, |records| records.get(&[place("!/~")]));
    assert_eq!(found, [Some(stored)]);
    assert_eq!(found[0].as_ref().unwrap().read::<String>().unwrap(), text);
    assert!(!format!("{found:?}").contains("Über"), "it is hidden");
    let why = found[0].as_ref().unwrap().read::<u64>().unwrap_err();
    assert!(matches!(why, LocalError::Damaged(_)) && !format!("{why} {why:?}").contains("Über"), "{why:?}");
}

pub fn scan_is_bounded_and_in_the_order_of_keys(engine: &impl RecordsUnderTest) {
    let store = engine.open();
    let keys = ["B", "a", "a-1/x", "a/", "a/1", "a/2", "a/~", "a0", "a_b", "aa"];
    put(&*store, &keys.map(|key| record(key, 0)));
    put(&*store, &[Record::new((OTHER, "a/9".to_owned()), &0).unwrap()]);
    let scan = |prefix: &str, after: &str, limit| {
        let found = run(&*store, Mode::Single, |records| records.scan(ONE, prefix, after, limit));
        found.into_iter().map(|record| record.place.1).collect::<Vec<_>>()
    };
    assert_eq!(scan("", "", 99), keys);
    assert_eq!(scan("a/", "", 99), ["a/", "a/1", "a/2", "a/~"]);
    assert_eq!(scan("a/", "a/1", 1), ["a/2"]);
    assert_eq!(scan("", "a/2", 3), ["a/~", "a0", "a_b"]);
    assert!(scan("a%", "", 99).is_empty() && scan("", "aa", 99).is_empty());
}

pub fn since_returns_later_numbers_in_their_order(engine: &impl RecordsUnderTest) {
    let store = engine.open();
    let other = Record::new((OTHER, "x".to_owned()), &0).unwrap().numbered(9);
    put(&*store, &[record("a", 0).numbered(5), record("b", 0), record("c", 0).numbered(2), other]);
    let since = |number| {
        let found = run(&*store, Mode::Single, |records| records.since(ONE, number));
        found.into_iter().map(|record| (record.place.1, record.number)).collect::<Vec<_>>()
    };
    assert_eq!(since(0), [("c".to_owned(), 2), ("a".to_owned(), 5)]);
    assert_eq!(since(2), [("a".to_owned(), 5)]);
    assert_eq!(since(5), []);
    put(&*store, &[record("c", 0).numbered(6)]);
    assert_eq!(since(5), [("c".to_owned(), 6)]);
}

pub fn count_and_delete_prefix_are_of_one_space(engine: &impl RecordsUnderTest) {
    let store = engine.open();
    put(&*store, &["a/1", "a/2", "ab", "b"].map(|key| record(key, 0)));
    put(&*store, &[Record::new((OTHER, "a/1".to_owned()), &0).unwrap()]);
    let count = |space, prefix: &str| run(&*store, Mode::Single, |records| records.count(space, prefix));
    assert_eq!([count(ONE, ""), count(ONE, "a/"), count(ONE, "c"), count(OTHER, "")], [4, 2, 0, 1]);
    run(&*store, Mode::Single, |records| records.delete_prefix(ONE, "a/"));
    assert_eq!((shown(&*store, ONE).as_str(), shown(&*store, OTHER).as_str()), ("ab=0 b=0", "a/1=0"));
    run(&*store, Mode::Single, |records| records.delete_prefix(ONE, ""));
    assert_eq!([count(ONE, ""), count(OTHER, "")], [0, 1]);
}

pub fn delete_expired_deletes_from_its_time_on(engine: &impl RecordsUnderTest) {
    let store = engine.open();
    let other = Record::new((OTHER, "a".to_owned()), &0).unwrap().expiring(5);
    put(&*store, &[record("a", 0).expiring(5), record("b", 0).expiring(6), record("c", 0), other]);
    run(&*store, Mode::Single, |records| records.delete_expired(5));
    assert_eq!((shown(&*store, ONE).as_str(), shown(&*store, OTHER).as_str()), ("b=0 c=0", ""));
}

pub fn failed_work_changes_nothing(engine: &impl RecordsUnderTest) {
    let store = engine.open();
    put(&*store, &[record("a", 1)]);
    for mode in [HELD, LOCKED] {
        let refused = store.run(mode, &mut |records| {
            records.put(&[record("a", 2), record("b", 2)])?;
            records.delete_prefix(ONE, "a")?;
            Err(LocalError::Conflict)
        });
        assert!(matches!(refused, Err(LocalError::Conflict)), "{refused:?}");
    }
    assert_eq!(shown(&*store, ONE), "a=1");
    run(&*store, LOCKED, |records| add(records, "a"));
    assert_eq!(shown(&*store, ONE), "a=2", "the lock is free again");
}

pub fn snapshot_is_of_one_state(engine: &impl RecordsUnderTest) {
    let (here, there) = (engine.open(), engine.open());
    put(&*here, &[record("a", 1)]);
    let read = |records: &mut dyn Transaction| records.scan(ONE, "", "", 9);
    let (before, after) = run(&*here, Mode::Snapshot, |records| {
        let before = read(records)?;
        put(&*there, &[record("a", 2), record("b", 2)]);
        Ok((before, read(records)?))
    });
    assert_eq!((before, after), (vec![record("a", 1)], vec![record("a", 1)]));
    assert_eq!(shown(&*here, ONE), "a=2 b=2");
}

/// The record is missing at first, so only the lock protects it.
pub fn work_with_a_lock_counts_exactly(engine: &impl RecordsUnderTest) {
    in_two_processes(engine, |store, _| {
        (0..20).for_each(|_| run(store, LOCKED, |records| add(records, "n")))
    });
    assert_eq!(shown(&*engine.open(), ONE), "n=160");
}

pub fn record_is_held_until_the_end_of_the_work(engine: &impl RecordsUnderTest) {
    put(&*engine.open(), &[record("n", 0)]);
    in_two_processes(engine, |store, _| (0..20).for_each(|_| run(store, HELD, |records| add(records, "n"))));
    assert_eq!(shown(&*engine.open(), ONE), "n=160");
}

pub fn record_that_is_taken_by_many_is_taken_once(engine: &impl RecordsUnderTest) {
    for round in 0..8 {
        put(&*engine.open(), &[record("code", round)]);
        let taken = in_two_processes(engine, |store, _| {
            run(store, HELD, |records| {
                let found: Option<u64> = records.value(ONE, "code")?;
                records.delete(&[place("code")]).map(|()| found)
            })
        });
        assert_eq!(taken.into_iter().flatten().collect::<Vec<_>>(), [round]);
    }
}

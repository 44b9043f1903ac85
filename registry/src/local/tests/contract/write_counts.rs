//! Tests of counts of writes, which every engine has to pass.

use std::num::NonZeroU32;
use std::time::Duration;

use super::RecordsUnderTest;
use crate::local::{LocalStore, WriteCount, WriteLimit};

fn limit(writes: u32) -> WriteLimit {
    WriteLimit::per_minute(NonZeroU32::new(writes).unwrap())
}

fn count(store: &LocalStore, key: &str, writes: u32) -> WriteCount {
    store.count_write(key, limit(writes)).unwrap()
}

/// The shares that are taken up, rounded up: time goes on during a test.
fn shares(count: WriteCount, writes: u32) -> u128 {
    count.full_in.as_nanos().div_ceil(limit(writes).share().as_nanos())
}

pub fn writes_above_the_limit_are_refused_for_each_key(engine: &impl RecordsUnderTest) {
    let store = LocalStore::on(engine.open());
    for key in ["ann", "bob"] {
        for taken in 1..=2 {
            let write = count(&store, key, 2);
            assert_eq!((write.is_allowed, shares(write, 2)), (true, taken), "{key}");
        }
        for _ in 0..3 {
            let write = count(&store, key, 2);
            // A refused write takes up no share, and the next one is allowed in half a minute at most.
            assert_eq!((write.is_allowed, shares(write, 2)), (false, 2), "{key}");
            assert!(write.full_in <= Duration::from_secs(60));
        }
    }
}

pub fn writes_in_time_are_allowed_again(engine: &impl RecordsUnderTest) {
    let store = LocalStore::on(engine.open());
    // The share of each is 13 nanoseconds.
    for _ in 0..100 {
        assert!(count(&store, "ann", u32::MAX).is_allowed);
    }
}

pub fn change_of_the_limit_keeps_what_was_counted(engine: &impl RecordsUnderTest) {
    let store = LocalStore::on(engine.open());
    for _ in 0..2 {
        assert!(count(&store, "ann", 2).is_allowed);
    }
    assert!(!count(&store, "ann", 3).is_allowed);
    assert!(count(&store, "bob", 3).is_allowed);
    assert!(count(&store, "bob", 2).is_allowed);
    assert!(!count(&store, "bob", 2).is_allowed);
}

pub fn forget_keeps_keys_whose_limit_is_in_use(engine: &impl RecordsUnderTest) {
    let store = LocalStore::on(engine.open());
    assert!(count(&store, "ann", 1).is_allowed);
    store.records.forget_write_counts().unwrap();
    assert!(!count(&store, "ann", 1).is_allowed);
}

//! Stores that limit rates, fail, answer late, or lie.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use super::{assert_equal, difference, failure, log};
use crate::harness::{CREDENTIALS, ObjectStore, ReceivedRequest, Registry, Reply, Skill, eventually};

/// Publishes some skills and changes.
fn change(registry: &Registry, name: &str) {
    let admin = registry.admin();
    for version in ["1.0.0", "1.0.1"] {
        registry.publish(Skill::named(name).version(version)).by(&admin).expect(201);
    }
    registry.yank(&format!("global/{name}"), "1.0.0", &admin).expect(200);
}

fn is_put(asked: &ReceivedRequest) -> bool {
    asked.method == "PUT"
}

#[test]
fn store_that_limits_the_rate_loses_nothing() {
    let store = ObjectStore::start();
    let registry = store.registry();
    let puts = AtomicU64::new(0);
    store.fail(move |asked| {
        let number = if is_put(asked) { puts.fetch_add(1, Ordering::SeqCst) } else { 1 };
        let status = if number % 2 == 0 { 429 } else { 503 };
        number.is_multiple_of(5).then(|| Reply::status(status).header("Retry-After", "0"))
    });
    for name in ["one", "two"] {
        change(&registry, name);
    }
    store.settled(&registry);
    assert_equal(&store, &registry);
}

#[test]
fn store_that_fails_is_named_and_caught_up_with() {
    let store = ObjectStore::start();
    let registry = store.registry();
    change(&registry, "before");
    store.settled(&registry);
    for (status, says) in [
        (503, "the store answers with status 503"),
        (429, "the store answers with status 429"),
        (403, "the store refuses the credentials"),
    ] {
        store.fail(move |_| Some(Reply::status(status).header("Retry-After", "0")));
        change(&registry, &format!("while-{status}"));
        eventually("the failure is named", || failure(&registry).filter(|why| why == says));
        assert!(log(&registry).contains("cannot bring the bucket s3://skills/tree up to date"));
        // The registry itself is ready.
        registry.get("/readyz").expect(200);
        registry.get(&format!("/api/v1/skills/global/while-{status}")).expect(200);
        store.mend();
        store.settled(&registry);
        assert_equal(&store, &registry);
        eventually("the failure is over", || failure(&registry).is_none().then_some(()));
    }
}

#[test]
fn slow_store_delays_no_publication_and_loses_nothing() {
    let store = ObjectStore::start();
    let registry = store.registry();
    change(&registry, "before");
    store.settled(&registry);
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let held = Arc::clone(&gate);
    store.fail(move |_| {
        let (is_open, opened) = &*held;
        drop(opened.wait_while(is_open.lock().unwrap(), |is_open| !*is_open));
        None
    });
    for name in ["one", "two", "three"] {
        change(&registry, name);
    }
    let ready = registry.read("/readyz");
    assert!(ready["target"]["revision"].as_u64() < ready["revision"].as_u64(), "{ready}");
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    store.settled(&registry);
    assert_equal(&store, &registry);
}

#[test]
fn put_whose_answer_is_lost_loses_nothing() {
    let store = ObjectStore::start();
    let registry = store.registry();
    let puts = AtomicU64::new(0);
    // An answer that breaks off: the client cannot know whether the object was put.
    store.fail(move |asked| {
        let is_lost = is_put(asked) && puts.fetch_add(1, Ordering::SeqCst).is_multiple_of(7);
        is_lost.then(|| Reply::status(200).announcing(1 << 20))
    });
    change(&registry, "hello");
    eventually("some answers are lost", || (store.put().len() > 30).then_some(()));
    store.mend();
    store.settled(&registry);
    // An object that is not in the listing is put again.
    registry.process().hang_up();
    eventually("the bucket equals the folder", || difference(&store, &registry).is_none().then_some(()));
}

#[test]
fn store_that_drops_an_object_is_found_out() {
    let store = ObjectStore::start();
    let registry = store.registry();
    change(&registry, "before");
    store.settled(&registry);
    let lies = |asked: &ReceivedRequest| {
        (is_put(asked) && asked.path.ends_with("versions.json"))
            .then(|| Reply::status(200).header("ETag", "\"x\""))
    };
    store.fail(lies);
    change(&registry, "hello");
    store.settled(&registry);
    store.mend();
    let key = "api/v1/skills/global/hello/versions.json";
    assert!(!store.objects().contains_key(key));
    let verify = || registry.command_with_variables(["verify"], &CREDENTIALS);
    assert!(verify().stdout.contains(&format!("missing    s3://skills/tree/{key}\n")));
    registry.process().hang_up();
    eventually("the object is put again", || store.objects().contains_key(key).then_some(()));
    store.settled(&registry);
    assert_equal(&store, &registry);
}

#[test]
fn key_is_written_once_a_second() {
    let store = ObjectStore::start();
    let settings = store.settings().replace("target_interval = 0\n", "");
    let mut registry = Registry::configured(&settings);
    registry.start_with_variables(&CREDENTIALS);
    let (last, refused) = (Mutex::new(HashMap::new()), Arc::new(AtomicU64::new(0)));
    let refusals = Arc::clone(&refused);
    store.fail(move |asked| {
        if !is_put(asked) || asked.path.contains(".skillmirror") {
            return None;
        }
        let earlier = last.lock().unwrap().insert(asked.path.clone(), Instant::now());
        let is_early = earlier.is_some_and(|at: Instant| at.elapsed() < Duration::from_secs(1));
        is_early.then(|| {
            refusals.fetch_add(1, Ordering::SeqCst);
            Reply::status(503)
        })
    });
    for name in ["one", "two", "three", "four"] {
        change(&registry, name);
    }
    store.settled(&registry);
    assert_equal(&store, &registry);
    assert_eq!(refused.load(Ordering::SeqCst), 0);
}

//! After every single request, what the bucket holds is closed, whatever fails.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod store;
mod turns;
#[path = "../../generator/tests/world/mod.rs"]
mod world;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bucket::upload::{Engine, Round};
use bucket::{Claim, KeyStyle, Target, UploadError};
use generator::tree::Tree;
use object_store::{ObjectStore, ObjectStoreExt};
use proptest::prelude::*;
use store::{CheckedStore, Fault, Followed, claim, engine, expected, settings};
use world::{Step, step};

#[derive(Debug, Clone)]
enum Act {
    World(Step),
    /// The tree is brought up to date.
    Publish,
    /// Only the documents of changed skills are.
    PublishOwn,
    Round,
    /// Every request of this number and its multiples fails from now on; none of 0.
    Fail(u64, bool),
    Restart,
    /// Every file is compared again.
    Distrust,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        12 => step().prop_map(Act::World),
        4 => Just(Act::Publish),
        2 => Just(Act::PublishOwn),
        6 => Just(Act::Round),
        2 => (prop_oneof![Just(0), 1..60u64], any::<bool>()).prop_map(|(every, lost)| Act::Fail(every, lost)),
        1 => Just(Act::Restart),
        1 => Just(Act::Distrust),
    ]
}

fn fail(store: &CheckedStore, every: u64, lost: bool) {
    let fault = if lost { Fault::Unanswered } else { Fault::Refused };
    store.fail(move |number| (every > 0 && number.is_multiple_of(every)).then_some(fault));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn bucket_is_closed_after_every_request_and_equals_the_folder_at_the_end(
        acts in proptest::collection::vec(act(), 1..80),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut followed = Followed::new(folder.path());
        for act in &acts {
            match act {
                Act::World(step) => followed.world.step(step),
                Act::Publish => drop(followed.publisher.catch_up().unwrap()),
                Act::PublishOwn => drop(followed.publisher.write_own_documents().unwrap()),
                Act::Round => drop(followed.round()),
                Act::Fail(every, lost) => fail(&followed.store, *every, *lost),
                Act::Restart => followed.restart(),
                Act::Distrust => drop(followed.publisher.generate().unwrap()),
            }
        }
        followed.publisher.catch_up().unwrap();
        fail(&followed.store, 0, false);
        followed.settle();
        followed.assert_equal();
        // Nothing is written twice.
        let written = followed.store.log.lock().len();
        followed.restart();
        followed.settle();
        let again: Vec<_> = followed.store.log.lock()[written..].to_vec();
        prop_assert!(again.iter().all(|key| key.starts_with(".skillmirror/")), "{again:?}");
    }
}

/// The full upload, and two changes, killed at each request in turn.
#[test]
fn killed_upload_is_completed_by_the_next_start() {
    let mut kill_at = 1;
    loop {
        let folder = tempfile::tempdir().unwrap();
        let mut followed = Followed::new(folder.path());
        followed.settle();
        followed.world.publish("team1", 0, (1, false), None);
        followed.world.publish("team2", 1, (0, false), Some(1));
        followed.publisher.catch_up().unwrap();
        let lost = kill_at % 2 == 0;
        followed.store.fail(move |number| {
            let fault = if lost { Fault::Unanswered } else { Fault::Refused };
            (number >= kill_at).then_some(if number == kill_at { fault } else { Fault::Refused })
        });
        let is_done = matches!(followed.round(), Ok(Round::Worked)) && followed.store.requests() < kill_at;
        fail(&followed.store, 0, false);
        followed.restart();
        followed.settle();
        followed.assert_equal();
        if is_done {
            assert!(kill_at > 50, "{kill_at}");
            return;
        }
        kill_at += 7;
    }
}

#[test]
fn bucket_is_written_while_the_tree_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut followed = Followed::new(folder.path());
    let Followed { world, publisher, engine, runtime, .. } = &mut followed;
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| {
            for number in 0..150 {
                world.publish(["team1", "team2", "global"][number % 3], number as u8, (0, false), Some(0));
                if number % 4 == 0 {
                    publisher.write_own_documents().unwrap();
                }
                publisher.catch_up().unwrap();
            }
        });
        while !writing.is_finished() {
            runtime.block_on(engine.round()).unwrap();
        }
    });
    followed.settle();
    followed.assert_equal();
}

#[test]
fn lost_and_changed_objects_are_repaired_and_those_of_somebody_else_stay() {
    let folder = tempfile::tempdir().unwrap();
    let mut followed = Followed::new(folder.path());
    followed.settle();
    let inner = &followed.store.inner;
    let foreign = [("readme.txt", "mine"), ("api/v1/skills/team1/x", "{}")];
    followed.runtime.block_on(async {
        for (key, bytes) in [("index.html", "changed")].into_iter().chain(foreign) {
            inner.put(&key.into(), bytes.into()).await.unwrap();
        }
        inner.delete(&"api/v1/skills.json".into()).await.unwrap();
    });
    followed.restart();
    followed.settle();
    let mut all = expected(&followed.tree);
    all.extend(foreign.map(|(key, bytes)| (key.to_owned(), bytes.into())));
    assert_eq!(followed.runtime.block_on(followed.store.objects()), all);
}

#[test]
fn lost_manifest_costs_an_upload_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut followed = Followed::new(folder.path());
    followed.settle();
    let changes = std::mem::take(&mut followed.changes);
    drop(std::mem::replace(
        &mut followed.engine,
        engine(&followed.world, &Tree::at(folder.path().join("other")), &followed.store, &changes),
    ));
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(folder.path().join(format!("public.state/bucket.sqlite{end}")));
    }
    let before = followed.store.log.lock().len();
    followed.restart();
    followed.settle();
    followed.assert_equal();
    assert!(followed.store.log.lock().len() - before >= expected(&followed.tree).len());
}

#[test]
fn store_that_overwrites_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut followed = Followed::new(folder.path());
    followed.store.overwrites.store(true, Ordering::SeqCst);
    let why = followed.round().unwrap_err();
    assert!(matches!(why, UploadError::Refused(_)) && why.to_string().contains("conditional puts"), "{why}");
    assert!(followed.runtime.block_on(followed.store.objects()).is_empty());
}

#[test]
fn bucket_of_another_registry_is_refused_unless_it_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let mut followed = Followed::new(folder.path());
    followed.settle();
    let other_folder = tempfile::tempdir().unwrap();
    let mut other = Followed::new(other_folder.path());
    other.store = Arc::clone(&followed.store);
    other.restart();
    let why = other.round().unwrap_err().to_string();
    assert!(why.contains("s3://bucket belongs to another registry (epoch "), "{why}");
    followed.assert_equal();
    let store = Arc::clone(&other.store) as Arc<dyn ObjectStore>;
    let target = Target::of(store, &settings(KeyStyle::Paths)).unwrap();
    let claim = Claim { replaces: true, ..claim(&other.world) };
    other.engine =
        Engine::new(target, other.tree.clone(), claim, Arc::clone(&other.changes), Arc::default()).unwrap();
    other.settle();
    other.assert_equal();
    // The first one may not come back.
    followed.restart();
    followed.round().unwrap_err();
}

//! Sources that sign, and their lies.

use std::fs;
use std::path::Path;

use generator::follower::FollowOptions;
use generator::settings::{RegistryKey, TreeSettings};
use generator::tree::Tree;
use registry::transparency_log::{Checkpoint, Hash, SigningKey};

use super::false_source::{Change, FalseSource};
use super::world::{World, files, signing_key};
use super::{follow, open, options, published, replaced};

const CHECKPOINT: &str = "api/v1/log/checkpoint";

fn trusting() -> FollowOptions {
    FollowOptions { keys: vec![signing_key().verifier().clone()], ..options(false) }
}

/// The checkpoint of a world with this many rows fewer.
fn checkpoint(world: &World, fewer: u64) -> Checkpoint {
    world.registry.read(|catalog| {
        let (log, origin) = (catalog.public.log(), signing_key().verifier().name().clone());
        let size = log.size() - fewer;
        Checkpoint { origin, size, root: log.root_at(size).unwrap() }
    })
}

fn signed(checkpoint: &Checkpoint, key: &SigningKey) -> Box<Change> {
    let text = checkpoint.sign(std::slice::from_ref(key));
    Box::new(move |_| Some(text.clone().into_bytes()))
}

#[test]
fn false_checkpoint_does_not_change_the_tree() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let (key, whole) = (signing_key(), checkpoint(&world, 0));
    let stranger = SigningKey::generate(key.verifier().name()).unwrap();
    let other = SigningKey::generate(&"other.example.org".parse().unwrap()).unwrap();
    let of_other = Checkpoint { origin: other.verifier().name().clone(), ..whole.clone() };
    let more = Checkpoint { size: whole.size + 1, ..whole.clone() };
    let forked = Checkpoint { root: Hash([7; 32]), ..whole.clone() };
    let lies: Vec<(&str, Box<Change>, &str)> = vec![
        (CHECKPOINT, Box::new(|_| None), "does not sign"),
        (CHECKPOINT, Box::new(|bytes| Some(bytes[..20].to_vec())), "not a signed checkpoint"),
        (CHECKPOINT, Box::new(|_| Some(vec![b'a'; 1 << 20])), "not a signed checkpoint"),
        (CHECKPOINT, signed(&whole, &stranger), "not signed with a key that is trusted"),
        (
            CHECKPOINT,
            Box::new(replaced(format!("\n{}\n", whole.size), format!("\n{}\n", whole.size + 1))),
            "is false",
        ),
        (CHECKPOINT, signed(&of_other, &other), "of the log other.example.org, not of skills.example.org"),
        (CHECKPOINT, signed(&checkpoint(&world, 1), &key), "waiting until the others are signed"),
        (CHECKPOINT, signed(&more, &key), "has not finished writing"),
        (CHECKPOINT, signed(&forked, &key), "does not match the rows"),
        ("api/v1/mirror/head.json", Box::new(replaced("\"root\":\"", "\"root\":\"A")), "root of the log"),
    ];
    for (file, change, expected) in lies {
        let source = FalseSource::at(&there, file, change);
        let mut follower = open(source.clone(), &here, trusting());
        let why = follower.catch_up().unwrap_err().to_string();
        assert!(why.contains("the false source") && why.contains(expected), "{expected}: {why}");
        assert!(files(&here).is_empty(), "{expected}");
        source.becomes_true();
        follower.catch_up().unwrap();
        assert!(files(&here) == files(&there), "{expected}");
        drop(follower);
        remove(&here);
    }
}

#[test]
fn checkpoint_that_takes_back_an_earlier_one_is_refused_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let (key, whole) = (signing_key(), checkpoint(&world, 0));
    let forked = Checkpoint { root: Hash([7; 32]), ..whole.clone() };
    open(Tree::at(&there), &here, trusting()).catch_up().unwrap();
    let truth = files(&here);
    let lies =
        [(signed(&checkpoint(&world, 1), &key), "rolled back"), (signed(&forked, &key), "two histories")];
    for (change, expected) in lies {
        let expected_bytes = change(Vec::new()).unwrap();
        let why = open(FalseSource::at(&there, CHECKPOINT, change), &here, trusting()).catch_up();
        let why = why.unwrap_err().to_string();
        let kept = folder.path().join("here.state/checkpoints");
        assert!(why.contains(expected) && why.contains(kept.to_str().unwrap()), "{why}");
        let bytes = |kind: &str| {
            let mut files = fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().path());
            fs::read(files.find(|path| path.extension().unwrap() == kind).unwrap()).unwrap()
        };
        assert_eq!(bytes("refused"), expected_bytes);
        assert_eq!(bytes("accepted"), fs::read(there.join(CHECKPOINT)).unwrap());
        assert_eq!(files(&here), truth);
    }
    open(Tree::at(&there), &here, trusting()).catch_up().unwrap();
}

#[test]
fn retired_key_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let retired = Some("2026-11-01T00:00:00Z".parse().unwrap());
    let keys = vec![RegistryKey { key: signing_key().verifier().clone(), retired }];
    world.mirror(&there, &TreeSettings { keys, ..Default::default() }).catch_up().unwrap();
    let why = open(Tree::at(&there), &here, trusting()).catch_up().unwrap_err().to_string();
    assert!(why.contains("retired key only (skills.example.org+"), "{why}");
    assert!(files(&here).is_empty());
}

/// Another process signs after the head was written.
#[test]
fn later_checkpoint_of_the_same_head_is_copied() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let keys = vec![RegistryKey { key: signing_key().verifier().clone(), retired: None }];
    world.mirror(&there, &TreeSettings { keys, ..Default::default() }).catch_up().unwrap();
    let last = fs::read(there.join(CHECKPOINT)).unwrap();
    let earlier = checkpoint(&world, 3).sign(&[signing_key()]);
    fs::write(there.join(CHECKPOINT), &earlier).unwrap();
    let mut follower = follow(Tree::at(&there), &here);
    for _ in 0..2 {
        follower.catch_up().unwrap();
        assert_eq!(fs::read(here.join(CHECKPOINT)).unwrap(), earlier.as_bytes());
    }
    fs::write(there.join(CHECKPOINT), &last).unwrap();
    follower.catch_up().unwrap();
    assert_eq!(fs::read(here.join(CHECKPOINT)).unwrap(), last);
    drop(follower);
    // The cache has it, too.
    follow(Tree::at(&there), &here).catch_up().unwrap();
    assert_eq!(files(&here), files(&there));
}

/// Witnesses answer after the head was written.
#[test]
fn signatures_that_come_later_are_copied_for_a_while() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let mut follower = open(Tree::at(&there), &here, trusting());
    follower.catch_up().unwrap();
    let witness = SigningKey::generate(&"witness.example".parse().unwrap()).unwrap();
    let more = checkpoint(&world, 0).sign(&[signing_key(), witness]);
    fs::write(there.join(CHECKPOINT), &more).unwrap();
    follower.catch_up().unwrap();
    assert_eq!(fs::read_to_string(here.join(CHECKPOINT)).unwrap(), more);
    let source = FalseSource::at(&there, "none", Some);
    drop(follower);
    let mut follower = open(source.clone(), &here, trusting());
    for _ in 0..10 {
        follower.catch_up().unwrap();
    }
    source.requested.lock().clear();
    follower.catch_up().unwrap();
    assert_eq!(source.requested.lock().len(), 1, "only the head");
}

fn remove(here: &Path) {
    fs::remove_dir_all(here).unwrap();
    fs::remove_dir_all(here.with_extension("state")).unwrap();
}

//! A follower makes the same tree as its source, and trusts no false source.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod false_source;
mod histories;
mod partial;
mod signed;
#[path = "../world/mod.rs"]
mod world;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use false_source::{Change as FalseChange, FalseSource};
use generator::follower::{FeedSource, FollowOptions, Follower, SourceLimits};
use generator::pages::Site;
use generator::selection::Selection;
use generator::settings::TreeSettings;
use generator::tree::Tree;
use proptest::prelude::*;
use registry::names::Coordinate;
use registry::public::CounterShards;
use registry::time::Timestamp;
use world::{Change, KEEP, Step, World, files, step};

fn options(accepts_new_history: bool) -> FollowOptions {
    let limits = SourceLimits { package: 1 << 20, total: 1 << 30, rows: 1 << 20, files: None };
    FollowOptions {
        site: Site::default(),
        names_source_look: false,
        retention: KEEP,
        public_url: None,
        limits,
        accepts_new_history,
        keys: Vec::new(),
        policy: None,
        selection: Selection::default(),
        now: Timestamp::now,
    }
}

fn open(source: impl FeedSource + 'static, into: &Path, options: FollowOptions) -> Follower {
    Follower::open(Arc::new(source), Tree::at(into).lock().unwrap().unwrap(), options).unwrap()
}

fn follow(source: impl FeedSource + 'static, into: &Path) -> Follower {
    open(source, into, options(false))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn follower_after_every_change_has_the_same_tree(
        steps in proptest::collection::vec((step(), any::<bool>()), 1..120),
        list_depth in 0..=4u64,
        gzip in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (world, settings) = (World::new(), TreeSettings { list_depth, gzip, ..Default::default() });
        let [there, here, once] = ["there", "here", "once"].map(|name| folder.path().join(name));
        let mut mirror = world.mirror(&there, &settings);
        mirror.catch_up().unwrap();
        let mut follower = follow(Tree::at(&there), &here);
        for (step, ends) in &steps {
            world.step(step);
            if matches!(step, Step::CatchUp) {
                let revision = mirror.catch_up().unwrap();
                prop_assert_eq!(follower.catch_up().unwrap(), revision);
                if *ends {
                    // Another process continues with the cache.
                    drop(follower);
                    follower = follow(Tree::at(&there), &here);
                }
            }
        }
        mirror.catch_up().unwrap();
        follower.catch_up().unwrap();
        prop_assert_eq!(files(&here), files(&there));
        follow(Tree::at(&there), &once).generate().unwrap();
        prop_assert_eq!(files(&once), files(&there));
        let left = fs::read_dir(folder.path().join("once.state/feed/packages")).unwrap().count();
        prop_assert_eq!(left, 0);
    }
}

/// A registry whose feed has several pages, in a tree.
fn published(there: &Path) -> World {
    let world = World::new();
    for n in 0..48 {
        world.publish("team1", n % 20, (n / 20, false), None);
    }
    world.mirror(there, &TreeSettings::default()).catch_up().unwrap();
    world
}

const PACKAGE: &str = "api/v1/skills/team1/s7/versions/1.0.0/download.zip";

fn replaced(what: impl Into<String>, by: impl Into<String>) -> impl Fn(Vec<u8>) -> Option<Vec<u8>> {
    let (what, by) = (what.into(), by.into());
    move |bytes| Some(String::from_utf8(bytes).unwrap().replacen(&what, &by, 1).into_bytes())
}

/// Each false file: its name, how it is changed, and a part of the error.
fn false_files() -> Vec<(&'static str, Box<FalseChange>, &'static str)> {
    let html = |_| Some(b"<!DOCTYPE html><title>Sign in</title>".to_vec());
    let truncated = |bytes: Vec<u8>| Some(bytes[..bytes.len() / 2].to_vec());
    vec![
        (
            PACKAGE,
            Box::new(|mut bytes| {
                bytes[40] ^= 1;
                Some(bytes)
            }),
            "not the package",
        ),
        (PACKAGE, Box::new(truncated), "not the package"),
        (PACKAGE, Box::new(html), "not the package"),
        (PACKAGE, Box::new(|_| None), "does not exist"),
        ("api/v1/mirror/head.json", Box::new(html), "web page"),
        ("api/v1/mirror/head.json", Box::new(truncated), "not the expected JSON"),
        ("api/v1/mirror/head.json", Box::new(replaced("\"format\":", "\"format\":9")), "release"),
        ("api/v1/mirror/settings.json", Box::new(replaced("\"listDepth\":2", "\"listDepth\":3")), "sha256"),
        ("api/v1/mirror/settings.json", Box::new(html), "web page"),
        ("api/v1/mirror/changes/1.json", Box::new(replaced("\"D3 ", "\"XX ")), "does not continue"),
        ("api/v1/mirror/changes/1.json", Box::new(replaced("\"page\":1", "\"page\":2")), "page 2"),
        ("api/v1/mirror/changes/1.json", Box::new(html), "web page"),
        ("api/v1/mirror/changes/1.json", Box::new(replaced("\"published\"", "\"unknown\"")), "release"),
        ("api/v1/mirror/changes/2.json", Box::new(replaced("\"D7 ", "\"XX ")), "sha256"),
        ("api/v1/mirror/changes/2.json", Box::new(truncated), "ends before its JSON"),
        ("api/v1/mirror/changes/2.json", Box::new(replaced("\"skillId\":\"", "\"skillId\":\"9999")), "ids"),
        ("api/v1/mirror/changes/2.json", Box::new(replaced("\"previous\":\"", "\"previous\":\"0")), "digest"),
    ]
}

#[test]
fn false_counters_are_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let skill: Coordinate = "team1--s7".parse().unwrap();
    world.change(&skill, &Change::Star);
    assert!(world.registry.publish_counters(&world.local, 50).unwrap());
    world.mirror(&there, &TreeSettings::default()).catch_up().unwrap();
    let id = world.registry.read(|catalog| catalog.public.skill(&skill).unwrap().id);
    let shard = format!("api/v1/mirror/counters/{:02x}.json", CounterShards::shard_of(id));
    let changes: Vec<(Box<FalseChange>, &str)> = vec![
        (Box::new(replaced("\"starCount\":1", "\"starCount\":7")), "does not name the counters"),
        (Box::new(replaced("{\"generation\"", "{ \"generation\"")), "not written as"),
        (Box::new(|_| None), "does not exist"),
        (Box::new(|bytes| Some(bytes[..9].to_vec())), "ends before its JSON"),
    ];
    for (change, expected) in changes {
        let source = FalseSource::at(&there, &shard, change);
        let mut follower = follow(source.clone(), &here);
        let why = follower.catch_up().unwrap_err().to_string();
        assert!(why.contains(expected), "{why}");
        let list = fs::read_to_string(here.join("api/v1/skills.json")).unwrap();
        assert!(
            list.contains("\"starCount\":0") && !list.contains("\"starCount\":7"),
            "the rows are published"
        );
        source.becomes_true();
        follower.catch_up().unwrap();
        assert_eq!(files(&here), files(&there));
        drop(follower);
        fs::remove_dir_all(&here).unwrap();
        fs::remove_dir_all(folder.path().join("here.state")).unwrap();
    }
}

#[test]
fn false_file_does_not_change_the_tree() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let _world = published(&there);
    let truth = files(&there);
    for (file, change, expected) in false_files() {
        let source = FalseSource::at(&there, file, change);
        let mut follower = follow(source.clone(), &here);
        let why = follower.catch_up().unwrap_err().to_string();
        // A false page may be found by the next one, which the error then names.
        assert!(
            why.contains("the false source") && why.contains("api/v1/") && why.contains(expected),
            "{file}: {why}"
        );
        assert!(files(&here).is_empty(), "{file}: {:?}", files(&here).keys());
        source.becomes_true();
        follower.catch_up().unwrap();
        assert!(files(&here) == truth, "{file}");
        drop(follower);
        fs::remove_dir_all(&here).unwrap();
        fs::remove_dir_all(folder.path().join("here.state")).unwrap();
    }
}

#[test]
fn tree_stays_valid_while_new_pages_are_false() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let before = files(&there);
    let page = "api/v1/mirror/changes/2.json";
    let source = FalseSource::at(&there, page, replaced("\"D7 ", "\"XX "));
    source.becomes_true();
    follow(source.clone(), &here).catch_up().unwrap();
    world.publish("team1", 21, (0, false), Some(1));
    world.mirror(&there, &TreeSettings::default()).catch_up().unwrap();

    let source = FalseSource::at(&there, page, replaced("\"D21 ", "\"XX "));
    let mut follower = follow(source.clone(), &here);
    follower.catch_up().unwrap_err();
    assert_eq!(files(&here), before);
    // Known files are repaired even while the source is false.
    fs::remove_file(here.join("api/v1/mirror/settings.json")).unwrap();
    follower.catch_up().unwrap_err();
    assert_eq!(files(&here), before);
    drop(follower);
    // Rows that are known are not read again, even if they are false now.
    let mut follower = follow(FalseSource::at(&there, page, replaced("\"D7 ", "\"XX ")), &here);
    follower.catch_up().unwrap();
    assert_eq!(files(&here), files(&there));
}

#[test]
fn follower_requests_only_new_files() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let source = FalseSource::at(&there, "", Some);
    follow(source.clone(), &here).catch_up().unwrap();
    source.requested.lock().clear();
    let mut follower = follow(source.clone(), &here);
    follower.catch_up().unwrap();
    assert_eq!(*source.requested.lock(), ["api/v1/mirror/head.json"]);
    world.publish("team1", 15, (3, false), Some(1));
    world.mirror(&there, &TreeSettings::default()).catch_up().unwrap();
    source.requested.lock().clear();
    follower.catch_up().unwrap();
    let package = "api/v1/skills/team1/s15/versions/1.3.0/download.zip";
    let [head, settings] = ["api/v1/mirror/head.json", "api/v1/mirror/settings.json"];
    let checkpoint = "api/v1/log/checkpoint";
    assert_eq!(
        *source.requested.lock(),
        [head, checkpoint, settings, "api/v1/mirror/changes/2.json", package]
    );
    assert_eq!(files(&here), files(&there));

    // Lost files are requested again: a package of the tree, and the whole cache.
    fs::remove_dir_all(here.join("api/v1/skills/team1/s7")).unwrap();
    follower.generate().unwrap();
    assert_eq!(files(&here), files(&there));
    drop(follower);
    fs::remove_dir_all(folder.path().join("here.state")).unwrap();
    source.requested.lock().clear();
    follow(source.clone(), &here).catch_up().unwrap();
    assert!(!source.requested.lock().iter().any(|file| file.ends_with(".zip")), "the tree has the packages");
    assert_eq!(files(&here), files(&there));
}

#[test]
fn old_copy_of_the_source_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [there, old, here] = ["there", "old", "here"].map(|name| folder.path().join(name));
    let world = published(&old);
    world.publish("team1", 15, (3, false), Some(1));
    world.mirror(&there, &TreeSettings::default()).catch_up().unwrap();
    follow(Tree::at(&there), &here).catch_up().unwrap();
    let why = follow(Tree::at(&old), &here).catch_up().unwrap_err().to_string();
    assert!(why.contains("old copy"), "{why}");
    assert_eq!(files(&here), files(&there));
}

#[test]
fn source_that_changes_meanwhile_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let mut mirror = world.mirror(&there, &TreeSettings::default());
    let mut follower = follow(Tree::at(&there), &here);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for slug in 0..100 {
                world.publish("team2", slug, (1, false), Some(1));
                mirror.catch_up().unwrap();
            }
        });
        while !writer.is_finished() {
            follower.catch_up().unwrap();
        }
    });
    mirror.catch_up().unwrap();
    follower.catch_up().unwrap();
    assert_eq!(files(&here), files(&there));
}

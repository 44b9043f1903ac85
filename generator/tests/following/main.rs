//! Replaying a tree's feed makes the same tree, and a source that lies none.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod liar;
#[path = "../world/mod.rs"]
mod world;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use generator::follower::{FeedSource, Follower};
use generator::settings::TreeSettings;
use generator::tree::Tree;
use liar::{Liar, Lie};
use proptest::prelude::*;
use registry::names::Coordinate;
use registry::public::CounterShards;
use world::{Change, Complete, KEEP, Step, World, files, step};

fn follow(source: impl FeedSource + 'static, into: &Path) -> Follower {
    Follower::open(Arc::new(source), Tree::at(into).lock().unwrap().unwrap(), KEEP, None).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn the_same_tree_elsewhere(
        steps in proptest::collection::vec((step(), any::<bool>()), 1..120),
        list_depth in 0..=4u64,
        gzip in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (world, settings) = (World::new(), TreeSettings { list_depth, gzip, ..Default::default() });
        let [there, here, once] = ["there", "here", "once"].map(|name| folder.path().join(name));
        let mut mirror = world.mirror(&there, &settings);
        mirror.complete();
        let mut follower = follow(Tree::at(&there), &here);
        for (step, ends) in &steps {
            world.step(step);
            if matches!(step, Step::CatchUp) {
                let revision = mirror.catch_up().unwrap();
                prop_assert_eq!(follower.catch_up().unwrap(), revision);
                if *ends {
                    // Another process goes on with what was kept.
                    drop(follower);
                    follower = follow(Tree::at(&there), &here);
                }
            }
        }
        mirror.complete();
        follower.complete();
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
    for n in 0..70 {
        world.publish("team1", n % 20, (n / 20, false), None);
    }
    world.mirror(there, &TreeSettings::default()).complete();
    world
}

const PACKAGE: &str = "api/v1/skills/team1/s7/versions/1.0.0/download.zip";

fn replaced(what: &'static str, by: &'static str) -> impl Fn(Vec<u8>) -> Option<Vec<u8>> {
    move |bytes| Some(String::from_utf8(bytes).unwrap().replacen(what, by, 1).into_bytes())
}

/// Every lie that is tested, with the file it is about and what is said then.
fn lies() -> Vec<(&'static str, Box<Lie>, &'static str)> {
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
        (PACKAGE, Box::new(|_| None), "is not there"),
        ("api/v1/mirror/head.json", Box::new(html), "web page"),
        ("api/v1/mirror/head.json", Box::new(truncated), "not what it should be"),
        ("api/v1/mirror/head.json", Box::new(replaced("\"format\":", "\"format\":9")), "release"),
        ("api/v1/mirror/settings.json", Box::new(replaced("10", "11")), "sha256"),
        ("api/v1/mirror/settings.json", Box::new(html), "web page"),
        ("api/v1/mirror/changes/1.json", Box::new(replaced("\"D3 ", "\"XX ")), "no chain"),
        ("api/v1/mirror/changes/1.json", Box::new(replaced("\"page\":1", "\"page\":2")), "page 2"),
        ("api/v1/mirror/changes/1.json", Box::new(html), "web page"),
        ("api/v1/mirror/changes/1.json", Box::new(replaced("\"published\"", "\"unknown\"")), "release"),
        ("api/v1/mirror/changes/2.json", Box::new(replaced("\"D7 ", "\"XX ")), "sha256"),
        ("api/v1/mirror/changes/2.json", Box::new(truncated), "EOF"),
        ("api/v1/mirror/changes/2.json", Box::new(replaced("\"skillId\":\"", "\"skillId\":\"9999")), "ids"),
        ("api/v1/mirror/changes/2.json", Box::new(replaced("\"previous\":\"", "\"previous\":\"0")), "digest"),
    ]
}

#[test]
fn counters_that_a_liar_tells_of_are_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let skill: Coordinate = "team1--s7".parse().unwrap();
    world.change(&skill, &Change::Star);
    assert!(world.registry.publish_counters(&world.local, 50).unwrap());
    world.mirror(&there, &TreeSettings::default()).complete();
    let id = world.registry.read(|catalog| catalog.public.skill(&skill).unwrap().id);
    let shard = format!("api/v1/mirror/counters/{:02x}.json", CounterShards::shard_of(id));
    let lies: Vec<(Box<Lie>, &str)> = vec![
        (Box::new(replaced("\"starCount\":1", "\"starCount\":7")), "has not the counters"),
        (Box::new(replaced("{\"generation\"", "{ \"generation\"")), "not written as"),
        (Box::new(|_| None), "is not there"),
        (Box::new(|bytes| Some(bytes[..9].to_vec())), "EOF"),
    ];
    for (lie, said) in lies {
        let liar = Liar::about(&there, &shard, lie);
        let mut follower = follow(liar.clone(), &here);
        let why = follower.catch_up().unwrap_err().to_string();
        assert!(why.contains(said), "{why}");
        let list = fs::read_to_string(here.join("api/v1/skills.json")).unwrap();
        assert!(
            list.contains("\"starCount\":0") && !list.contains("\"starCount\":7"),
            "the rows are taken in"
        );
        liar.tells_the_truth();
        follower.complete();
        assert_eq!(files(&here), files(&there));
        drop(follower);
        fs::remove_dir_all(&here).unwrap();
        fs::remove_dir_all(folder.path().join("here.state")).unwrap();
    }
}

#[test]
fn nothing_that_a_liar_says_gets_into_the_tree() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let _world = published(&there);
    let truth = files(&there);
    for (file, lie, said) in lies() {
        let liar = Liar::about(&there, file, lie);
        let mut follower = follow(liar.clone(), &here);
        let why = follower.catch_up().unwrap_err().to_string();
        // A page that is false may show in the next one, which is named then.
        assert!(why.contains("the liar") && why.contains("api/v1/") && why.contains(said), "{file}: {why}");
        assert!(files(&here).is_empty(), "{file}: {:?}", files(&here).keys());
        liar.tells_the_truth();
        follower.complete();
        assert!(files(&here) == truth, "{file}");
        drop(follower);
        fs::remove_dir_all(&here).unwrap();
        fs::remove_dir_all(folder.path().join("here.state")).unwrap();
    }
}

#[test]
fn a_tree_stands_while_its_source_lies_about_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let before = files(&there);
    let page = "api/v1/mirror/changes/2.json";
    let liar = Liar::about(&there, page, replaced("\"D7 ", "\"XX "));
    liar.tells_the_truth();
    follow(liar.clone(), &here).complete();
    world.publish("team1", 15, (3, false), Some(1));
    world.mirror(&there, &TreeSettings::default()).complete();

    let liar = Liar::about(&there, page, replaced("\"D15 ", "\"XX "));
    let mut follower = follow(liar.clone(), &here);
    follower.catch_up().unwrap_err();
    assert_eq!(files(&here), before);
    // Known files are mended while the source is not to be believed.
    fs::remove_file(here.join("api/v1/mirror/settings.json")).unwrap();
    follower.catch_up().unwrap_err();
    assert_eq!(files(&here), before);
    drop(follower);
    // What is known already is not read again, however it is told.
    let mut follower = follow(Liar::about(&there, page, replaced("\"D7 ", "\"XX ")), &here);
    follower.complete();
    assert_eq!(files(&here), files(&there));
}

#[test]
fn only_what_is_new_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let honest = Liar::about(&there, "", Some);
    follow(honest.clone(), &here).complete();
    honest.asked.lock().clear();
    let mut follower = follow(honest.clone(), &here);
    follower.complete();
    assert_eq!(*honest.asked.lock(), ["api/v1/mirror/head.json"]);
    world.publish("team1", 15, (3, false), Some(1));
    world.mirror(&there, &TreeSettings::default()).complete();
    honest.asked.lock().clear();
    follower.complete();
    let package = "api/v1/skills/team1/s15/versions/1.3.0/download.zip";
    let [head, settings] = ["api/v1/mirror/head.json", "api/v1/mirror/settings.json"];
    assert_eq!(*honest.asked.lock(), [head, settings, "api/v1/mirror/changes/2.json", package]);
    assert_eq!(files(&here), files(&there));

    // Lost pieces are asked for again: a package of the tree, all that is kept.
    fs::remove_dir_all(here.join("api/v1/skills/team1/s7")).unwrap();
    follower.generate().unwrap();
    assert_eq!(files(&here), files(&there));
    drop(follower);
    fs::remove_dir_all(folder.path().join("here.state")).unwrap();
    honest.asked.lock().clear();
    follow(honest.clone(), &here).complete();
    assert!(!honest.asked.lock().iter().any(|file| file.ends_with(".zip")), "the tree has the packages");
    assert_eq!(files(&here), files(&there));
}

#[test]
fn another_epoch_and_other_settings_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let mut follower = follow(Tree::at(&there), &here);
    follower.complete();
    world.mirror(&there, &TreeSettings { list_depth: 0, ..Default::default() }).complete();
    follower.complete();
    assert_eq!(files(&here), files(&there));

    let other = World::new();
    other.publish("team1", 7, (0, false), None);
    other.publish("global", 1, (2, true), Some(1));
    other.mirror(&there, &TreeSettings::default()).complete();
    follower.complete();
    assert_eq!(files(&here), files(&there));
    assert_eq!(fs::read_dir(folder.path().join("here.state/feed/pages")).unwrap().count(), 1);
}

#[test]
fn an_old_copy_of_the_source_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let [there, old, here] = ["there", "old", "here"].map(|name| folder.path().join(name));
    let world = published(&old);
    world.publish("team1", 15, (3, false), Some(1));
    world.mirror(&there, &TreeSettings::default()).complete();
    follow(Tree::at(&there), &here).complete();
    let why = follow(Tree::at(&old), &here).catch_up().unwrap_err().to_string();
    assert!(why.contains("old copy"), "{why}");
    assert_eq!(files(&here), files(&there));
}

#[test]
fn a_source_that_is_written_to_meanwhile_is_read() {
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
    mirror.complete();
    follower.complete();
    assert_eq!(files(&here), files(&there));
}

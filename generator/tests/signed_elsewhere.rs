//! A tree whose checkpoints another process signs.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod world;

use std::path::Path;

use generator::address::Document;
use generator::render::RenderContext;
use generator::settings::TreeSettings;
use generator::tree::{Tree, verify};
use generator::{Signing, Sources, TreePublisher, WorkProgress};
use registry::transparency_log::{Checkpoint, LogName, SigningKey};
use world::{KEEP, World, files, signing_key};

fn sources(world: &World) -> Sources {
    let elsewhere = vec![signing_key().verifier().clone()];
    Sources { signing: Signing::own(Vec::new(), elsewhere), ..world.sources() }
}

fn publisher(world: &World, folder: &Path) -> TreePublisher {
    let locked = Tree::at(folder).lock().unwrap().unwrap();
    TreePublisher::new(sources(world), TreeSettings::default(), locked, KEEP)
}

/// The checkpoint of all rows so far.
fn signed(world: &World, key: &SigningKey) -> String {
    let origin: LogName = key.verifier().name().clone();
    let checkpoint = world.registry.read(|catalog| Checkpoint::of(origin, catalog.public.log()));
    checkpoint.sign(std::slice::from_ref(key)).unwrap()
}

fn log_files(folder: &Path) -> Vec<String> {
    files(folder).into_keys().filter(|path| path.starts_with("api/v1/log/")).collect()
}

fn assert_whole(world: &World, publisher: &TreePublisher) {
    let sources = sources(world);
    sources.signing.pick_up(publisher.tree());
    let (catalog, settings) = (sources.public.read(), TreeSettings::default());
    let context = RenderContext {
        catalog: &catalog,
        search: &sources.search,
        store: &*sources.store,
        settings: &settings,
        signing: &sources.signing,
    };
    assert_eq!(verify(publisher.tree(), context, &WorkProgress::default()).unwrap(), vec![]);
}

#[test]
fn checkpoint_that_is_handed_in_stays_with_its_tiles_until_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("here");
    let (world, key) = (World::new(), signing_key());
    world.publish("team1", 1, (0, false), None);
    let mut publisher = publisher(&world, &here);
    publisher.catch_up().unwrap();
    let tiles = |width| {
        [format!("api/v1/log/tile/0/000.p/{width}"), format!("api/v1/log/tile/entries/000.p/{width}")]
    };
    assert_eq!(log_files(&here), tiles(3));

    // This process keeps the tree, so its next round writes it.
    let first = signed(&world, &key);
    assert!(!publisher.tree().hand_in(&Document::Checkpoint, &first).unwrap());
    publisher.catch_up().unwrap();
    let shown = || shown_in(&here);
    assert_eq!(shown().as_deref(), Some(&*first));

    world.publish("team1", 2, (0, false), None);
    publisher.catch_up().unwrap();
    assert_eq!(shown().as_deref(), Some(&*first));
    let mut both = [tiles(3), tiles(4)].concat();
    both.push("api/v1/log/checkpoint".into());
    both.sort();
    assert_eq!(log_files(&here), both);
    assert_whole(&world, &publisher);

    // What nobody trusts is not shown.
    let stranger = SigningKey::generate(key.verifier().name()).unwrap();
    publisher.tree().hand_in(&Document::Checkpoint, &signed(&world, &stranger)).unwrap();
    publisher.catch_up().unwrap();
    assert_eq!(shown(), None);
    assert_whole(&world, &publisher);

    let second = signed(&world, &key);
    publisher.tree().hand_in(&Document::Checkpoint, &second).unwrap();
    publisher.catch_up().unwrap();
    assert_eq!(shown().as_deref(), Some(&*second));
    assert_whole(&world, &publisher);
    let incremental = files(&here);
    publisher.generate().unwrap();
    assert_eq!(files(&here), incremental);
    drop(publisher);
    assert!(Tree::at(&here).hand_in(&Document::Checkpoint, &second).unwrap());
}

#[test]
fn checkpoint_for_a_tree_that_nobody_keeps_is_written_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("here");
    let (world, key) = (World::new(), signing_key());
    world.publish("team1", 1, (0, false), None);
    publisher(&world, &here).catch_up().unwrap();
    let first = signed(&world, &key);
    assert!(Tree::at(&here).hand_in(&Document::Checkpoint, &first).unwrap());
    world.publish("team1", 2, (0, false), None);
    publisher(&world, &here).catch_up().unwrap();
    assert_eq!(shown_in(&here).as_deref(), Some(&*first));
    assert!(Tree::at(&here).hand_in(&Document::Checkpoint, &signed(&world, &key)).unwrap());
    let mut publisher = publisher(&world, &here);
    assert_whole(&world, &publisher);
    let before = files(&here);
    publisher.catch_up().unwrap();
    assert_eq!(files(&here), before);
}

fn shown_in(folder: &Path) -> Option<String> {
    Tree::at(folder).note(&Document::Checkpoint).unwrap()
}

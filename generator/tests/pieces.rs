//! When pieces of the search index are current, expired and removed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod world;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use generator::settings::TreeSettings;
use generator::tree::Tree;
use generator::{Retention, TreePublisher};
use world::{Change, KEEP, World, files, is_expired};

const FOLDER: &str = "api/v1/search/_index";

/// The current pieces and the expired ones, by their files' times.
fn pieces(root: &Path) -> [BTreeSet<String>; 2] {
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    for entry in fs::read_dir(root.join(FOLDER)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name != "manifest.bin" {
            found[usize::from(is_expired(&path))].insert(name);
        }
    }
    found
}

/// The pieces that the index names.
fn named(world: &World) -> BTreeSet<String> {
    let sources = world.sources();
    let catalog = sources.public.read();
    let index = sources.search.current(&catalog);
    index.pieces().map(|name| format!("{name}.bin")).collect()
}

#[test]
fn piece_named_again_is_current_again() {
    let folder = tempfile::tempdir().unwrap();
    let (root, settings, world) = (folder.path().join("public"), TreeSettings::default(), World::new());
    let mut mirror = world.mirror(&root, &settings);
    world.publish("global", 1, (0, false), None);
    mirror.catch_up().unwrap();
    let [first, none] = pieces(&root);
    assert_eq!((&first, none.len()), (&named(&world), 0));
    world.publish("global", 1, (1, false), None);
    world.publish("global", 2, (1, false), None);
    mirror.catch_up().unwrap();
    let [second, old] = pieces(&root);
    assert_eq!(second, named(&world));
    assert_eq!(old, first.difference(&second).cloned().collect());
    let [one, two] = ["s1", "s2"].map(|slug| slug.parse().unwrap());
    world.change(&one, &Change::Yank { minor: 1, reason: false });
    world.change(&two, &Change::Remove);
    // Another process knows only the files' times.
    drop(mirror);
    let mut mirror = world.mirror(&root, &settings);
    mirror.catch_up().unwrap();
    let [third, old] = pieces(&root);
    assert_eq!(third, first, "what is live is what was live at first");
    assert_eq!(old, second.difference(&first).cloned().collect());
    let whole = files(&root);
    mirror.generate().unwrap();
    assert_eq!((files(&root), pieces(&root)), (whole, [third, old]));
}

#[test]
fn expired_pieces_are_removed_after_their_time() {
    let folder = tempfile::tempdir().unwrap();
    let (root, world) = (folder.path().join("public"), World::new());
    let locked = Tree::at(&root).lock().unwrap().unwrap();
    let mut mirror = TreePublisher::new(world.sources(), TreeSettings::default(), locked, KEEP);
    for minor in 0..4 {
        world.publish("global", 1, (minor, false), None);
        mirror.catch_up().unwrap();
    }
    let [current, old] = pieces(&root);
    assert!(old.len() >= 3, "{old:?}");
    let over = root.join(FOLDER).join(old.first().unwrap());
    File::open(&over).unwrap().set_modified(SystemTime::now() - KEEP.time - Duration::from_secs(60)).unwrap();
    // The times of expiry are read from the files.
    drop(mirror);
    let with = |retention| {
        let locked = Tree::at(&root).lock().unwrap().unwrap();
        TreePublisher::new(world.sources(), TreeSettings::default(), locked, retention)
    };
    let mut mirror = with(KEEP);
    mirror.catch_up().unwrap();
    mirror.expire().unwrap();
    assert!(!over.exists());
    assert_eq!(pieces(&root), [current.clone(), old.iter().skip(1).cloned().collect()]);
    drop(mirror);
    with(Retention::NONE).catch_up().unwrap();
    assert_eq!(pieces(&root), [current, BTreeSet::new()]);
}

#[test]
fn oldest_pieces_are_removed_over_the_size_limit() {
    let folder = tempfile::tempdir().unwrap();
    let (root, world) = (folder.path().join("public"), World::new());
    let bytes = |names: &BTreeSet<String>| -> u64 {
        names.iter().map(|name| root.join(FOLDER).join(name).metadata().unwrap().len()).sum()
    };
    let locked = Tree::at(&root).lock().unwrap().unwrap();
    let mut mirror = TreePublisher::new(world.sources(), TreeSettings::default(), locked, KEEP);
    let mut steps = Vec::new();
    for minor in 0..6 {
        world.publish("global", 1, (minor, false), None);
        mirror.catch_up().unwrap();
        let [_, old] = pieces(&root);
        steps.push(old);
    }
    drop(mirror);
    let [.., before, last] = &steps[..] else { panic!("{steps:?}") };
    // Room for the pieces that the last change expired, and a little more.
    let newest: BTreeSet<String> = last.difference(before).cloned().collect();
    let retention = Retention { bytes: bytes(&newest) + 1, ..KEEP };
    let locked = Tree::at(&root).lock().unwrap().unwrap();
    let mut mirror = TreePublisher::new(world.sources(), TreeSettings::default(), locked, retention);
    mirror.catch_up().unwrap();
    mirror.expire().unwrap();
    assert_eq!(pieces(&root)[1], newest);
    // The limit also holds after each change.
    for minor in 6..20 {
        world.publish("global", 1, (minor, false), None);
        mirror.catch_up().unwrap();
        mirror.expire().unwrap();
        let [_, old] = pieces(&root);
        assert!(bytes(&old) <= retention.bytes, "{minor}: {} of {}", bytes(&old), retention.bytes);
    }
}

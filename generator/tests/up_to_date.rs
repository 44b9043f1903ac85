//! A tree knows whether it is up to date.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod world;

use generator::settings::TreeSettings;
use world::{Change, Step, World};

#[test]
fn up_to_date_revision_needs_a_complete_current_tree() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("public");
    let world = World::new();
    let settings = TreeSettings::default();
    world.publish("team1", 1, (0, false), None);
    assert_eq!(world.mirror(&root, &settings).up_to_date_revision(), None, "there is none yet");
    world.mirror(&root, &settings).catch_up().unwrap();
    let revision = world.sources().public.read().revision();
    assert_eq!(world.mirror(&root, &settings).up_to_date_revision(), Some(revision));

    let deeper = TreeSettings { list_depth: settings.list_depth + 1, ..settings.clone() };
    assert_eq!(world.mirror(&root, &deeper).up_to_date_revision(), None, "other settings");
    world.publish("team1", 2, (0, false), None);
    let mut mirror = world.mirror(&root, &settings);
    assert_eq!(mirror.up_to_date_revision(), None, "a row is missing");
    let revision = mirror.catch_up().unwrap();
    assert_eq!(mirror.up_to_date_revision(), Some(revision));
    world.change(&"team1--s1".parse().unwrap(), &Change::Star);
    world.step(&Step::Tick);
    assert_eq!(mirror.up_to_date_revision(), None, "counters are missing");
    mirror.catch_up().unwrap();
    assert_eq!(mirror.up_to_date_revision(), Some(revision));

    drop(mirror);
    std::fs::remove_file(root.join("api/v1/mirror/head.json")).unwrap();
    assert_eq!(world.mirror(&root, &settings).up_to_date_revision(), None, "no head");
    world.mirror(&root, &settings).catch_up().unwrap();
    assert_eq!(world.mirror(&root, &settings).up_to_date_revision(), Some(revision));

    let cursor = folder.path().join("public.state/cursor.json");
    let of_another_boot = || {
        let mut stored: serde_json::Value = serde_json::from_slice(&std::fs::read(&cursor).unwrap()).unwrap();
        stored["boot"] = "another".into();
        std::fs::write(&cursor, stored.to_string()).unwrap();
    };
    of_another_boot();
    assert_eq!(world.mirror(&root, &settings).up_to_date_revision(), None, "what was not synced may be lost");
    let mut mirror = world.mirror(&root, &settings);
    mirror.catch_up().unwrap();
    mirror.persist().unwrap();
    drop(mirror);
    of_another_boot();
    assert_eq!(
        world.mirror(&root, &settings).up_to_date_revision(),
        Some(revision),
        "synced before another boot"
    );

    std::fs::remove_file(root.join(".well-known/registry.json")).unwrap();
    assert_eq!(world.mirror(&root, &settings).up_to_date_revision(), None, "part of it was removed");
    std::fs::remove_dir_all(&root).unwrap();
    assert_eq!(world.mirror(&root, &settings).up_to_date_revision(), None, "no tree");
}

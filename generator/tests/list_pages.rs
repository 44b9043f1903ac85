//! Lists that get shorter, and pages that come and go.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod world;

use std::ops::RangeInclusive;
use std::path::Path;

use generator::settings::TreeSettings;
use registry::names::Coordinate;
use registry::ops::namespaces::NamespaceChanges;
use registry::public::NamespaceStatus;
use world::{Change, World, files};

#[test]
fn list_that_shrinks_by_pages_keeps_none_of_them() {
    for list_depth in [0, 10] {
        let folder = tempfile::tempdir().unwrap();
        let settings = TreeSettings { list_depth, ..TreeSettings::default() };
        let world = World::new();
        for slug in 0..70 {
            world.publish("team1", slug, (0, false), None);
        }
        let mut mirror = world.mirror(&folder.path().join("kept"), &settings);
        mirror.catch_up().unwrap();
        for slug in 3..70 {
            world.change(&format!("team1--s{slug}").parse().unwrap(), &Change::Remove);
        }
        mirror.catch_up().unwrap();
        world.mirror(&folder.path().join("rebuilt"), &settings).generate().unwrap();
        assert_eq!(files(&folder.path().join("kept")), files(&folder.path().join("rebuilt")), "{list_depth}");
    }
}

/// Pages are divided when they have too many skills, and brought together when they have few.
#[test]
fn namespace_pages_follow_added_and_removed_skills() {
    let folder = tempfile::tempdir().unwrap();
    let settings = TreeSettings::default();
    let world = World::new();
    let publish = |slugs: RangeInclusive<u8>| {
        slugs.for_each(|slug| world.publish("team1", slug, (0, false), None));
    };
    let change = |slugs: RangeInclusive<u8>, change: &Change| {
        for slug in slugs {
            let slug = format!("s{slug}").parse().unwrap();
            world.change(&Coordinate::new("team1".parse().unwrap(), slug), change);
        }
    };
    // Three pages, by slug.
    publish(100..=249);
    let mut mirror = world.mirror(&folder.path().join("kept"), &settings);
    let mut step = 0;
    let mut compare = |skills: usize| {
        mirror.catch_up().unwrap();
        step += 1;
        let rebuilt = folder.path().join(format!("rebuilt-{step}"));
        world.mirror(&rebuilt, &settings).generate().unwrap();
        let pages = |folder: &Path| {
            let mut files = files(folder);
            files.retain(|file, _| file.starts_with("team1/") && file.ends_with(".html"));
            files
        };
        assert!(pages(&rebuilt).len() > skills, "each has a page, and their lists have");
        assert_eq!(pages(&folder.path().join("kept")), pages(&rebuilt), "{step}");
    };
    compare(150);
    publish(250..=250);
    compare(151);
    change(250..=250, &Change::Remove);
    compare(150);
    // The skills are at different positions.
    publish(1..=50);
    compare(200);
    change(250..=250, &Change::Restore);
    compare(201);
    change(50..=50, &Change::Remove);
    compare(200);
    change(99..=220, &Change::Remove);
    compare(79);
    change(50..=220, &Change::Restore);
    compare(201);
    world.update("team1", NamespaceChanges { status: Some(NamespaceStatus::Archived), ..Default::default() });
    compare(201);
}

/// A killed process has written the last of a list's new pages, but not those before it.
#[test]
fn page_after_a_gap_is_removed_too() {
    let folder = tempfile::tempdir().unwrap();
    let (root, settings, world) = (folder.path().join("public"), TreeSettings::default(), World::new());
    (0..150).for_each(|slug| world.publish("team1", slug, (0, false), None));
    let mut mirror = world.mirror(&root, &settings);
    mirror.catch_up().unwrap();
    for stray in ["api/v1/skills/_list/team1/updated-10.json", "team1/_s10/index.html"] {
        std::fs::create_dir_all(root.join(stray).parent().unwrap()).unwrap();
        std::fs::write(root.join(stray), "{}").unwrap();
    }
    for slug in 3..150 {
        world.change(&format!("team1--s{slug}").parse().unwrap(), &Change::Remove);
    }
    mirror.catch_up().unwrap();
    world.mirror(&folder.path().join("rebuilt"), &settings).generate().unwrap();
    assert_eq!(files(&root), files(&folder.path().join("rebuilt")));
}

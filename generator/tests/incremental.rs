//! An incremental tree equals a full regeneration, whatever happened.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod world;

use std::ops::RangeInclusive;
use std::path::Path;

use generator::address::{Stage, exists, for_each, locate};
use generator::render::View;
use generator::settings::TreeSettings;
use generator::tree::{Fault, Tree, verify};
use proptest::prelude::*;
use registry::names::Coordinate;
use registry::ops::update_namespace::UpdateNamespace;
use registry::public::NamespaceStatus;
use world::{Change, Complete, Step, World, files, step};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn incremental_equals_generated(steps in proptest::collection::vec(step(), 1..90), list_depth in 0..=4u64, gzip in any::<bool>(), crowded in proptest::bool::weighted(0.2)) {
        let folder = tempfile::tempdir().unwrap();
        let settings = TreeSettings { list_depth, gzip, ..Default::default() };
        let world = World::new();
        if crowded {
            // So that what comes or goes moves others from one page to the next.
            (100..163).for_each(|slug| world.publish("team1", slug, (0, false), None));
        }
        let kept = folder.path().join("kept");
        let mut mirror = world.mirror(&kept, &settings);
        mirror.complete();
        for step in &steps {
            world.step(step);
            if matches!(step, Step::Look) {
                mirror.catch_up().unwrap();
            }
        }
        mirror.complete();
        let anew = folder.path().join("anew");
        world.mirror(&anew, &settings).generate().unwrap();
        prop_assert_eq!(files(&kept), files(&anew));

        let basis = world.basis();
        let catalog = basis.public.read();
        let view = View { catalog: &catalog, search: &basis.search, store: &*basis.store, settings: &settings };
        prop_assert_eq!(verify(mirror.tree(), view).unwrap(), vec![]);
        // The book, its inverse and the question what exists agree.
        let mut listed = 0;
        for stage in Stage::ALL {
            for_each(view, stage, &mut |document| {
                listed += 1;
                assert!(exists(view, &document), "{document:?}");
                assert_eq!(document.stage(), stage, "{document:?}");
                assert_eq!(locate(&format!("/{}", document.file().unwrap()), "").unwrap(), Some(document));
                Ok::<_, ()>(())
            }).unwrap();
        }
        let plain = files(&kept).keys().filter(|file| !file.ends_with(".gz")).count();
        prop_assert_eq!(listed, plain);
    }
}

#[test]
fn damage_is_named_and_mended() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("public");
    let world = World::new();
    let settings = TreeSettings::default();
    world.publish("global", 1, (0, false), None);
    let mut mirror = world.mirror(&root, &settings);
    mirror.complete();
    let whole = files(&root);

    let package = "api/v1/skills/global/s1/versions/1.0.0/download.zip";
    std::fs::write(root.join("api/v1/skills.json"), "{}").unwrap();
    std::fs::write(root.join(package), "PK").unwrap();
    std::fs::write(root.join("api/v1/skills/stranger.json"), "{}").unwrap();
    std::fs::create_dir_all(root.join("empty/folder")).unwrap();
    std::fs::create_dir_all(root.join("deep/er")).unwrap();
    std::fs::write(root.join("deep/er/alone"), "x").unwrap();
    std::fs::remove_file(root.join("api/v1/mirror/settings.json")).unwrap();
    std::fs::remove_file(root.join("api/v1/skills/global/s1.json")).unwrap();
    std::fs::create_dir(root.join("api/v1/skills/global/s1.json")).unwrap();

    let faults = |tree: &Tree| {
        let basis = world.basis();
        let catalog = basis.public.read();
        let view =
            View { catalog: &catalog, search: &basis.search, store: &*basis.store, settings: &settings };
        verify(tree, view).unwrap()
    };
    let found = faults(mirror.tree());
    let fault = |file: &str| found.iter().find(|difference| difference.file == file).map(|d| d.fault);
    assert_eq!(fault("api/v1/skills.json"), Some(Fault::Differs));
    assert_eq!(fault(package), Some(Fault::Differs));
    assert_eq!(fault("api/v1/skills/stranger.json"), Some(Fault::Unexpected));
    assert_eq!(fault("deep/er/alone"), Some(Fault::Unexpected));
    assert_eq!(fault("empty/folder"), Some(Fault::Unexpected));
    assert_eq!(fault("api/v1/mirror/settings.json"), Some(Fault::Missing));
    assert_eq!(fault("api/v1/skills/global/s1.json"), Some(Fault::Differs));

    mirror.generate().unwrap();
    assert_eq!(faults(mirror.tree()), vec![]);
    assert_eq!(files(&root), whole);
}

#[test]
fn a_list_that_shrinks_by_pages_at_once_leaves_none_behind() {
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
        mirror.complete();
        world.mirror(&folder.path().join("anew"), &settings).generate().unwrap();
        assert_eq!(files(&folder.path().join("kept")), files(&folder.path().join("anew")), "{list_depth}");
    }
}

/// A new skill, or one that goes, changes few of many pages: what must follow is the link to
/// the next one, and what the last one says of a list that is cut.
#[test]
fn pages_of_a_namespace_follow_where_skills_come_and_go() {
    for list_depth in [0, 3, 4] {
        let folder = tempfile::tempdir().unwrap();
        let settings = TreeSettings { list_depth, ..Default::default() };
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
            mirror.complete();
            step += 1;
            let anew = folder.path().join(format!("anew-{step}"));
            world.mirror(&anew, &settings).generate().unwrap();
            let pages = |folder: &Path| {
                let mut files = files(folder);
                files.retain(|file, _| file.starts_with("team1/") && file.ends_with(".html"));
                files
            };
            assert!(pages(&anew).len() > skills, "each has a page, and their lists have");
            assert_eq!(pages(&folder.path().join("kept")), pages(&anew), "{list_depth} {step}");
        };
        compare(150);
        publish(250..=250);
        compare(151);
        change(250..=250, &Change::Remove);
        compare(150);
        // They stand at many places.
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
        world.update(
            "team1",
            &UpdateNamespace { status: Some(NamespaceStatus::Archived), ..Default::default() },
        );
        compare(201);
    }
}

#[test]
fn changes_during_a_sweep_are_in_the_tree_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let (settings, world) = (TreeSettings::default(), World::new());
    for slug in 0..60 {
        world.publish("team1", slug, (0, false), None);
    }
    let root = folder.path().join("kept");
    let mut mirror = world.mirror(&root, &settings);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for slug in 30..120 {
                world.publish("team2", slug, (1, false), Some(1));
                world.publish("team1", slug, (2, slug % 2 == 0), Some(0));
            }
        });
        while !writer.is_finished() {
            mirror.generate().unwrap();
            assert_refers_to_what_is_there(&root);
        }
    });
    mirror.complete();
    let anew = folder.path().join("anew");
    world.mirror(&anew, &settings).generate().unwrap();
    assert_eq!(files(&root), files(&anew));
}

/// Whatever the lists and skills of a tree name must be there.
fn assert_refers_to_what_is_there(root: &Path) {
    let read = |file: &str| -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(root.join(file)).unwrap()).unwrap()
    };
    for item in read("api/v1/skills.json")["items"].as_array().unwrap() {
        let [namespace, slug] = ["namespace", "slug"].map(|field| item[field].as_str().unwrap());
        let skill = format!("api/v1/skills/{namespace}/{slug}");
        for version in read(&format!("{skill}/versions.json"))["items"].as_array().unwrap() {
            let url = version["downloadUrl"].as_str().unwrap();
            assert!(root.join(format!("{}.zip", &url[1..])).exists(), "{url}");
        }
        assert!(root.join(format!("{skill}.json")).exists(), "{skill}");
    }
}

#[test]
fn a_folder_with_other_files_is_not_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("thesis.txt"), "precious").unwrap();
    let why = Tree::at(folder.path()).lock().unwrap_err().to_string();
    assert!(why.contains("no tree of ours"), "{why}");
    assert!(!folder.path().with_extension("state").exists());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Who serves a tree that says so does not look at it first.
#[test]
fn a_tree_knows_whether_it_holds_all_that_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("public");
    let world = World::new();
    let settings = TreeSettings::default();
    world.publish("team1", 1, (0, false), None);
    assert_eq!(world.mirror(&root, &settings).held(), None, "there is none yet");
    world.mirror(&root, &settings).complete();
    let revision = world.basis().public.read().revision();
    assert_eq!(world.mirror(&root, &settings).held(), Some(revision));

    let deeper = TreeSettings { list_depth: settings.list_depth + 1, ..settings.clone() };
    assert_eq!(world.mirror(&root, &deeper).held(), None, "other settings");
    world.publish("team1", 2, (0, false), None);
    let mut mirror = world.mirror(&root, &settings);
    assert_eq!(mirror.held(), None, "a row is missing");
    let revision = mirror.catch_up().unwrap();
    assert_eq!(mirror.held(), Some(revision));
    world.change(&"team1--s1".parse().unwrap(), &Change::Star);
    world.step(&Step::Tick);
    assert_eq!(mirror.held(), None, "counters are missing");
    mirror.catch_up().unwrap();
    assert_eq!(mirror.held(), Some(revision));

    drop(mirror);
    std::fs::remove_file(root.join("api/v1/mirror/head.json")).unwrap();
    assert_eq!(world.mirror(&root, &settings).held(), None, "no head");
    world.mirror(&root, &settings).catch_up().unwrap();
    assert_eq!(world.mirror(&root, &settings).held(), Some(revision));

    let cursor = folder.path().join("public.state/cursor.json");
    let of_this_boot = std::fs::read_to_string(&cursor).unwrap();
    let boot = of_this_boot.find("\"boot\"").unwrap();
    std::fs::write(&cursor, format!("{}\"boot\":\"another\"}}", &of_this_boot[..boot])).unwrap();
    assert_eq!(world.mirror(&root, &settings).held(), None, "what was not synced may be lost");
    let mut mirror = world.mirror(&root, &settings);
    mirror.catch_up().unwrap();
    mirror.persist().unwrap();
    drop(mirror);
    let synced = std::fs::read_to_string(&cursor).unwrap();
    std::fs::write(&cursor, format!("{}\"boot\":\"another\"}}", &synced[..synced.find("\"boot\"").unwrap()]))
        .unwrap();
    assert_eq!(world.mirror(&root, &settings).held(), Some(revision), "synced before another boot");

    std::fs::remove_file(root.join(".well-known/registry.json")).unwrap();
    assert_eq!(world.mirror(&root, &settings).held(), None, "part of it was removed");
    std::fs::remove_dir_all(&root).unwrap();
    assert_eq!(world.mirror(&root, &settings).held(), None, "no tree");
}

/// A killed process has left the last of a list's new pages and not those before it.
#[test]
fn a_page_behind_a_hole_goes_with_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let (root, settings, world) = (folder.path().join("public"), TreeSettings::default(), World::new());
    (0..150).for_each(|slug| world.publish("team1", slug, (0, false), None));
    let mut mirror = world.mirror(&root, &settings);
    mirror.complete();
    for stray in ["api/v1/skills/_list/team1/name/20/10.json", "team1/_page/9/index.html"] {
        std::fs::create_dir_all(root.join(stray).parent().unwrap()).unwrap();
        std::fs::write(root.join(stray), "{}").unwrap();
    }
    for slug in 3..150 {
        world.change(&format!("team1--s{slug}").parse().unwrap(), &Change::Remove);
    }
    mirror.complete();
    world.mirror(&folder.path().join("anew"), &settings).generate().unwrap();
    assert_eq!(files(&root), files(&folder.path().join("anew")));
}

#[test]
fn a_tree_of_another_boot_is_looked_at_again() {
    let folder = tempfile::tempdir().unwrap();
    let (root, settings, world) = (folder.path().join("public"), TreeSettings::default(), World::new());
    let cursor = folder.path().join("public.state/cursor.json");
    world.publish("global", 1, (0, false), None);
    world.mirror(&root, &settings).complete();
    let whole = files(&root);
    for durable in ["\"durable\":0", "\"durable\":1"] {
        // As a power loss leaves it: the cursor is there, files are empty.
        let text = std::fs::read_to_string(&cursor).unwrap();
        let boot = text.find("\"boot\"").unwrap();
        let text = format!("{}\"boot\":\"another\"}}", &text[..boot]).replace("\"durable\":0", durable);
        std::fs::write(&cursor, text).unwrap();
        std::fs::write(root.join("api/v1/skills/global/s1.json"), "").unwrap();
        for piece in whole.keys().filter(|file| file.ends_with(".bin")) {
            // Their lengths and times are there, and the bytes not.
            let length = std::fs::read(root.join(piece)).unwrap().len();
            std::fs::write(root.join(piece), vec![0; length]).unwrap();
            let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_600_000_000);
            std::fs::File::open(root.join(piece)).unwrap().set_modified(time).unwrap();
        }
        if durable.ends_with('0') {
            std::fs::write(root.join("api/v1/mirror/settings.json"), "").unwrap();
        }
        world.mirror(&root, &settings).complete();
        assert_eq!(files(&root), whole, "{durable}");
    }
}

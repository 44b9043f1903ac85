//! An incremental tree equals a rebuilt one, whatever happened.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod world;

use std::path::Path;

use generator::WorkProgress;
use generator::address::{documents, exists, locate, stages};
use generator::pages::{Site, SiteOptions};
use generator::render::RenderContext;
use generator::settings::TreeSettings;
use generator::tree::{Fault, Tree, verify};
use proptest::prelude::*;
use world::{Step, World, files, step, with_public_url};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn incremental_tree_equals_rebuilt_tree(steps in proptest::collection::vec(step(), 1..90), list_depth in 0..=4u64, (gzip, git) in any::<(bool, bool)>(), crowded in proptest::bool::weighted(0.2)) {
        let folder = tempfile::tempdir().unwrap();
        let about = git.then(|| "Our own *look*.".to_owned());
        let site = Site::new(&SiteOptions { about, ..SiteOptions::default() }).unwrap();
        let settings = TreeSettings { list_depth, gzip, git, site, ..with_public_url() };
        let world = World::new();
        if crowded {
            // Enough skills that new ones divide the page of their namespace.
            (100..200).for_each(|slug| world.publish("team1", slug, (0, false), None));
        }
        let kept = folder.path().join("kept");
        let mut mirror = world.mirror(&kept, &settings);
        mirror.catch_up().unwrap();
        for step in &steps {
            world.step(step);
            if matches!(step, Step::CatchUp) {
                mirror.catch_up().unwrap();
            }
        }
        mirror.catch_up().unwrap();
        let rebuilt = folder.path().join("rebuilt");
        world.mirror(&rebuilt, &settings).generate().unwrap();
        prop_assert_eq!(files(&kept), files(&rebuilt));

        let sources = world.sources();
        let catalog = sources.public.read();
        let context = RenderContext { catalog: &catalog, search: &sources.search, store: &*sources.store, settings: &settings, signing: &sources.signing };
        prop_assert_eq!(verify(mirror.tree(), context, &WorkProgress::default()).unwrap(), vec![]);
        // Listing, locating and existence of documents agree.
        let mut listed = 0;
        for stage in stages() {
            for document in documents(context, stage) {
                listed += 1;
                assert!(exists(context, &document), "{document:?}");
                assert_eq!(document.stage(), stage, "{document:?}");
                assert_eq!(locate(&format!("/{}", document.file().unwrap()), "").unwrap(), Some(document));
            }
        }
        let plain = files(&kept).keys().filter(|file| !file.ends_with(".gz")).count();
        prop_assert_eq!(listed, plain);
    }
}

#[test]
fn damage_is_reported_and_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("public");
    let world = World::new();
    let settings = TreeSettings::default();
    world.publish("global", 1, (0, false), None);
    let mut mirror = world.mirror(&root, &settings);
    mirror.catch_up().unwrap();
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
        let sources = world.sources();
        let catalog = sources.public.read();
        let context = RenderContext {
            catalog: &catalog,
            search: &sources.search,
            store: &*sources.store,
            settings: &settings,
            signing: &sources.signing,
        };
        verify(tree, context, &WorkProgress::default()).unwrap()
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
fn changes_during_a_rebuild_are_in_the_tree() {
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
            assert_no_dangling_references(&root);
        }
    });
    mirror.catch_up().unwrap();
    let rebuilt = folder.path().join("rebuilt");
    world.mirror(&rebuilt, &settings).generate().unwrap();
    assert_eq!(files(&root), files(&rebuilt));
}

/// Asserts that all files exist that lists and skills name.
fn assert_no_dangling_references(root: &Path) {
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
fn folder_with_other_files_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("thesis.txt"), "precious").unwrap();
    let why = Tree::at(folder.path()).lock().unwrap_err().to_string();
    assert!(why.contains("not from a registry's tree"), "{why}");
    assert!(!folder.path().with_extension("state").exists());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn tree_of_another_boot_is_checked_again() {
    let folder = tempfile::tempdir().unwrap();
    let (root, settings, world) = (folder.path().join("public"), TreeSettings::default(), World::new());
    let cursor = folder.path().join("public.state/cursor.json");
    world.publish("global", 1, (0, false), None);
    world.mirror(&root, &settings).catch_up().unwrap();
    let whole = files(&root);
    for durable in ["\"durable\":0", "\"durable\":1"] {
        // A power loss can keep the cursor and empty the files.
        let text = std::fs::read_to_string(&cursor).unwrap();
        let boot = text.find("\"boot\"").unwrap();
        let text = format!("{}\"boot\":\"another\"}}", &text[..boot]).replace("\"durable\":0", durable);
        std::fs::write(&cursor, text).unwrap();
        std::fs::write(root.join("api/v1/skills/global/s1.json"), "").unwrap();
        for piece in whole.keys().filter(|file| file.ends_with(".bin")) {
            // Same lengths and times, but other bytes.
            let length = std::fs::read(root.join(piece)).unwrap().len();
            std::fs::write(root.join(piece), vec![0; length]).unwrap();
            let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_600_000_000);
            std::fs::File::open(root.join(piece)).unwrap().set_modified(time).unwrap();
        }
        if durable.ends_with('0') {
            std::fs::write(root.join("api/v1/mirror/settings.json"), "").unwrap();
        }
        world.mirror(&root, &settings).catch_up().unwrap();
        assert_eq!(files(&root), whole, "{durable}");
    }
}

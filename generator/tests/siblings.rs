//! Which documents have gzip siblings, and that none is outdated.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod world;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::time::{Duration, SystemTime};

use generator::WorkProgress;
use generator::address::{Document, of_file};
use generator::render::RenderContext;
use generator::settings::TreeSettings;
use generator::tree::{Difference, Fault, Siblings, State, StateTime, Tree, verify, verify_file};
use world::{Change, World, files};

const FEED: &str = "api/v1/mirror/changes/1.json";
const VERSIONS: &str = "api/v1/skills/team1/s1/versions.json";

fn time(file: &Path) -> SystemTime {
    fs::metadata(file).unwrap().modified().unwrap()
}

fn is_list(file: &str) -> bool {
    of_file(file).is_some_and(|(document, _)| document.may_lag())
}

/// A world with a skill whose list of versions is longer than 16 KiB.
fn large() -> World {
    let world = World::new();
    for slug in 0..8 {
        world.publish("team1", slug, (0, false), None);
    }
    (1..60).for_each(|minor| world.publish("team1", 1, (minor, false), None));
    world
}

/// Asserts that exactly the documents over 16 KiB that are no lists have a sibling, with the same time and content.
fn assert_siblings(root: &Path) -> usize {
    let (mut plain, mut compressed) = (0, 0);
    for file in files(root).keys().filter(|file| !file.ends_with(".gz")) {
        let path = root.join(file);
        let (bytes, beside) = (fs::read(&path).unwrap(), root.join(format!("{file}.gz")));
        if bytes.len() <= 16 << 10
            || is_list(file)
            || [".zip", ".bin"].iter().any(|suffix| file.ends_with(suffix))
        {
            assert!(!beside.exists(), "{file} of {} bytes", bytes.len());
            continue;
        }
        plain += 1;
        let mut read = Vec::new();
        flate2::read::GzDecoder::new(File::open(&beside).unwrap()).read_to_end(&mut read).unwrap();
        assert!(read == bytes, "{file}");
        assert_eq!(time(&path), time(&beside), "{file}");
    }
    compressed += files(root).keys().filter(|file| file.ends_with(".gz")).count();
    assert_eq!(plain, compressed);
    compressed
}

fn faults(world: &World, tree: &Tree, settings: &TreeSettings) -> Vec<Difference> {
    let sources = world.sources();
    let catalog = sources.public.read();
    let context = RenderContext {
        catalog: &catalog,
        search: &sources.search,
        store: &*sources.store,
        settings,
        signing: &sources.signing,
    };
    let found = verify(tree, context, &WorkProgress::default()).unwrap();
    for Difference { file, fault } in &found {
        assert_eq!(verify_file(tree, context, file).unwrap(), Some(*fault), "{file}");
    }
    found
}

#[test]
fn document_over_16_kib_has_a_sibling_but_no_list_or_package() {
    let folder = tempfile::tempdir().unwrap();
    let (world, root) = (large(), folder.path().join("public"));
    let mut mirror = world.mirror(&root, &TreeSettings::default());
    mirror.catch_up().unwrap();
    assert!(assert_siblings(&root) > 3);
    for slug in 8..12 {
        world.publish("team1", slug, (1, false), Some(0));
        mirror.catch_up().unwrap();
        assert_siblings(&root);
    }
}

#[test]
fn sibling_goes_with_a_shrunk_or_removed_document() {
    let folder = tempfile::tempdir().unwrap();
    let (world, root) = (large(), folder.path().join("public"));
    let mut mirror = world.mirror(&root, &TreeSettings::default());
    mirror.catch_up().unwrap();
    assert!(root.join(format!("{VERSIONS}.gz")).exists());
    world.change(&"team1--s1".parse().unwrap(), &Change::Remove);
    mirror.catch_up().unwrap();
    assert!(!root.join(format!("{VERSIONS}.gz")).exists());
    assert_siblings(&root);
    assert_eq!(faults(&world, mirror.tree(), &TreeSettings::default()), vec![]);
}

#[test]
fn next_update_repairs_what_a_killed_one_left() {
    let folder = tempfile::tempdir().unwrap();
    type Harm = fn(&Path);
    let harms: [(&str, Harm); 5] = [
        ("gone", |gz| fs::remove_file(gz).unwrap()),
        ("older", |gz| {
            fs::write(gz, "old").unwrap();
            File::options().write(true).open(gz).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }),
        ("newer", |gz| {
            let next = time(gz) + Duration::from_secs(1);
            fs::write(gz, "new").unwrap();
            File::options().write(true).open(gz).unwrap().set_modified(next).unwrap();
        }),
        ("a folder", |gz| {
            fs::remove_file(gz).unwrap();
            fs::create_dir_all(gz.join("of/folders")).unwrap();
        }),
        ("of a document in a folder", |gz| {
            let file = gz.with_extension("");
            fs::remove_file(&file).unwrap();
            fs::create_dir_all(file.join("of/folders")).unwrap();
        }),
    ];
    let (old, new) = ("old".repeat(6000), "new".repeat(6000));
    for (name, harm) in harms {
        for then in [&old, &new] {
            let root = folder.path().join(name).join(&then[..3]);
            let tree = Tree::at(&root).lock().unwrap().unwrap();
            let put = |text: &str, at, siblings| {
                let at = StateTime::of(State { revision: at, counters: 0 }, 0);
                tree.put_bytes(&Document::Feed(1), text.as_bytes(), at, siblings).unwrap()
            };
            assert!(put(&old, 3, Siblings::Timed));
            assert!(!put(&old, 4, Siblings::Timed) && !put(&old, 4, Siblings::Compared));
            harm(&root.join(format!("{FEED}.gz")));
            assert!(put(then, 5, Siblings::Timed), "{name}");
            assert_siblings(&root);
            assert_eq!(fs::read_to_string(root.join(FEED)).unwrap(), **then, "{name}");
            assert!(!put(then, 6, Siblings::Compared), "{name}");
            assert!(put("short", 7, Siblings::Timed) && assert_siblings(&root) == 0);
            assert!(put(then, 8, Siblings::Timed) && tree.remove(&Document::Feed(1)).unwrap());
            assert_eq!(files(&root).len(), 0);
        }
    }
}

#[test]
fn damaged_sibling_is_reported_and_repaired_by_a_rebuild() {
    let folder = tempfile::tempdir().unwrap();
    let (world, root, settings) = (large(), folder.path().join("public"), TreeSettings::default());
    let mut mirror = world.mirror(&root, &settings);
    mirror.catch_up().unwrap();
    let whole = files(&root);
    let gz: Vec<_> = whole.keys().filter(|file| file.ends_with(".gz")).collect();
    let [damaged, missing, superfluous] = [gz[0], gz[1], "api/v1/mirror/settings.json.gz"];
    // Only the bytes differ; length and time stay.
    let path = root.join(damaged);
    let (mut bytes, kept) = (fs::read(&path).unwrap(), time(&path));
    bytes[12] ^= 1;
    fs::write(&path, bytes).unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(kept).unwrap();
    fs::remove_file(root.join(missing)).unwrap();
    fs::write(root.join(superfluous), "x").unwrap();
    fs::write(root.join("api/v1/skills/team1/nobody.json.gz"), "x").unwrap();
    let package = "api/v1/skills/team1/s1/versions/1.0.0/download.zip.gz";
    fs::write(root.join(package), "x").unwrap();

    let found = faults(&world, mirror.tree(), &settings);
    let fault = |file: &str| found.iter().find(|difference| difference.file == file).map(|d| d.fault);
    assert_eq!(fault(damaged), Some(Fault::Differs));
    assert_eq!(fault(missing), Some(Fault::Missing));
    for file in [superfluous, "api/v1/skills/team1/nobody.json.gz", package] {
        assert_eq!(fault(file), Some(Fault::Unexpected), "{file}");
    }
    assert_eq!(found.len(), 5);
    mirror.generate().unwrap();
    assert_eq!(files(&root), whole);
    assert_siblings(&root);
}

#[test]
fn siblings_follow_the_gzip_setting() {
    let folder = tempfile::tempdir().unwrap();
    let (world, root) = (large(), folder.path().join("public"));
    let (on, off) = (TreeSettings::default(), TreeSettings { gzip: false, ..Default::default() });
    world.mirror(&root, &on).catch_up().unwrap();
    let whole = files(&root);
    world.mirror(&root, &off).catch_up().unwrap();
    assert_eq!(files(&root).keys().filter(|file| file.ends_with(".gz")).count(), 0);
    let tree = Tree::at(&root);
    assert_eq!(faults(&world, &tree, &off), vec![]);
    assert!(faults(&world, &tree, &on).iter().any(|difference| difference.fault == Fault::Missing));
    world.mirror(&root, &on).catch_up().unwrap();
    assert_eq!(files(&root), whole);
    assert_siblings(&root);
}

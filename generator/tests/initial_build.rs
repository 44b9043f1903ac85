//! The first tree is built out of sight: readers see nothing of it or all.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod world;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use generator::address::Document;
use generator::settings::TreeSettings;
use generator::tree::{LockedTree, Siblings, State, StateTime, Tree, TreeObserver, Written};
use generator::{Sources, TreeError, TreePublisher};
use registry::journal::{
    BlobReader, BlobSource, Epoch, JournalError, PublicRow, PublicRows, PublicStore, Revision,
};
use registry::names::Digest;
use world::{KEEP, World, files};

fn settings() -> TreeSettings {
    TreeSettings::default()
}

/// A store that may lack blobs, and calls a function for each.
struct Odd<F> {
    store: Arc<dyn PublicStore>,
    blob: F,
}

impl<F: Send + Sync> PublicRows for Odd<F> {
    fn epoch(&self) -> Result<Epoch, JournalError> {
        self.store.epoch()
    }

    fn public_since(&self, after: Revision, limit: usize) -> Result<Vec<PublicRow>, JournalError> {
        self.store.public_since(after, limit)
    }

    fn public_row(&self, revision: Revision) -> Result<Option<PublicRow>, JournalError> {
        self.store.public_row(revision)
    }
}

impl<F: Fn(Digest) -> bool + Send + Sync> BlobSource for Odd<F> {
    fn open_blob(&self, digest: Digest) -> Result<Option<Box<dyn BlobReader>>, JournalError> {
        if (self.blob)(digest) { self.store.open_blob(digest) } else { Ok(None) }
    }
}

fn mirror(
    world: &World,
    root: &Path,
    blob: impl Fn(Digest) -> bool + Send + Sync + 'static,
) -> TreePublisher {
    mirror_of(world, Tree::at(root).lock().unwrap().unwrap(), blob)
}

fn mirror_of(
    world: &World,
    tree: LockedTree,
    blob: impl Fn(Digest) -> bool + Send + Sync + 'static,
) -> TreePublisher {
    let store = Arc::new(Odd { store: world.registry.store(), blob });
    TreePublisher::new(Sources { store, ..world.sources() }, settings(), tree, KEEP)
}

fn world_of(skills: u8) -> World {
    let world = World::new();
    for slug in 0..skills {
        world.publish("team1", slug, (0, false), Some(0));
    }
    world
}

fn in_state(root: &Path) -> Vec<String> {
    files(&root.with_extension("state")).into_keys().collect()
}

#[test]
fn first_tree_is_invisible_until_complete() {
    let folder = tempfile::tempdir().unwrap();
    let (world, root) = (world_of(40), folder.path().join("public"));
    let (watched, looks) = (root.clone(), Arc::new(AtomicU64::new(0)));
    let count = Arc::clone(&looks);
    // An existing folder stays the same one, because it may be a mount.
    fs::create_dir(&root).unwrap();
    let held = fs::File::open(&root).unwrap();
    mirror(&world, &root, move |_| {
        assert_eq!(fs::read_dir(&watched).unwrap().count(), 0);
        count.fetch_add(1, Ordering::SeqCst);
        true
    })
    .catch_up()
    .unwrap();
    assert!(looks.load(Ordering::SeqCst) >= 40);
    assert_eq!(in_state(&root), ["changes", "cursor.json", "lock"]);
    let node = |meta: fs::Metadata| std::os::unix::fs::MetadataExt::ino(&meta);
    assert_eq!(node(held.metadata().unwrap()), node(fs::metadata(&root).unwrap()));

    // A rebuild in place makes the same tree.
    let swept = folder.path().join("swept");
    let tree = Tree::at(&swept).lock().unwrap().unwrap();
    let at = StateTime::of(State::default(), 0);
    tree.put_bytes(&Document::Discovery, b"{}", at, Siblings::None).unwrap();
    drop(tree);
    world.mirror(&swept, &settings()).catch_up().unwrap();
    assert_eq!(files(&root), files(&swept));
    let time = |root: &Path, file: &str| fs::metadata(root.join(file)).unwrap().modified().unwrap();
    for file in files(&root).keys().filter(|file| !file.starts_with(".well-known/")) {
        assert_eq!(time(&root, file), time(&swept, file), "{file}");
    }
}

#[test]
fn staging_tree_of_a_killed_process_is_cleared() {
    let folder = tempfile::tempdir().unwrap();
    let (world, root) = (world_of(3), folder.path().join("public"));
    let tree = Tree::at(&root).lock().unwrap().unwrap();
    let begun = tree.staging().unwrap().unwrap();
    let at = StateTime::of(State { revision: 1, counters: 0 }, 0);
    begun.put_bytes(&Document::Feed(1), &[b'x'; 20_000], at, Siblings::Compared).unwrap();
    assert!(in_state(&root).iter().any(|file| file.ends_with("changes/1.json.gz")));
    assert_eq!(files(&root).len(), 0);
    drop((tree, begun));
    let mut mirror = world.mirror(&root, &settings());
    assert_eq!(in_state(&root), ["lock"]);
    mirror.catch_up().unwrap();
    assert_eq!(in_state(&root), ["changes", "cursor.json", "lock"]);
    let rebuilt = folder.path().join("rebuilt");
    world.mirror(&rebuilt, &settings()).catch_up().unwrap();
    assert_eq!(files(&root), files(&rebuilt));
}

#[test]
fn failed_document_blocks_checkpoint_and_head() {
    let folder = tempfile::tempdir().unwrap();
    let (world, root) = (world_of(40), folder.path().join("public"));
    let is_broken = Arc::new(AtomicBool::new(true));
    let broken = Arc::clone(&is_broken);
    // About every fourth package is missing.
    let has = |digest: Digest| !digest.to_string().starts_with(['0', '1', '2', '3']);
    let mut mirror = mirror(&world, &root, move |digest| has(digest) || !broken.load(Ordering::SeqCst));
    let failed = mirror.catch_up().unwrap_err();
    assert!(matches!(failed, TreeError::Files(_)), "{failed}");
    let before = files(&root);
    // The cursor says that the tree is unfinished.
    assert_eq!(in_state(&root), ["changes", "cursor.json", "lock"]);
    is_broken.store(false, Ordering::SeqCst);
    mirror.catch_up().unwrap();
    let rebuilt = folder.path().join("rebuilt");
    world.mirror(&rebuilt, &settings()).catch_up().unwrap();
    let whole = files(&root);
    assert_eq!(whole, files(&rebuilt));
    let missing: Vec<_> = whole.keys().filter(|file| !before.contains_key(*file)).collect();
    let (packages, others): (Vec<&String>, Vec<_>) = missing.iter().partition(|file| file.ends_with(".zip"));
    // A page needs its package.
    let (pages, others): (Vec<&String>, Vec<_>) = others.iter().partition(|file| file.starts_with("team1/"));
    let package = |page: &str| match *page.split('/').collect::<Vec<_>>() {
        [namespace, slug, version, _] => {
            format!("api/v1/skills/{namespace}/{slug}/versions/{version}/download.zip")
        }
        [namespace, slug, _] => format!("api/v1/skills/{namespace}/{slug}/download.zip"),
        _ => panic!("{page}"),
    };
    assert!(pages.iter().all(|page| missing.contains(&&package(page))) && !pages.is_empty(), "{pages:?}");
    assert_eq!(others, ["api/v1/log/checkpoint", "api/v1/mirror/head.json"]);
    assert!(packages.iter().all(|file| !has(whole[*file])) && packages.len() > 4);
}

#[test]
fn changes_during_the_first_build_are_in_the_tree() {
    let folder = tempfile::tempdir().unwrap();
    let (world, root) = (Arc::new(world_of(40)), folder.path().join("public"));
    let (writing, done) = (Arc::clone(&world), AtomicU64::new(0));
    let seen = Arc::new(Seen { root: root.clone(), lists: AtomicU64::new(0) });
    let tree =
        Tree::at(&root).lock().unwrap().unwrap().with_observer(Arc::clone(&seen) as Arc<dyn TreeObserver>);
    // A version of a skill that may be written already, and a new skill.
    mirror_of(&world, tree, move |_| {
        let number = done.fetch_add(1, Ordering::SeqCst);
        if number.is_multiple_of(8) && number < 40 {
            writing.publish("team1", (number % 40) as u8, (1, false), Some(0));
            writing.publish("team2", number as u8, (0, true), None);
            let gone = format!("team1--s{}", number + 1).parse().unwrap();
            writing.change(&gone, &world::Change::Remove);
        }
        true
    })
    .catch_up()
    .unwrap();
    let rebuilt = folder.path().join("rebuilt");
    world.mirror(&rebuilt, &settings()).catch_up().unwrap();
    assert_eq!(files(&root), files(&rebuilt));
    assert!(files(&root).keys().any(|file| file.contains("/team2/s32/")));
    assert_eq!(seen.lists.load(Ordering::SeqCst), 1);
}

/// Checks a tree right after it is in place, when it has no head yet.
#[derive(Debug)]
struct Seen {
    root: PathBuf,
    lists: AtomicU64,
}

impl TreeObserver for Seen {
    fn stored(&self, _: &Document) {}

    fn replaced(&self, _: &Document, _: Written<'_>) {}

    fn removed(&self, _: &Document) {}

    fn invalidated(&self) {
        let read = |file: &str| -> serde_json::Value {
            serde_json::from_slice(&fs::read(self.root.join(file)).unwrap()).unwrap()
        };
        if !self.root.join("api").exists() {
            return;
        }
        self.lists.fetch_add(1, Ordering::SeqCst);
        assert!(!self.root.join("api/v1/mirror/head.json").exists());
        for item in read("api/v1/skills.json")["items"].as_array().unwrap() {
            let [namespace, slug] = ["namespace", "slug"].map(|field| item[field].as_str().unwrap());
            let skill = format!("api/v1/skills/{namespace}/{slug}");
            assert_eq!(read(&format!("{skill}.json"))["version"], item["version"], "{skill}");
            let package = read(&format!("{skill}/resolve.json"))["downloadUrl"].as_str().unwrap().to_owned();
            assert!(self.root.join(format!("{}.zip", &package[1..])).exists(), "{package}");
        }
    }
}

/// Counts the reported changes.
#[derive(Debug, Default)]
struct Counter {
    documents: AtomicU64,
    invalidated: AtomicU64,
}

impl TreeObserver for Counter {
    fn stored(&self, _: &Document) {}

    fn replaced(&self, _: &Document, _: Written<'_>) {
        self.documents.fetch_add(1, Ordering::SeqCst);
    }

    fn removed(&self, _: &Document) {}

    fn invalidated(&self) {
        self.invalidated.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn observer_hears_only_of_documents_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let (world, root) = (world_of(3), folder.path().join("public"));
    let observer = Arc::new(Counter::default());
    let tree = Tree::at(&root)
        .lock()
        .unwrap()
        .unwrap()
        .with_observer(Arc::clone(&observer) as Arc<dyn TreeObserver>);
    let mut mirror = TreePublisher::new(world.sources(), settings(), tree, KEEP);
    mirror.catch_up().unwrap();
    // Only checkpoint and head are reported; everything before them as one invalidation.
    assert_eq!(observer.documents.load(Ordering::SeqCst), 2);
    assert_eq!(observer.invalidated.load(Ordering::SeqCst), 2);
}

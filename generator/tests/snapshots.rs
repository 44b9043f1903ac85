//! Snapshots of a tree that changes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod world;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use generator::TreePublisher;
use generator::address::Document;
use generator::snapshot::{SnapshotError, write};
use generator::tree::{Tree, TreeObserver, Written};
use world::{Change, KEEP, Step, World, with_public_url};

/// Asserts that the tree says that it changes whenever a file is written or removed.
#[derive(Debug)]
struct Watcher {
    tree: Tree,
    writes: AtomicUsize,
}

impl Watcher {
    fn check(&self, document: &Document) {
        // Expired pieces belong to no state.
        if !matches!(document, Document::SearchPiece(_)) {
            assert_eq!(self.tree.completed_changes(), None, "{document:?}");
            self.writes.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl TreeObserver for Watcher {
    fn replaced(&self, document: &Document, _: Written<'_>) {
        self.check(document);
    }

    fn stored(&self, document: &Document) {
        self.check(document);
    }

    fn removed(&self, document: &Document) {
        self.check(document);
    }

    fn invalidated(&self) {}
}

fn watched(root: &Path) -> (World, Arc<Watcher>, TreePublisher) {
    let (world, tree) = (World::new(), Tree::at(root));
    let watcher = Arc::new(Watcher { tree: tree.clone(), writes: AtomicUsize::new(0) });
    let locked = tree.lock().unwrap().unwrap().with_observer(Arc::clone(&watcher) as Arc<dyn TreeObserver>);
    let publisher = TreePublisher::new(world.sources(), with_public_url(), locked, KEEP);
    (world, watcher, publisher)
}

/// The bytes of a snapshot. `None` if the tree has changed.
fn snapshot(tree: &Tree, between: &mut dyn FnMut()) -> Option<Vec<u8>> {
    match write(tree, Vec::new(), &mut |_, _| between()) {
        Ok((_, bytes)) => Some(bytes),
        Err(SnapshotError::Changed) => None,
        Err(why) => panic!("{why:?}"),
    }
}

#[test]
fn tree_says_that_it_changes_at_every_write() {
    let folder = tempfile::tempdir().unwrap();
    let (world, watcher, mut publisher) = watched(&folder.path().join("public"));
    publisher.generate().unwrap();
    for number in 0..4 {
        world.publish("team1", number, (0, false), Some(0));
        publisher.write_own_documents().unwrap();
        assert!(snapshot(&watcher.tree, &mut || {}).is_none(), "the lists are older");
        publisher.catch_up().unwrap();
        assert!(snapshot(&watcher.tree, &mut || {}).is_some());
    }
    world.change(&"team1--s1".parse().unwrap(), &Change::Remove);
    publisher.catch_up().unwrap();
    world.step(&Step::Tick);
    publisher.catch_up().unwrap();
    assert!(watcher.tree.completed_changes().is_some_and(|changes| changes > 0));
    assert!(watcher.writes.load(Ordering::Relaxed) > 100);
}

#[test]
fn change_of_a_killed_writer_is_completed_by_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("public");
    let (world, watcher, mut publisher) = watched(&root);
    publisher.generate().unwrap();
    world.publish("team1", 0, (0, false), None);
    publisher.write_own_documents().unwrap();
    drop(publisher);
    assert!(snapshot(&watcher.tree, &mut || {}).is_none());
    world.mirror(&root, &with_public_url()).catch_up().unwrap();
    assert!(snapshot(&watcher.tree, &mut || {}).is_some());
    // Nothing is left to do, but the last number was not written.
    std::fs::write(folder.path().join("public.state/changes"), "").unwrap();
    let mut publisher = world.mirror(&root, &with_public_url());
    assert_eq!(publisher.up_to_date_revision(), None);
    publisher.catch_up().unwrap();
    assert!(snapshot(&watcher.tree, &mut || {}).is_some());
}

#[test]
fn snapshot_has_one_state_or_fails() {
    let folder = tempfile::tempdir().unwrap();
    let (world, watcher, mut publisher) = watched(&folder.path().join("public"));
    for number in 0..3 {
        world.publish("team1", number, (0, false), None);
    }
    publisher.catch_up().unwrap();
    let mut files = 0;
    snapshot(&watcher.tree, &mut || files += 1).unwrap();
    let mut refused = 0;
    // The last file is the head, which every change replaces.
    for at in [1, 2, files / 3, files / 2, files - 1, files] {
        let before = snapshot(&watcher.tree, &mut || {}).unwrap();
        let mut count = 0;
        let during = snapshot(&watcher.tree, &mut || {
            count += 1;
            if count == at {
                world.publish("team2", at as u8, (0, false), None);
                publisher.catch_up().unwrap();
            }
        });
        assert!(during.as_ref().is_none_or(|during| *during == before));
        refused += usize::from(during.is_none());
    }
    assert!(refused >= 4, "{refused}");
}

//! Two servers of one registry, with a tree each, whose bucket one of them writes.

use std::sync::Arc;

use bucket::upload::{Changes, Engine, Round};
use bucket::{KeyStyle, Target};
use bytes::Bytes;
use futures_util::FutureExt;
use generator::TreePublisher;
use generator::tree::{Tree, TreeObserver};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use tokio::runtime::Runtime;

use crate::store::{CheckedStore, claim, expected, settings, tree_settings};
use crate::world::{KEEP, World};

/// The key of the head.
const HEAD: &str = "api/v1/mirror/head.json";

/// A server with a tree of its own.
struct Server {
    publisher: TreePublisher,
    tree: Tree,
    changes: Arc<Changes>,
    engine: Engine,
}

impl Server {
    fn new(world: &World, folder: &std::path::Path, store: &Arc<CheckedStore>) -> Self {
        let (tree, changes) = (Tree::at(folder), Arc::new(Changes::default()));
        let locked = tree.lock().unwrap().unwrap();
        let locked = locked.with_observer(Arc::clone(&changes) as Arc<dyn TreeObserver>);
        let mut publisher = TreePublisher::new(world.sources(), tree_settings(), locked, KEEP);
        publisher.catch_up().unwrap();
        let engine = engine(world, &tree, store, &changes);
        Self { publisher, tree, changes, engine }
    }
}

fn engine(world: &World, tree: &Tree, store: &Arc<CheckedStore>, changes: &Arc<Changes>) -> Engine {
    let store = Arc::clone(store) as Arc<dyn ObjectStore>;
    let target = Target::of(store, &settings(KeyStyle::Paths)).unwrap().shared();
    Engine::new(target, tree.clone(), claim(world), Arc::clone(changes), Arc::default()).unwrap()
}

/// Two servers of one registry.
struct Pair {
    world: World,
    store: Arc<CheckedStore>,
    one: Server,
    two: Server,
    runtime: Runtime,
    _folder: tempfile::TempDir,
}

impl Pair {
    fn new() -> Self {
        let (world, folder) = (World::new(), tempfile::tempdir().unwrap());
        world.publish("team1", 0, (0, false), Some(0));
        let store = CheckedStore::new(&tree_settings());
        let one = Server::new(&world, &folder.path().join("one"), &store);
        let two = Server::new(&world, &folder.path().join("two"), &store);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Self { world, store, one, two, runtime, _folder: folder }
    }

    /// Publishes a skill, which both trees show.
    fn publish(&mut self, number: u8) {
        self.world.publish("team2", number, (0, false), None);
        self.one.publisher.catch_up().unwrap();
        self.two.publisher.catch_up().unwrap();
    }

    /// Runs one of the servers until it has nothing to do.
    fn settle(runtime: &Runtime, server: &mut Server) -> Round {
        loop {
            match runtime.block_on(server.engine.round()).unwrap() {
                Round::Worked => {}
                end => return end,
            }
        }
    }

    fn settle_one(&mut self) -> Round {
        Self::settle(&self.runtime, &mut self.one)
    }

    fn settle_two(&mut self) -> Round {
        Self::settle(&self.runtime, &mut self.two)
    }

    fn objects(&self) -> std::collections::BTreeMap<String, Bytes> {
        assert_eq!(*self.store.violation.lock(), None);
        self.runtime.block_on(self.store.objects())
    }
}

#[test]
fn waiting_server_writes_nothing_and_takes_over_when_the_writer_ends() {
    let mut pair = Pair::new();
    assert_eq!(pair.settle_one(), Round::UpToDate);
    assert_eq!(pair.settle_two(), Round::Standby);
    let objects = pair.objects();
    pair.publish(1);
    assert!(!pair.two.changes.is_empty());
    assert_eq!(pair.settle_two(), Round::Standby);
    // Nothing grows while it waits.
    assert_eq!(pair.two.changes.len(), 0);
    assert_eq!(pair.objects(), objects);
    assert!(pair.one.engine.is_writer() && !pair.two.engine.is_writer());
    pair.runtime.block_on(pair.one.engine.end());
    assert_eq!(pair.settle_two(), Round::UpToDate);
    assert_eq!(pair.objects(), expected(&pair.two.tree));
    // And back.
    assert_eq!(pair.settle_one(), Round::Standby);
    pair.publish(2);
    pair.runtime.block_on(pair.two.engine.end());
    assert_eq!(pair.settle_one(), Round::UpToDate);
    assert_eq!(pair.objects(), expected(&pair.one.tree));
}

#[test]
fn killed_writer_starts_again_without_waiting() {
    let mut pair = Pair::new();
    pair.settle_one();
    pair.publish(1);
    pair.one.engine = engine(&pair.world, &pair.one.tree, &pair.store, &pair.one.changes);
    assert_eq!(pair.settle_one(), Round::UpToDate);
    assert_eq!(pair.settle_two(), Round::Standby);
    assert_eq!(pair.objects(), expected(&pair.one.tree));
}

#[test]
fn server_whose_tree_is_older_than_the_bucket_does_not_show_the_past() {
    let mut pair = Pair::new();
    pair.world.publish("team2", 1, (0, false), None);
    pair.one.publisher.catch_up().unwrap();
    pair.settle_one();
    let head = pair.objects()[HEAD].clone();
    pair.runtime.block_on(pair.one.engine.end());
    assert_eq!(pair.settle_two(), Round::Behind);
    assert_eq!(pair.objects()[HEAD], head);
    pair.two.publisher.catch_up().unwrap();
    assert_eq!(pair.settle_two(), Round::UpToDate);
    assert_eq!(pair.objects(), expected(&pair.two.tree));
}

/// A waiter looks, sleeps, and wakes up when others have taken its number and deleted it again.
#[test]
fn server_that_creates_an_old_number_is_no_writer() {
    let mut pair = Pair::new();
    pair.settle_one();
    pair.runtime.block_on(pair.one.engine.end());
    let store = Arc::clone(&pair.store);
    let number = |number: u64| format!(".skillmirror/writers/{number:020}");
    // The first three requests try the store, and one more its owner. The next one creates number 2.
    let (inner, other) = (Arc::clone(&store), Path::from(number(7)));
    pair.store.fail(move |request| {
        if request > 4 {
            let put = inner.inner.put(&other, "another 0\n".into());
            put.now_or_never().unwrap().unwrap();
        }
        None
    });
    assert_eq!(pair.settle_two(), Round::Standby);
    assert!(!pair.two.engine.is_writer());
    assert!(pair.runtime.block_on(store.inner.head(&number(2).as_str().into())).is_ok(), "it was created");
}

//! Two servers of one registry, with a tree each, whose bucket one of them writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bucket::upload::{Changes, Engine, Round};
use bucket::{KeyStyle, Target, TurnSource, UploadError};
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

/// The turn that a test gives to a server. 0: none.
#[derive(Debug, Default)]
struct GivenTurn(AtomicU64);

impl GivenTurn {
    fn give(&self, number: u64) {
        self.0.store(number, Ordering::SeqCst);
    }
}

impl TurnSource for GivenTurn {
    fn number(&self) -> Option<u64> {
        Some(self.0.load(Ordering::SeqCst)).filter(|number| *number > 0)
    }

    fn end(&self) {
        self.give(0);
    }
}

/// A server with a tree of its own.
struct Server {
    publisher: TreePublisher,
    tree: Tree,
    changes: Arc<Changes>,
    turn: Arc<GivenTurn>,
    engine: Engine,
}

impl Server {
    /// A server that gets turns, or one that believes to be alone.
    fn new(world: &World, folder: &std::path::Path, store: &Arc<CheckedStore>, gets_turns: bool) -> Self {
        let (tree, changes, turn) = (Tree::at(folder), Arc::new(Changes::default()), Arc::default());
        let locked = tree.lock().unwrap().unwrap();
        let locked = locked.with_observer(Arc::clone(&changes) as Arc<dyn TreeObserver>);
        let mut publisher = TreePublisher::new(world.sources(), tree_settings(), locked, KEEP);
        publisher.catch_up().unwrap();
        let store = Arc::clone(store) as Arc<dyn ObjectStore>;
        let target = Target::of(store, &settings(KeyStyle::Paths)).unwrap();
        let turns = Arc::clone(&turn) as Arc<dyn TurnSource>;
        let target = if gets_turns { target.with_turns(turns) } else { target };
        let engine =
            Engine::new(target, tree.clone(), claim(world), Arc::clone(&changes), Arc::default()).unwrap();
        Self { publisher, tree, changes, turn, engine }
    }
}

/// Two servers of one registry. If they get turns, the first one has the first.
struct Pair {
    world: World,
    store: Arc<CheckedStore>,
    one: Server,
    two: Server,
    runtime: Runtime,
    _folder: tempfile::TempDir,
}

impl Pair {
    fn new(gets_turns: bool) -> Self {
        let (world, folder) = (World::new(), tempfile::tempdir().unwrap());
        world.publish("team1", 0, (0, false), Some(0));
        let store = CheckedStore::new(&tree_settings());
        let one = Server::new(&world, &folder.path().join("one"), &store, gets_turns);
        let two = Server::new(&world, &folder.path().join("two"), &store, gets_turns);
        one.turn.give(1);
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
    fn settle(runtime: &Runtime, server: &mut Server) -> Result<Round, UploadError> {
        loop {
            match runtime.block_on(server.engine.round())? {
                Round::Worked => {}
                end => return Ok(end),
            }
        }
    }

    fn settle_one(&mut self) -> Round {
        Self::settle(&self.runtime, &mut self.one).unwrap()
    }

    fn settle_two(&mut self) -> Round {
        Self::settle(&self.runtime, &mut self.two).unwrap()
    }

    /// The second server has the turn, or has begun later. It brings the bucket up to date.
    fn assert_healed_by_two(&mut self) {
        self.two.turn.give(7);
        assert_eq!(self.settle_two(), Round::UpToDate);
        assert_eq!(self.objects(), expected(&self.two.tree));
    }

    fn objects(&self) -> std::collections::BTreeMap<String, Bytes> {
        assert_eq!(*self.store.violation.lock(), None);
        self.runtime.block_on(self.store.objects())
    }
}

#[test]
fn waiting_server_writes_nothing_and_takes_over_when_the_writer_ends() {
    let mut pair = Pair::new(true);
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
    pair.one.engine.end();
    pair.assert_healed_by_two();
    // And back.
    assert_eq!(pair.settle_one(), Round::Standby);
    pair.publish(2);
    pair.two.engine.end();
    pair.one.turn.give(9);
    assert_eq!(pair.settle_one(), Round::UpToDate);
    assert_eq!(pair.objects(), expected(&pair.one.tree));
}

#[test]
fn server_whose_tree_is_older_than_the_bucket_does_not_show_the_past() {
    let mut pair = Pair::new(true);
    pair.world.publish("team2", 1, (0, false), None);
    pair.one.publisher.catch_up().unwrap();
    pair.settle_one();
    let head = pair.objects()[HEAD].clone();
    pair.one.engine.end();
    pair.two.turn.give(2);
    assert_eq!(pair.settle_two(), Round::Behind);
    assert_eq!(pair.objects()[HEAD], head);
    pair.two.publisher.catch_up().unwrap();
    pair.assert_healed_by_two();
}

/// A server is paused between two requests of a batch. When it goes on, its turn has ended.
#[test]
fn server_whose_turn_ends_in_a_batch_puts_nothing_more() {
    let mut pair = Pair::new(true);
    pair.settle_one();
    pair.publish(1);
    let turn = Arc::clone(&pair.one.turn);
    pair.store.fail(move |request| {
        if request == 3 {
            turn.give(0);
        }
        None
    });
    let ended = Pair::settle(&pair.runtime, &mut pair.one);
    assert!(matches!(ended, Err(UploadError::TurnLost)), "{ended:?}");
    // Those of the same rank were sent together with it.
    let sent = pair.store.requests();
    assert_eq!(pair.settle_one(), Round::Standby);
    assert_eq!(pair.store.requests(), sent);
    pair.assert_healed_by_two();
    // A new turn is not the one that has ended, also if nothing was asked between them.
    pair.two.engine.end();
    pair.one.turn.give(8);
    assert_eq!(pair.settle_one(), Round::UpToDate);
    assert_eq!(pair.objects(), expected(&pair.one.tree));
}

/// The store does a request of the writer before when the next one has compared the bucket.
#[test]
fn late_request_is_undone_by_the_next_comparison() {
    let mut pair = Pair::new(true);
    pair.settle_one();
    let late = pair.objects()[HEAD].clone();
    pair.publish(1);
    pair.one.engine.end();
    pair.assert_healed_by_two();
    pair.store.inner.put(&Path::from(HEAD), late.into()).now_or_never().unwrap().unwrap();
    // It is due after some minutes.
    pair.two.changes.distrust();
    pair.assert_healed_by_two();
}

#[test]
fn process_that_begins_later_is_the_writer_of_a_bucket_alone() {
    let mut pair = Pair::new(false);
    assert_eq!(pair.settle_one(), Round::UpToDate);
    pair.publish(1);
    assert_eq!(pair.settle_one(), Round::UpToDate);
    pair.assert_healed_by_two();
    let objects = pair.objects();
    pair.publish(2);
    for _ in 0..2 {
        let why = Pair::settle(&pair.runtime, &mut pair.one).unwrap_err();
        assert!(why.to_string().starts_with("another process has begun to write s3://bucket"), "{why}");
        assert!(why.is_refusal() && pair.objects() == objects);
    }
    pair.assert_healed_by_two();
}

/// A writer is paused in a batch. Meanwhile another process begins, which has a newer tree.
#[test]
fn writer_of_a_bucket_alone_that_wakes_up_late_does_at_most_one_batch() {
    let mut pair = Pair::new(false);
    pair.settle_one();
    let before = pair.objects()[HEAD].clone();
    pair.world.publish("team2", 1, (0, false), None);
    pair.one.publisher.catch_up().unwrap();
    let store = Arc::clone(&pair.store);
    pair.store.fail(move |request| {
        if request == 3 {
            for (key, bytes) in [(".skillmirror/writers/00000000000000000002", "writer\n"), (HEAD, "newer")] {
                store.inner.put(&key.into(), bytes.into()).now_or_never().unwrap().unwrap();
            }
        }
        None
    });
    pair.settle_one();
    // The harm: an object that is older than that of the other process.
    let head = pair.objects()[HEAD].clone();
    assert!(head != before && head != "newer", "its batch is done");
    pair.publish(2);
    let why = Pair::settle(&pair.runtime, &mut pair.one).unwrap_err();
    assert!(why.to_string().starts_with("another process has begun"), "{why}");
    assert!(pair.objects()[HEAD] == head);
    pair.assert_healed_by_two();
}

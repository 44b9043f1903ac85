//! A registry, its tree, and a bucket that follows it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bucket::upload::{Changes, Engine, Round};
use bucket::{Claim, KeyStyle, Target, TargetSettings, UploadError};
use bytes::Bytes;
use generator::TreePublisher;
use generator::address::{Form, of_file};
use generator::settings::TreeSettings;
use generator::tree::{Claimant, Tree, TreeObserver};
use object_store::ObjectStore;
use tokio::runtime::Runtime;

use super::CheckedStore;
use crate::world::{KEEP, World, with_public_url};

/// A registry, its tree, and a bucket that follows it.
pub struct Followed {
    pub world: World,
    pub publisher: TreePublisher,
    pub tree: Tree,
    pub store: Arc<CheckedStore>,
    pub changes: Arc<Changes>,
    pub engine: Engine,
    pub runtime: Runtime,
}

pub fn settings(keys: KeyStyle) -> TargetSettings {
    TargetSettings {
        url: "s3://bucket".parse().unwrap(),
        endpoint: None,
        region: None,
        keys,
        interval: Duration::ZERO,
    }
}

pub fn tree_settings() -> TreeSettings {
    TreeSettings { git: true, list_depth: 3, ..with_public_url() }
}

pub fn claim(world: &World) -> Claim {
    let epochs = world.registry.public().read().epochs().cloned().collect();
    Claim { claimant: Claimant::Registry(epochs), replaces: false }
}

pub fn engine(world: &World, tree: &Tree, store: &Arc<CheckedStore>, changes: &Arc<Changes>) -> Engine {
    let store = Arc::clone(store) as Arc<dyn ObjectStore>;
    let target = Target::of(store, &settings(KeyStyle::Paths)).unwrap();
    Engine::new(target, tree.clone(), claim(world), Arc::clone(changes), Arc::default()).unwrap()
}

impl Followed {
    pub fn new(folder: &Path) -> Self {
        let (world, tree) = (World::new(), Tree::at(folder.join("public")));
        let changes = Arc::new(Changes::default());
        let locked = tree.lock().unwrap().unwrap();
        let locked = locked.with_observer(Arc::clone(&changes) as Arc<dyn TreeObserver>);
        let mut publisher = TreePublisher::new(world.sources(), tree_settings(), locked, KEEP);
        world.publish("team1", 0, (0, false), Some(0));
        publisher.catch_up().unwrap();
        let store = CheckedStore::new(&tree_settings());
        let engine = engine(&world, &tree, &store, &changes);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Self { world, publisher, tree, store, changes, engine, runtime }
    }

    /// A process was killed and another one has started.
    pub fn restart(&mut self) {
        self.engine = engine(&self.world, &self.tree, &self.store, &self.changes);
    }

    pub fn round(&mut self) -> Result<Round, UploadError> {
        let round = self.runtime.block_on(self.engine.round());
        if let Some(violation) = &*self.store.violation.lock() {
            panic!("{violation}");
        }
        round
    }

    /// Runs until the bucket is up to date. Returns the number of failures.
    pub fn settle(&mut self) -> usize {
        let mut failures = 0;
        loop {
            match self.round() {
                Ok(Round::UpToDate) => return failures,
                Ok(_) => {}
                Err(_) => failures += 1,
            }
            assert!(failures < 1000);
        }
    }

    pub fn assert_equal(&self) {
        let objects = self.runtime.block_on(self.store.objects());
        assert_eq!(objects, expected(&self.tree));
    }
}

/// What the bucket of a tree holds.
pub fn expected(tree: &Tree) -> BTreeMap<String, Bytes> {
    let mut expected = BTreeMap::new();
    for file in tree.all_files() {
        let file = file.unwrap();
        let (document, form) = of_file(&file.path).unwrap();
        if form == Form::Plain {
            let bytes = Bytes::from(std::fs::read(tree.root().join(&file.path)).unwrap());
            expected.extend(KeyStyle::Paths.of(&document).into_iter().map(|key| (key, bytes.clone())));
        }
    }
    expected
}

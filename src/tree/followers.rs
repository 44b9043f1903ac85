//! The places elsewhere that follow the output folder: a bucket, and a CDN.

use std::sync::Arc;

use generator::tree::{Tree, TreeObserver, TreeTarget};
use registry::Registry;

use crate::Failure;
use crate::config::Config;
use crate::engines::{mirror_target, registry_target};
use crate::signing::signed_tree::Unsigned;
use crate::tree::output_tree::TakeOver;
use crate::tree::purger::Purger;

/// What follows a tree.
#[derive(Debug)]
pub struct Followers {
    /// The bucket.
    pub target: Option<Arc<dyn TreeTarget>>,
    /// Tells a CDN in front of the folder which documents have changed. With a bucket, that does it.
    pub purger: Option<Arc<dyn TreeObserver>>,
}

impl Followers {
    /// What follows the tree of a registry.
    ///
    /// Errors: see [`crate::engines::check_bucket`], and a purge without a public URL.
    pub fn of_registry(
        config: &Config,
        registry: &Registry,
        take_over: TakeOver,
        unsigned: Unsigned,
    ) -> Result<Self, Failure> {
        let purger = Purger::start(config)?;
        let target = registry_target(config, registry, take_over, unsigned, purger.as_ref())?;
        Ok(Self::of(target, purger))
    }

    /// What follows the tree of a mirror.
    ///
    /// Errors: the bucket is refused, or a purge has no public URL.
    pub fn of_mirror(config: &Config, tree: &Tree, take_over: TakeOver) -> Result<Self, Failure> {
        let purger = Purger::start(config)?;
        let target = mirror_target(config, tree, take_over, purger.as_ref())?;
        Ok(Self::of(target, purger))
    }

    fn of(target: Option<Arc<dyn TreeTarget>>, purger: Option<Purger>) -> Self {
        let purger = purger.filter(|_| target.is_none());
        Self { target, purger: purger.map(|purger| Arc::new(purger) as Arc<dyn TreeObserver>) }
    }
}

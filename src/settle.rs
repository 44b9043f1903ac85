//! Bringing the tree up to date after a command has written.

use std::sync::Arc;
use std::time::{Duration, Instant};

use generator::Mirror;
use generator::tree::Tree;
use registry::Registry;

use crate::Failure;
use crate::config::Config;

/// How often the head is looked at while another process does the work.
const LOOK: Duration = Duration::from_millis(20);

/// Brings the tree up to date where no process keeps it; else waits until the
/// one that does has got there, but no longer than `mirror.wait_timeout`.
pub fn settle(config: &Config, registry: &Arc<Registry>) -> Result<(), Failure> {
    let tree = Tree::at(&config.public);
    let (epoch, target) = {
        let public = registry.public();
        let catalog = public.read();
        (catalog.feed().epoch().clone(), catalog.revision())
    };
    if tree.head().is_some_and(|head| head.epoch != epoch) {
        eprintln!(
            "skillmirror: it is written, but {} is the tree of another registry: `skillmirror generate` replaces it",
            config.public.display()
        );
        return Ok(());
    }
    let patience = Instant::now() + config.wait_timeout();
    loop {
        if tree.holds(&epoch) >= target {
            return Ok(());
        }
        if let Some(locked) = tree.lock()? {
            let mut mirror = Mirror::new(registry.public(), registry.store(), config.tree_settings(), locked);
            mirror.catch_up()?;
            mirror.persist()?;
            return Ok(());
        }
        if Instant::now() >= patience {
            eprintln!(
                "skillmirror: it is written, but the process that keeps {} has not taken it up yet",
                config.public.display()
            );
            return Ok(());
        }
        std::thread::sleep(LOOK);
    }
}

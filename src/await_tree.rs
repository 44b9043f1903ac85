//! Bringing the tree up to date after a command has written.

use std::sync::Arc;
use std::time::{Duration, Instant};

use generator::tree::Tree;
use generator::{Sources, TreePublisher};
use registry::Registry;

use crate::Failure;
use crate::config::Config;

/// How often the head is looked at while another process does the work.
const LOOK: Duration = Duration::from_millis(20);

/// Brings the tree up to date where no process keeps it; else waits until the
/// one that does has got there, but no longer than `mirror.wait_timeout`.
///
/// To be called when the command has said what it did: that is written, whatever
/// becomes of the tree. So what fails here is a warning and no failure.
pub fn await_tree(config: &Config, registry: &Arc<Registry>) {
    let warning = match bring_up(config, registry) {
        Ok(None) => return,
        Ok(Some(why)) => why,
        Err(why) => format!("is not up to date ({why}): `skillmirror generate` brings it there later"),
    };
    eprintln!("skillmirror: it is written, but the tree in {} {warning}", config.public.display());
}

/// The same; what is left to do where it is not there yet.
fn bring_up(config: &Config, registry: &Arc<Registry>) -> Result<Option<String>, Failure> {
    let tree = Tree::at(&config.public);
    let (epoch, target) = {
        let public = registry.public();
        let catalog = public.read();
        (catalog.feed().epoch().clone(), catalog.revision())
    };
    if tree.head().is_some_and(|head| head.epoch != epoch) {
        return Ok(Some("is that of another registry: `skillmirror generate` replaces it".into()));
    }
    let patience = Instant::now() + config.wait_timeout();
    loop {
        if tree.holds(&epoch).revision >= target {
            return Ok(None);
        }
        if let Some(locked) = tree.lock()? {
            let settings = config.tree_settings(&tree);
            let sources = Sources::new(registry.public(), registry.store(), &settings);
            let mut mirror = TreePublisher::new(sources, settings, locked, config.search_retention());
            mirror.catch_up()?;
            mirror.write_all_answers()?;
            mirror.expire()?;
            mirror.persist()?;
            return Ok(None);
        }
        if Instant::now() >= patience {
            return Ok(Some("has not been taken there yet by the process that keeps it".into()));
        }
        std::thread::sleep(LOOK);
    }
}

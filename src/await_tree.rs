//! Brings the tree up to date after a command has written to the journal.

use std::sync::Arc;
use std::time::{Duration, Instant};

use generator::tree::Tree;
use registry::Registry;

use crate::Failure;
use crate::config::Config;
use crate::open_registry::tree_publisher;
use crate::output::{print_error, with_causes};

/// The pause between two looks at the head while another process writes the tree.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Brings the tree up to date. If another process keeps the tree, waits for it, but no longer
/// than `mirror.wait_timeout`.
///
/// Call it after the command has reported its result. The result is in the journal whatever
/// happens to the tree, so a failure here is only a warning.
pub fn await_tree(config: &Config, registry: &Arc<Registry>) {
    let warning = match update(config, registry) {
        Ok(None) => return,
        Ok(Some(why)) => why.to_owned(),
        Err(why) => {
            format!("could not be updated: {}. Run `skillmirror generate` later", with_causes(&*why))
        }
    };
    let tree = config.public.display();
    print_error(format_args!("warning: the change is saved, but the tree in {tree} {warning}"));
}

/// Brings the tree up to date. Returns a warning if that is not possible now.
fn update(config: &Config, registry: &Arc<Registry>) -> Result<Option<&'static str>, Failure> {
    let tree = Tree::at(&config.public);
    let (epoch, target) = {
        let public = registry.public();
        let catalog = public.read();
        (catalog.feed().epoch().clone(), catalog.revision())
    };
    if tree.head().is_some_and(|head| head.epoch != epoch) {
        return Ok(Some("belongs to another registry: run `skillmirror generate` to replace it"));
    }
    let deadline = Instant::now() + config.mirror.wait_timeout;
    loop {
        if tree.holds(&epoch).revision >= target {
            return Ok(None);
        }
        if let Some(locked) = tree.lock()? {
            let mut publisher = tree_publisher(config, registry, locked);
            publisher.catch_up()?;
            publisher.write_all_answers()?;
            publisher.expire()?;
            publisher.persist()?;
            return Ok(None);
        }
        if Instant::now() >= deadline {
            return Ok(Some("is not up to date yet: another process is still updating it"));
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

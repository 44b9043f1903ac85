//! Brings the tree up to date after a command has written to the journal.

use std::sync::Arc;
use std::time::{Duration, Instant};

use generator::tree::Tree;
use registry::{Registry, with_causes};
use server::tree_updates::claimant;

use crate::Failure;
use crate::config::Config;
use crate::output::print_error;
use crate::signing::signed_tree::{Unsigned, require_signer};
use crate::tree::output_tree::tree_publisher;

/// The pause between two looks at the head while another process writes the tree.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Brings the tree up to date. If another process keeps the tree, waits for it, but no longer
/// than `mirror.wait_timeout`.
///
/// Call it after the command has reported its result. The result is in the journal whatever
/// happens to the tree, so a failure here is only a warning.
pub fn update_tree(config: &Config, registry: &Arc<Registry>) {
    let warning = match update_or_wait(config, registry) {
        Ok(None) => return,
        Ok(Some(why)) => why.to_owned(),
        Err(why) => {
            format!("could not be updated: {}. Run `skillmirror generate` later", with_causes(&*why))
        }
    };
    let tree = config.public.display();
    print_error(format_args!("warning: the change is saved, but the tree in {tree} {warning}"));
}

/// Brings the tree up to date, or waits until another process has. Returns a warning if neither is possible now.
fn update_or_wait(config: &Config, registry: &Arc<Registry>) -> Result<Option<&'static str>, Failure> {
    let tree = Tree::at(&config.public);
    let (epoch, target) = {
        let public = registry.public();
        let catalog = public.read();
        (catalog.feed().epoch().clone(), catalog.revision())
    };
    if tree.check_owner(&claimant(registry)).is_err() {
        return Ok(Some(
            "is of another registry: name the right folder with --public, or replace the tree with `skillmirror \
             generate --replace-tree`",
        ));
    }
    let deadline = Instant::now() + config.mirror.wait_timeout;
    loop {
        if tree.holds(&epoch).revision >= target {
            return Ok(None);
        }
        if let Some(locked) = tree.lock()? {
            let place = format!("the tree in {}", config.public.display());
            require_signer(config, tree.settings().as_ref(), &place, Unsigned { unsigned: false })?;
            let mut publisher = tree_publisher(config, registry, locked, false)?;
            publisher.catch_up()?;
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

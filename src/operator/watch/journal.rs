//! Keeps the tree up to date with the journal, next to the processes that write it.

use std::sync::Arc;
use std::time::Duration;

use generator::search::SharedIndex;
use generator::tree::Tree;
use server::publishing::{PublisherParts, PublisherThread};
use server::reads::document_cache::DocumentCache;
use tokio::sync::Notify;

use super::announce;
use super::change_watcher::ChangeWatcher;
use crate::Failure;
use crate::config::Config;
use crate::open_registry::{Opened, open_existing};

/// The time from a first file event to the update, so that one write causes one update.
const DEBOUNCE_INTERVAL: Duration = Duration::from_millis(5);

/// Keeps the tree up to date with the journal until `shutdown`.
pub async fn follow(config: &Config, shutdown: impl Future<Output = ()>) -> Result<(), Failure> {
    let Opened { registry, local } = open_existing(config)?;
    let woken = Arc::new(Notify::new());
    let events = Arc::clone(&woken);
    // Watches before the first update, so that no change is missed.
    let _watcher = ChangeWatcher::on(&config.data, move || events.notify_one());
    let tree = Tree::at(&config.public);
    let settings = config.publisher_settings(&tree);
    let publisher = PublisherThread::start(PublisherParts {
        registry,
        local,
        search: Arc::new(SharedIndex::new(settings.tree.precompute)),
        tree: Some(tree),
        // This command serves no reads.
        documents: Arc::new(DocumentCache::new(0, true)),
        settings,
    })?;
    let following = async {
        publisher.settled().await;
        announce(&config.public);
        loop {
            woken.notified().await;
            tokio::time::sleep(DEBOUNCE_INTERVAL).await;
            publisher.wake();
        }
    };
    tokio::select! {
        () = following => {}
        () = shutdown => {}
    }
    // Dropping it brings the tree up to date and syncs it.
    drop(publisher);
    Ok(())
}

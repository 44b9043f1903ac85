//! Following the journal of the data folder, beside the processes that write it.

use std::sync::Arc;
use std::time::Duration;

use generator::search::SharedIndex;
use generator::tree::Tree;
use server::document_cache::DocumentCache;
use server::publishing::PublisherThread;
use tokio::sync::Notify;

use super::announce;
use super::change_watcher::Wake;
use crate::Failure;
use crate::config::Config;
use crate::open_registry::{Opened, open_existing};

/// How long one event waits for the others of the same write.
const PAUSE: Duration = Duration::from_millis(5);

/// Keeps the tree up with the journal until `end`.
pub async fn follow(config: &Config, end: impl Future<Output = ()>) -> Result<(), Failure> {
    let Opened { registry, local } = open_existing(config)?;
    let woken = Arc::new(Notify::new());
    let events = Arc::clone(&woken);
    // Before the first look, so that nothing falls between.
    let _wake = Wake::on(&config.data, move || events.notify_one());
    let tree = Tree::at(&config.public);
    let nobody_reads = Arc::new(DocumentCache::new(0, true));
    let settings = config.publisher_settings(&tree);
    let of = (registry, local, Arc::new(SharedIndex::new(settings.tree.precompute)));
    let publisher = PublisherThread::start(of, Some(tree), settings, nobody_reads)?;
    let following = async {
        publisher.settled().await;
        announce(&config.public);
        loop {
            woken.notified().await;
            tokio::time::sleep(PAUSE).await;
            publisher.wake();
        }
    };
    tokio::select! {
        () = following => {}
        () = end => {}
    }
    // Dropping it brings the tree up to date and to stable storage.
    drop(publisher);
    Ok(())
}

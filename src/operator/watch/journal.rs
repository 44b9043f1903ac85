//! Keeps the tree up to date with the journal, next to the processes that write it.

use std::sync::Arc;
use std::time::Duration;

use generator::search::SharedIndex;
use generator::tree::Tree;
use server::reads::document_cache::DocumentCache;
use server::tree_updates::{PublisherParts, PublisherThread, Tiers};
use tokio::sync::Notify;

use super::change_watcher::ChangeWatcher;
use super::{LINE_INTERVAL, RevisionLine, announce, serve_metrics};
use crate::Failure;
use crate::config::Config;
use crate::process::long_running::Hangups;
use crate::signing::signed_tree::Unsigned;
use crate::signing::signer::Signer;
use crate::storage::open_registry::{Opened, open_existing};
use crate::tree::followers::Followers;
use crate::tree::output_tree::{TakeOver, check_tree};
use crate::tree::tree_progress::tree_progress;

/// The time from a first file event to the update, so that one write causes one update.
const DEBOUNCE_INTERVAL: Duration = Duration::from_millis(5);

/// Keeps the tree up to date with the journal until `shutdown`.
pub async fn follow(
    config: &Config,
    take_over: TakeOver,
    unsigned: Unsigned,
    shutdown: impl Future<Output = ()>,
) -> Result<(), Failure> {
    let hangups = Hangups::new()?;
    let Opened { registry, local } = open_existing(config)?;
    let woken = Arc::new(Notify::new());
    let events = Arc::clone(&woken);
    // Watches before the first update, so that no change is missed.
    let _watcher = ChangeWatcher::on(&config.data, move || events.notify_one());
    let tree = Tree::at(&config.public);
    check_tree(config, &registry, &tree, take_over, unsigned)?;
    let mut settings = config.publisher_settings(config.tree_settings(&tree));
    settings.replaces_tree = take_over.replace_tree;
    settings.progress = tree_progress();
    let Followers { target, purger } = Followers::of_registry(config, &registry, take_over, unsigned)?;
    (settings.target, settings.purger) = (target, purger);
    let signer = Signer::of(config, &registry, &settings.signing);
    let publisher = PublisherThread::start(PublisherParts {
        registry,
        local,
        search: Arc::new(SharedIndex::new(settings.tree.precompute)),
        tree: Some(tree.clone()),
        // This command serves no reads.
        documents: Arc::new(DocumentCache::new(0, true)),
        settings,
    })?;
    if let Some(signer) = signer {
        signer.start();
    }
    serve_metrics(config, Vec::new)?;
    let following = async {
        publisher.settled().await;
        announce(&config.public);
        let mut line = RevisionLine::default();
        loop {
            line.show(tree.head().map_or(0, |head| head.revision));
            tokio::select! {
                () = woken.notified() => {
                    tokio::time::sleep(DEBOUNCE_INTERVAL).await;
                    publisher.wake(Tiers::All);
                }
                () = tokio::time::sleep(LINE_INTERVAL) => {}
            }
        }
    };
    tokio::select! {
        () = following => {}
        () = hangups.repair(|| publisher.repair()) => {}
        () = shutdown => {}
    }
    // Dropping it brings the tree up to date and syncs it.
    drop(publisher);
    Ok(())
}

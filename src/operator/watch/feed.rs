//! Keeps the tree up to date with another tree's feed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use generator::address::Document;
use generator::follower::Follower;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::announce;
use super::change_watcher::ChangeWatcher;
use crate::Failure;
use crate::config::Config;
use crate::mirror_source::MirrorSource;
use crate::open_registry::lock_tree;

/// The time from a first file event to the update, so that one change causes one update.
const DEBOUNCE_INTERVAL: Duration = Duration::from_millis(20);

/// The time without changes after which the tree is synced to disk.
const SYNC_AFTER: Duration = Duration::from_secs(5);

/// The longest pause between two attempts after failures.
const MAX_BACKOFF: Duration = Duration::from_secs(60);

/// Keeps the tree up to date with the source until `shutdown`.
pub async fn follow(
    config: &Config,
    feed: &MirrorSource,
    shutdown: impl Future<Output = ()>,
) -> Result<(), Failure> {
    let source = feed.open(&config.public, "--public")?;
    let locked = lock_tree(&config.public, "--public")?;
    let follower = Follower::open(source, locked, config.search_retention(), config.public_url.clone())?;
    // The folder of the head, which each update of a tree replaces last.
    let folder = match feed {
        MirrorSource::Folder(root) => {
            Document::Head.file().and_then(|head| root.join(head).parent().map(ToOwned::to_owned))
        }
        MirrorSource::Address(_) => None,
    };
    let woken = Arc::new(Notify::new());
    let mut watcher = folder.as_ref().map(|folder| {
        let woken = Arc::clone(&woken);
        ChangeWatcher::on(folder, move || woken.notify_one())
    });
    let mut mirror = Mirror::new(follower, config.clone());
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        if let (Some(watcher), Some(folder)) = (&mut watcher, &folder) {
            watcher.refresh(folder);
        }
        // Reading the source and writing the tree block their thread.
        let mut update = tokio::task::spawn_blocking(move || {
            let pause = mirror.update();
            (mirror, pause)
        });
        let updated = tokio::select! {
            updated = &mut update => updated,
            // A long download is cut short. The next run continues from the last complete state.
            () = &mut shutdown => {
                if let Ok(updated) = timeout(config.limits.shutdown_timeout, update).await {
                    updated?.0.persist();
                }
                return Ok(());
            }
        };
        let pause;
        (mirror, pause) = updated?;
        let event = async {
            woken.notified().await;
            sleep(DEBOUNCE_INTERVAL).await;
        };
        tokio::select! {
            () = sleep(pause) => {}
            () = event => {}
            () = &mut shutdown => {
                mirror.persist();
                return Ok(());
            }
        }
    }
}

/// A mirror with the result of its last update.
struct Mirror {
    follower: Follower,
    config: Config,
    announced: bool,
    failure: Option<String>,
    /// The pause after the next failure.
    backoff: Duration,
    revision: Option<u64>,
    persisted: Option<u64>,
    /// The time of the last change.
    changed: Instant,
}

impl Mirror {
    fn new(follower: Follower, config: Config) -> Self {
        Self {
            follower,
            announced: false,
            failure: None,
            backoff: config.mirror.feed_interval,
            revision: None,
            persisted: None,
            changed: Instant::now(),
            config,
        }
    }

    /// Brings the tree up to date. Returns the pause until the next update.
    fn update(&mut self) -> Duration {
        let interval = self.config.mirror.feed_interval;
        let pause = if self.catch_up() {
            self.backoff = interval;
            self.write_answers();
            if let Err(error) = self.follower.expire() {
                tracing::warn!(%error, "cannot remove expired pieces of the search index");
            }
            interval
        } else {
            let longer = (self.backoff * 2).min(MAX_BACKOFF.max(interval));
            std::mem::replace(&mut self.backoff, longer)
        };
        if self.persisted != self.revision && self.changed.elapsed() >= SYNC_AFTER {
            self.persist();
            self.persisted = self.revision;
        }
        pause
    }

    /// Follows the source once, and logs a first success or a new failure.
    fn catch_up(&mut self) -> bool {
        match self.follower.catch_up() {
            Ok(revision) => {
                if self.failure.take().is_some() {
                    tracing::info!(revision, "following the source again");
                }
                if !self.announced {
                    self.announced = true;
                    announce(&self.config.public);
                }
                if self.revision.replace(revision) != Some(revision) {
                    self.changed = Instant::now();
                }
                true
            }
            Err(error) => {
                let failure = error.to_string();
                if self.failure.as_ref() != Some(&failure) {
                    tracing::error!(failure, "cannot follow the source: the tree stays as it is; retrying");
                }
                self.failure = Some(failure);
                false
            }
        }
    }

    /// Writes missing answers to common queries.
    fn write_answers(&mut self) {
        loop {
            match self.follower.write_answers() {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    return tracing::warn!(%error, "cannot write precomputed results");
                }
            }
        }
    }

    /// Syncs the tree to disk.
    fn persist(&mut self) {
        if let Err(error) = self.follower.persist() {
            tracing::warn!(%error, "cannot sync the tree to disk");
        }
    }
}

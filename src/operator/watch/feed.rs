//! Keeps the tree up to date with another tree's feed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use generator::address::Document;
use generator::follower::Follower;
use generator::tree::{Claimant, LockedTree, TargetWriter};
use registry::with_causes;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::change_watcher::ChangeWatcher;
use super::mirror_state::MirrorState;
use super::{Arguments, RevisionLine, announce, serve_metrics};
use crate::Failure;
use crate::config::Config;
use crate::process::long_running::Hangups;
use crate::storage::new_folders::NewFolders;
use crate::tree::followers::Followers;
use crate::tree::mirror_source::MirrorSource;
use crate::tree::output_tree::lock_tree;

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
    arguments: &Arguments,
    shutdown: impl Future<Output = ()>,
) -> Result<(), Failure> {
    let hangups = Hangups::new()?;
    let source = feed.follow(config, &config.public, "--public")?;
    let _new = NewFolders::of_tree(&config.public);
    let locked = lock_tree(&config.public, "--public", &Claimant::Mirror, arguments.take_over)?;
    let Followers { target, purger } = Followers::of_mirror(config, locked.tree(), arguments.take_over)?;
    let replaces = arguments.take_over.replace_tree;
    let uploader =
        target.map(|target| target.start(locked.tree(), Claimant::Mirror, replaces)).transpose()?;
    let observers = uploader.iter().map(|uploader| uploader.observer()).chain(purger);
    let locked = observers.fold(locked, LockedTree::with_observer);
    let follower = arguments.follow.open(config, source, locked, arguments.take_over)?;
    // The folder of the head, which each update of a tree replaces last.
    let folder = match feed {
        MirrorSource::Folder(root) => {
            Document::Head.file().and_then(|head| root.join(head).parent().map(ToOwned::to_owned))
        }
        MirrorSource::Address(_) | MirrorSource::Bucket(_) | MirrorSource::WithUserName => None,
    };
    let woken = Arc::new(Notify::new());
    let mut watcher = folder.as_ref().map(|folder| {
        let woken = Arc::clone(&woken);
        ChangeWatcher::on(folder, move || woken.notify_one())
    });
    let mut mirror = Mirror::new(follower, uploader, config.clone());
    let state = Arc::clone(&mirror.state);
    serve_metrics(config, move || state.readings())?;
    let (repairs, hung_up) = (Arc::clone(&mirror.repair), Arc::clone(&woken));
    tokio::spawn(hangups.repair(move || {
        repairs.store(true, Ordering::Relaxed);
        hung_up.notify_one();
    }));
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
    /// Before the follower, which has the lock of the tree.
    uploader: Option<Box<dyn TargetWriter>>,
    follower: Follower,
    config: Config,
    /// Whether the next update compares every file.
    repair: Arc<AtomicBool>,
    state: Arc<MirrorState>,
    failure: Option<String>,
    /// The pause after the next failure.
    backoff: Duration,
    revision: Option<u64>,
    line: RevisionLine,
    persisted: Option<u64>,
    /// The time of the last change.
    changed: Instant,
}

impl Mirror {
    fn new(follower: Follower, uploader: Option<Box<dyn TargetWriter>>, config: Config) -> Self {
        Self {
            uploader,
            follower,
            repair: Arc::default(),
            state: Arc::default(),
            failure: None,
            backoff: config.mirror.feed_interval,
            revision: None,
            line: RevisionLine::default(),
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
            if let Err(error) = self.follower.expire() {
                tracing::warn!(error = %with_causes(&error), "cannot remove expired pieces of the search index");
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
        if self.repair.swap(false, Ordering::Relaxed) {
            tracing::info!("comparing every file of the tree");
            self.follower.distrust();
        }
        let before = self.history();
        let caught_up = self.follower.catch_up();
        self.log_change_of_history(before);
        match caught_up {
            Ok(revision) => {
                self.uploader.iter().for_each(|uploader| uploader.tree_is_ready());
                self.state.followed(revision);
                if self.failure.take().is_some() {
                    tracing::info!(revision, "following the source again");
                }
                if self.revision.is_none() {
                    announce(&self.config.public);
                }
                self.line.show(revision);
                if self.revision.replace(revision) != Some(revision) {
                    self.changed = Instant::now();
                }
                true
            }
            Err(error) => {
                self.state.failed();
                let failure = with_causes(&error);
                if self.failure.as_ref() != Some(&failure) {
                    tracing::error!(failure, "cannot follow the source: the tree stays as it is; retrying");
                }
                self.failure = Some(failure);
                false
            }
        }
    }

    /// The history that the tree shows, and its last revision.
    fn history(&self) -> Option<(String, u64)> {
        self.follower.history().map(|(epoch, revision)| (epoch.clone(), revision))
    }

    fn log_change_of_history(&self, before: Option<(String, u64)>) {
        if let (Some((old, old_revision)), Some((epoch, revision))) = (before, self.history())
            && old != epoch
        {
            tracing::warn!(
                epoch,
                revision,
                before = old,
                revision_before = old_revision,
                "the source has another history, which now replaces the tree"
            );
        }
    }

    /// Syncs the tree to disk.
    fn persist(&mut self) {
        if let Err(error) = self.follower.persist() {
            tracing::warn!(error = %with_causes(&error), "cannot sync the tree to disk");
        }
    }
}

//! Keeps the tree up to date with another tree's feed.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use generator::address::Document;
use generator::follower::Follower;
use generator::tree::Tree;
use tokio::sync::oneshot;

use super::announce;
use super::change_watcher::ChangeWatcher;
use crate::Failure;
use crate::config::Config;
use crate::mirror_source::MirrorSource;

/// The time from a first file event to the update, so that one change causes one update.
const DEBOUNCE_INTERVAL: Duration = Duration::from_millis(20);
/// The time without changes after which the tree is synced to disk.
const SYNC_AFTER: Duration = Duration::from_secs(5);
/// The longest pause between two attempts after failures.
const MAX_BACKOFF: Duration = Duration::from_secs(60);

/// A signal to the follower thread.
enum Signal {
    Look,
    End,
}

/// Keeps the tree up to date with the source until `shutdown`.
pub async fn follow(
    config: &Config,
    feed: &MirrorSource,
    shutdown: impl Future<Output = ()>,
) -> Result<(), Failure> {
    let source = feed.open(&config.public, "--public")?;
    let Some(locked) = Tree::at(&config.public).lock()? else {
        let shown = config.public.display();
        return Err(format!(
            "another process keeps the tree in {shown}: stop it first, or use --public DIR for another folder"
        )
        .into());
    };
    let follower = Follower::open(source, locked, config.search_retention(), config.public_url.clone())?;
    let (sender, signals) = mpsc::channel();
    let (ended, has_ended) = oneshot::channel();
    let watcher =
        Watcher { follower, config: config.clone(), feed: feed.clone(), announced: false, failure: None };
    let looks = sender.clone();
    std::thread::Builder::new().name("follow".into()).spawn(move || {
        watcher.run(&looks, &signals);
        // The receiver is gone if the shutdown timed out.
        let _ = ended.send(());
    })?;
    shutdown.await;
    // The thread has the receiver until it ends.
    let _ = sender.send(Signal::End);
    // A long download is cut short. The next run continues from the last complete state.
    let _ = tokio::time::timeout(config.limits.shutdown_timeout, has_ended).await;
    Ok(())
}

struct Watcher {
    follower: Follower,
    config: Config,
    feed: MirrorSource,
    announced: bool,
    failure: Option<String>,
}

impl Watcher {
    fn run(mut self, looks: &Sender<Signal>, signals: &Receiver<Signal>) {
        // The folder of the head, which each update of a tree replaces last.
        let folder = match &self.feed {
            MirrorSource::Folder(root) => {
                Document::Head.file().and_then(|head| root.join(head).parent().map(ToOwned::to_owned))
            }
            MirrorSource::Address(_) => None,
        };
        let looks = looks.clone();
        let mut wake =
            folder.as_ref().map(|folder| ChangeWatcher::on(folder, move || drop(looks.send(Signal::Look))));
        let interval = self.config.mirror.feed_interval;
        let mut backoff = interval;
        let mut changed = Instant::now();
        let mut persisted = None;
        let mut last = None;
        loop {
            if let (Some(wake), Some(folder)) = (&mut wake, &folder) {
                wake.refresh(folder);
            }
            let pause = match self.look() {
                Some(revision) => {
                    backoff = interval;
                    if last.replace(revision) != Some(revision) {
                        changed = Instant::now();
                    }
                    interval
                }
                None => {
                    let pause = backoff;
                    backoff = (backoff * 2).min(MAX_BACKOFF.max(interval));
                    pause
                }
            };
            if self.failure.is_none() {
                self.write_answers();
                self.expire();
            }
            if persisted != last && changed.elapsed() >= SYNC_AFTER {
                self.persist();
                persisted = last;
            }
            if is_end(signals, pause) {
                return self.persist();
            }
        }
    }

    /// Follows the source once, and logs a first success or a new failure. Returns the revision
    /// of the tree.
    fn look(&mut self) -> Option<u64> {
        match self.follower.catch_up() {
            Ok(revision) => {
                if self.failure.take().is_some() {
                    tracing::info!(revision, "following the source again");
                }
                if !self.announced {
                    self.announced = true;
                    announce(&self.config.public);
                }
                Some(revision)
            }
            Err(error) => {
                let failure = error.to_string();
                if self.failure.as_ref() != Some(&failure) {
                    tracing::error!(failure, "cannot follow the source: the tree stays as it is; retrying");
                }
                self.failure = Some(failure);
                None
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
                    return tracing::warn!(%error, "cannot write answers to common queries");
                }
            }
        }
    }

    /// Removes expired pieces of the search index.
    fn expire(&mut self) {
        if let Err(error) = self.follower.expire() {
            tracing::warn!(%error, "cannot remove expired pieces of the search index");
        }
    }

    fn persist(&mut self) {
        if let Err(error) = self.follower.persist() {
            tracing::warn!(%error, "cannot sync the tree to disk");
        }
    }
}

/// Waits for a file event or the timer, and for the events right after the first one. Returns
/// whether the follower should end.
fn is_end(signals: &Receiver<Signal>, pause: Duration) -> bool {
    match signals.recv_timeout(pause) {
        Ok(Signal::Look) => {}
        Err(RecvTimeoutError::Timeout) => return false,
        Ok(Signal::End) | Err(RecvTimeoutError::Disconnected) => return true,
    }
    match signals.recv_timeout(DEBOUNCE_INTERVAL) {
        Ok(Signal::End) | Err(RecvTimeoutError::Disconnected) => return true,
        Ok(Signal::Look) | Err(RecvTimeoutError::Timeout) => {}
    }
    signals.try_iter().any(|signal| matches!(signal, Signal::End))
}

//! Following a published tree, in a folder or at an address.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use generator::address::Document;
use generator::follower::Follower;
use generator::tree::Tree;
use tokio::sync::oneshot;

use super::announce;
use super::change_watcher::Wake;
use crate::Failure;
use crate::config::Config;
use crate::mirror_source::Feed;

/// How long one event waits for the others of the same update.
const PAUSE: Duration = Duration::from_millis(20);
/// How long the tree is at rest before it is brought to stable storage.
const REST: Duration = Duration::from_secs(5);
/// The longest pause between two attempts to read what was refused.
const LONGEST_BACKOFF: Duration = Duration::from_secs(60);

/// What the following thread is told.
enum Told {
    Look,
    End,
}

/// Keeps the tree up with the source until `end`.
pub async fn follow(config: &Config, feed: &Feed, end: impl Future<Output = ()>) -> Result<(), Failure> {
    let source = feed.open(&config.public, "--public")?;
    let Some(locked) = Tree::at(&config.public).lock()? else {
        let shown = config.public.display();
        return Err(format!(
            "another process keeps {shown}: stop it first, or give another folder with --public DIR"
        )
        .into());
    };
    let follower = Follower::open(source, locked, config.search_retention(), config.public_url.clone())?;
    let (tell, told) = mpsc::channel();
    let (ended, has_ended) = oneshot::channel();
    let watcher =
        Watcher { follower, config: config.clone(), feed: feed.clone(), announced: false, failure: None };
    let looks = tell.clone();
    std::thread::Builder::new().name("follow".into()).spawn(move || {
        watcher.run(&looks, &told);
        // Nobody waits any more: the program ends.
        let _ = ended.send(());
    })?;
    end.await;
    // The thread holds the other end until it ends.
    let _ = tell.send(Told::End);
    // A download may take its time, and nothing is lost when it is cut short.
    let _ = tokio::time::timeout(config.shutdown_timeout(), has_ended).await;
    Ok(())
}

struct Watcher {
    follower: Follower,
    config: Config,
    feed: Feed,
    announced: bool,
    failure: Option<String>,
}

impl Watcher {
    fn run(mut self, looks: &Sender<Told>, told: &Receiver<Told>) {
        // Where the head of a folder is: it is renamed into place there, last.
        let folder = match &self.feed {
            Feed::Folder(root) => {
                Document::Head.file().and_then(|head| root.join(head).parent().map(ToOwned::to_owned))
            }
            Feed::Address(_) => None,
        };
        let looks = looks.clone();
        let mut wake = folder.as_ref().map(|folder| Wake::on(folder, move || drop(looks.send(Told::Look))));
        let interval = self.config.feed_interval();
        let mut backoff = interval;
        let mut changed = Instant::now();
        let mut persisted = None;
        let mut last = None;
        loop {
            if let (Some(wake), Some(folder)) = (&mut wake, &folder) {
                wake.again(folder);
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
                    backoff = (backoff * 2).min(LONGEST_BACKOFF.max(interval));
                    pause
                }
            };
            if self.failure.is_none() {
                self.write_answers();
                self.expire();
            }
            if persisted != last && changed.elapsed() >= REST {
                self.persist();
                persisted = last;
            }
            if is_end(told, pause) {
                return self.persist();
            }
        }
    }

    /// Looks once, and tells what is new about it. Returns the tree's revision.
    fn look(&mut self) -> Option<u64> {
        match self.follower.catch_up() {
            Ok(revision) => {
                if self.failure.take().is_some() {
                    tracing::info!(revision, "the source is followed again");
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
                    tracing::error!(failure, "the source cannot be followed; the tree stays; trying again");
                }
                self.failure = Some(failure);
                None
            }
        }
    }

    /// Makes the answers to common queries that are not in the tree.
    fn write_answers(&mut self) {
        loop {
            match self.follower.write_answers() {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    return tracing::warn!(%error, "answers to common queries cannot be written");
                }
            }
        }
    }

    /// Removes pieces of the search index whose time is over.
    fn expire(&mut self) {
        if let Err(error) = self.follower.expire() {
            tracing::warn!(%error, "superseded pieces of the search index could not be removed");
        }
    }

    fn persist(&mut self) {
        if let Err(error) = self.follower.persist() {
            tracing::warn!(%error, "the tree could not be brought to stable storage");
        }
    }
}

/// Waits for a reason to look: an event and those that follow it at once, or the
/// timer. Returns whether it is to end instead.
fn is_end(told: &Receiver<Told>, pause: Duration) -> bool {
    match told.recv_timeout(pause) {
        Ok(Told::Look) => {}
        Err(RecvTimeoutError::Timeout) => return false,
        Ok(Told::End) | Err(RecvTimeoutError::Disconnected) => return true,
    }
    match told.recv_timeout(PAUSE) {
        Ok(Told::End) | Err(RecvTimeoutError::Disconnected) => return true,
        Ok(Told::Look) | Err(RecvTimeoutError::Timeout) => {}
    }
    told.try_iter().any(|told| matches!(told, Told::End))
}

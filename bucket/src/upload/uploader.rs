//! The thread that keeps the bucket up to date.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use generator::tree::{
    Claimant, TargetFailure, TargetProgress, TargetWriter, Tree, TreeObserver, TreeTarget,
};
use parking_lot::Mutex;
use registry::time::Timestamp;
use registry::with_causes;
use tokio::sync::Notify;

use super::changes::Changes;
use super::engine::{Engine, Round};
use super::turn::{BEHIND_INTERVAL, LOOK_INTERVAL};
use crate::error::UploadError;
use crate::owner::Claim;
use crate::store::Target;

/// The first and the longest pause after a failure.
pub const MIN_PAUSE: Duration = Duration::from_millis(500);
pub const MAX_PAUSE: Duration = Duration::from_secs(30);

/// How often a tree that is rebuilt is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The time to bring the bucket up to date at the end.
pub const LAST_TIMEOUT: Duration = Duration::from_secs(10);

/// The thread that keeps the bucket up to date. When it is dropped, it tries to do that once more.
#[derive(Debug)]
pub struct Uploader {
    changes: Arc<Changes>,
    progress: Arc<Mutex<TargetProgress>>,
    name: String,
    control: Arc<Control>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Control {
    is_ready: AtomicBool,
    is_stopped: AtomicBool,
    stop: Notify,
    news: Arc<Notify>,
}

impl Uploader {
    /// Starts the thread. It does nothing before [`TargetWriter::tree_is_ready`].
    pub fn start(target: Target, tree: Tree, claim: Claim) -> Result<Self, UploadError> {
        let changes = Arc::new(Changes::default());
        let progress = Arc::new(Mutex::new(TargetProgress::default()));
        let name = target.name().to_owned();
        let control = Arc::new(Control { news: Arc::clone(&changes.news), ..Control::default() });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let mut engine = Engine::new(target, tree, claim, Arc::clone(&changes), Arc::clone(&progress))?;
        let (its, noted) = (Arc::clone(&control), Arc::clone(&progress));
        let thread = std::thread::Builder::new().name("uploader".into());
        let thread = thread.spawn(move || {
            runtime.block_on(its.run(&mut engine, &noted));
            // Does not wait for requests that were cut off.
            runtime.shutdown_background();
        })?;
        Ok(Self { changes, progress, name, control, thread: Some(thread) })
    }
}

impl TreeTarget for Target {
    fn start(
        &self,
        tree: &Tree,
        claimant: Claimant,
        replaces: bool,
    ) -> std::io::Result<Box<dyn TargetWriter>> {
        let started = Uploader::start(self.clone(), tree.clone(), Claim { claimant, replaces });
        Ok(Box::new(started.map_err(std::io::Error::other)?))
    }
}

impl TargetWriter for Uploader {
    fn observer(&self) -> Arc<dyn TreeObserver> {
        Arc::clone(&self.changes) as Arc<dyn TreeObserver>
    }

    fn tree_is_ready(&self) {
        if !self.control.is_ready.swap(true, Ordering::Relaxed) {
            self.control.news.notify_one();
        }
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn progress(&self) -> TargetProgress {
        self.progress.lock().clone()
    }
}

impl Drop for Uploader {
    fn drop(&mut self) {
        self.control.is_stopped.store(true, Ordering::Relaxed);
        self.control.stop.notify_one();
        if let Some(thread) = self.thread.take() {
            // The thread has logged its failures.
            let _ = thread.join();
        }
    }
}

impl Control {
    async fn run(&self, engine: &mut Engine, progress: &Mutex<TargetProgress>) {
        let mut pause = MIN_PAUSE;
        while !self.is_stopped.load(Ordering::Relaxed) {
            if !self.is_ready.load(Ordering::Relaxed) {
                self.wait(engine.idle_interval(), true).await;
                continue;
            }
            let round = tokio::select! {
                round = engine.round() => round,
                () = self.stop.notified() => break,
            };
            match round {
                Ok(done) => {
                    pause = MIN_PAUSE;
                    recovered(engine, progress);
                    match done {
                        Round::Worked => {}
                        Round::UpToDate => self.wait(engine.idle_interval(), true).await,
                        Round::Waiting => self.wait(POLL_INTERVAL, false).await,
                        Round::Standby => self.wait(LOOK_INTERVAL, false).await,
                        Round::Behind => self.wait(BEHIND_INTERVAL, false).await,
                    }
                }
                // The next round waits for the other server.
                Err(UploadError::Vanished | UploadError::TurnLost) => {}
                Err(why) => {
                    failed(engine, progress, &why);
                    self.wait(pause, false).await;
                    let longest = if engine.is_writer() { MAX_PAUSE } else { LOOK_INTERVAL };
                    pause = (pause * 2).min(longest);
                }
            }
        }
        if self.is_ready.load(Ordering::Relaxed) && engine.is_writer() {
            let _ = tokio::time::timeout(LAST_TIMEOUT, async {
                while let Ok(Round::Worked) | Err(UploadError::Vanished) = engine.round().await {}
            })
            .await;
        }
        engine.end();
    }

    /// Waits for the time, or for the end; if `for_news`, also for a change.
    async fn wait(&self, time: Duration, for_news: bool) {
        tokio::select! {
            () = tokio::time::sleep(time) => {}
            () = self.stop.notified() => {}
            () = self.news.notified(), if for_news => {}
        }
    }
}

fn recovered(engine: &Engine, progress: &Mutex<TargetProgress>) {
    if progress.lock().failure.take().is_some() {
        tracing::info!(target_name = engine.target().name(), "the bucket is written again");
    }
}

fn failed(engine: &Engine, progress: &Mutex<TargetProgress>, why: &UploadError) {
    let public = why.public(engine.target().last_status());
    let mut progress = progress.lock();
    let (is_known, since) = match &progress.failure {
        Some(failure) => (failure.public == public, failure.since),
        None => (false, Timestamp::now()),
    };
    if !is_known {
        let (name, failure) = (engine.target().name(), with_causes(why));
        tracing::error!(failure, "cannot bring the bucket {name} up to date; trying again");
    }
    progress.failure = Some(TargetFailure { public, since });
}

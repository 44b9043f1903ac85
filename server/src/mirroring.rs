//! What goes on in the background while the server runs: the journal is
//! followed, for other processes write to it too, and the tree is kept up.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use generator::settings::TreeSettings;
use generator::tree::{Tree, Witness};
use generator::{Mirror, MirrorError};
use registry::Registry;
use registry::journal::Revision;
use tokio::sync::watch;

use crate::hot::Hot;

/// How often the journal is looked at for what other processes have appended.
const POLL: Duration = Duration::from_millis(250);
/// How long the tree is at rest before it is brought to stable storage.
const REST: Duration = Duration::from_secs(5);
/// How many documents a failure names to the public.
const MOST_NAMED: usize = 5;
/// The longest pause between two attempts to write what could not be written.
const LONGEST_BACKOFF: Duration = Duration::from_secs(10);

/// How far the tree is.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// The last public revision it holds.
    pub revision: Revision,
    /// Why it is not further, where something failed.
    pub failure: Option<Failure>,
    /// Whether it has held, once, all that there was.
    pub was_up_to_date: bool,
}

/// What went wrong, for two audiences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// For anyone: names public documents and nothing of this machine.
    pub public: String,
    /// For the operator, with the system's reasons.
    logged: String,
}

impl From<&MirrorError> for Failure {
    fn from(error: &MirrorError) -> Self {
        let public = match error {
            MirrorError::Files(failures) => {
                let named = failures.0.iter().take(MOST_NAMED).map(|(file, _)| file.as_str());
                let more = failures.0.len().saturating_sub(MOST_NAMED);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("these documents cannot be written: {}{more}", named.collect::<Vec<_>>().join(", "))
            }
            MirrorError::Disturbed => error.to_string(),
            MirrorError::Journal(_) | MirrorError::Row(_) | MirrorError::Io(_) => {
                "something fails on this machine, and the log says what".to_owned()
            }
        };
        Self { public, logged: error.to_string() }
    }
}

/// The handle of the background thread. The tree is brought up to date and the
/// thread ends when this is dropped.
pub struct Mirroring {
    progress: watch::Receiver<Progress>,
    wake: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Mirroring {
    /// Starts following the journal and, where there is one, keeping `tree` up
    /// with it. With the tree's lock this process writes it; while another one
    /// has the lock, that one does.
    pub fn start(
        registry: Arc<Registry>,
        tree: Option<Tree>,
        settings: TreeSettings,
        hot: Arc<Hot>,
    ) -> std::io::Result<Self> {
        let (wake, woken) = mpsc::channel();
        let (report, progress) = watch::channel(Progress::default());
        let (backoff, storage) = (Backoff::default(), Backoff::default());
        let mut keeper = Keeper { registry, tree, settings, hot, mirror: None, backoff, storage, report };
        // The first look, before anyone is served: a new tree has to be made.
        keeper.look(Instant::now(), false);
        let thread = std::thread::Builder::new().name("mirror".into()).spawn(move || keeper.run(&woken))?;
        Ok(Self { progress, wake: Some(wake), thread: Some(thread) })
    }

    /// How far the tree is now.
    pub fn progress(&self) -> Progress {
        self.progress.borrow().clone()
    }

    /// Says that there may be something new.
    pub fn wake(&self) {
        if let Some(wake) = &self.wake {
            // The thread ends only after this sender is gone.
            let _ = wake.send(());
        }
    }

    /// Waits until the tree is up to date for the first time.
    pub async fn settled(&self) {
        let mut progress = self.progress.clone();
        // The thread ends only after this handle is gone.
        let _ = progress.wait_for(|progress| progress.was_up_to_date).await;
    }

    /// Waits until the tree holds a public revision, but no longer than
    /// `timeout`. Returns by how many revisions it lags then.
    pub async fn wait(&self, revision: Revision, timeout: Duration) -> u64 {
        self.wake();
        let mut progress = self.progress.clone();
        let held = progress.wait_for(|progress| progress.revision >= revision);
        match tokio::time::timeout(timeout, held).await {
            Ok(Ok(_)) => 0,
            _ => revision.saturating_sub(self.progress().revision),
        }
    }
}

impl Drop for Mirroring {
    fn drop(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take() {
            // It has logged whatever went wrong.
            let _ = thread.join();
        }
    }
}

struct Keeper {
    registry: Arc<Registry>,
    tree: Option<Tree>,
    settings: TreeSettings,
    hot: Arc<Hot>,
    mirror: Option<Mirror>,
    backoff: Backoff,
    /// The same for the data folder's disk.
    storage: Backoff,
    report: watch::Sender<Progress>,
}

/// When the tree, having failed, is tried again.
#[derive(Default)]
struct Backoff {
    pause: Duration,
    until: Option<Instant>,
}

impl Backoff {
    fn is_over(&self, now: Instant) -> bool {
        self.until.is_none_or(|until| now >= until)
    }

    fn failed(&mut self, now: Instant) {
        self.pause = (self.pause * 2).clamp(POLL, LONGEST_BACKOFF);
        self.until = Some(now + self.pause);
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // Before the tree's lock goes with the mirror, however this thread ends.
        self.hot.close();
    }
}

impl Keeper {
    fn run(mut self, woken: &mpsc::Receiver<()>) {
        let mut changed = Instant::now();
        loop {
            let is_last = match woken.recv_timeout(POLL) {
                Ok(()) => {
                    // One look serves everyone who has called so far.
                    while woken.try_recv().is_ok() {}
                    false
                }
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => true,
            };
            if self.look(Instant::now(), is_last) {
                changed = Instant::now();
            }
            let is_at_rest = self.backoff.until.is_none() && changed.elapsed() >= REST;
            if is_last || is_at_rest {
                self.persist();
            }
            if is_last {
                return;
            }
        }
    }

    /// Follows the journal, which nothing holds up, and brings the tree up
    /// unless that failed a moment ago. Returns whether the tree is further.
    fn look(&mut self, now: Instant, is_last: bool) -> bool {
        self.try_storage(now);
        if let Err(error) = self.registry.catch_up() {
            return self.note(Err(error.into()));
        }
        if !is_last && !self.backoff.is_over(now) {
            return false;
        }
        let outcome = self.keep();
        match outcome {
            Ok(_) => self.backoff = Backoff::default(),
            Err(_) => self.backoff.failed(now),
        }
        self.note(outcome)
    }

    /// Tries a disk that has refused a write, so that it is known when it takes
    /// some again.
    fn try_storage(&mut self, now: Instant) {
        if self.registry.takes_writes() {
            self.storage = Backoff::default();
        } else if self.storage.is_over(now) && self.registry.try_storage().is_err() {
            self.storage.failed(now);
        }
    }

    /// Brings the tree up to the catalog, or sees how far it was brought.
    fn keep(&mut self) -> Result<Revision, MirrorError> {
        let Some(tree) = &self.tree else { return Ok(0) };
        if self.mirror.is_none()
            && let Some(locked) = tree.lock()?
        {
            self.hot.open();
            let locked = locked.witnessed(Arc::clone(&self.hot) as Arc<dyn Witness>);
            let (public, store) = (self.registry.public(), self.registry.store());
            self.mirror = Some(Mirror::new(public, store, self.settings.clone(), locked));
        }
        match &mut self.mirror {
            Some(mirror) => mirror.catch_up(),
            None => Ok(tree.holds(self.registry.public().read().feed().epoch())),
        }
    }

    /// Tells everyone how it went. Returns whether the tree is further.
    fn note(&self, outcome: Result<Revision, MirrorError>) -> bool {
        let mut moved = false;
        let target = self.registry.public().read().revision();
        self.report.send_if_modified(|progress| {
            let was_up_to_date = progress.was_up_to_date;
            let failure = match &outcome {
                Ok(revision) => {
                    progress.was_up_to_date |= *revision >= target;
                    moved = *revision != progress.revision;
                    progress.revision = *revision;
                    None
                }
                Err(error) => Some(Failure::from(error)),
            };
            let told = failure == progress.failure;
            if let Some(failure) = failure.as_ref().filter(|_| !told) {
                let failure = failure.logged.as_str();
                tracing::error!(failure, "the journal or the tree cannot be followed; trying again");
            }
            progress.failure = failure;
            moved || !told || was_up_to_date != progress.was_up_to_date
        });
        moved
    }

    fn persist(&mut self) {
        if let Some(mirror) = &mut self.mirror
            && let Err(error) = mirror.persist()
        {
            tracing::warn!(%error, "the tree could not be brought to stable storage");
        }
    }
}

#[cfg(test)]
#[path = "mirroring_tests.rs"]
mod tests;

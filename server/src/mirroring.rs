//! What goes on in the background while the server runs: the journal is
//! followed, for other processes write to it too, and the tree is kept up.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use generator::settings::TreeSettings;
use generator::tree::Tree;
use generator::{Mirror, MirrorError};
use registry::Registry;
use registry::journal::Revision;
use tokio::sync::watch;

/// How often the journal is looked at for what other processes have appended.
const POLL: Duration = Duration::from_millis(250);
/// How long the tree is at rest before it is brought to stable storage.
const REST: Duration = Duration::from_secs(5);
/// The longest pause between two attempts to write what could not be written.
const LONGEST_BACKOFF: Duration = Duration::from_secs(10);

/// How far the tree is.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// The last public revision it holds.
    pub revision: Revision,
    /// Why it is not further, where something failed.
    pub failure: Option<String>,
    /// Whether it has held, once, all that there was.
    pub was_up_to_date: bool,
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
    ) -> std::io::Result<Self> {
        let (wake, woken) = mpsc::channel();
        let (report, progress) = watch::channel(Progress::default());
        let mut keeper = Keeper { registry, tree, settings, mirror: None, report };
        // The first look, before anyone is served: a new tree has to be made.
        let outcome = keeper.look();
        keeper.note(outcome);
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
    mirror: Option<Mirror>,
    report: watch::Sender<Progress>,
}

impl Keeper {
    fn run(mut self, woken: &mpsc::Receiver<()>) {
        let mut backoff = POLL;
        let mut changed = Instant::now();
        loop {
            let is_last = match woken.recv_timeout(backoff) {
                Ok(()) => {
                    // One look serves everyone who has called so far.
                    while woken.try_recv().is_ok() {}
                    false
                }
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => true,
            };
            let outcome = self.look();
            let failed = outcome.is_err();
            if self.note(outcome) {
                changed = Instant::now();
            }
            backoff = if failed { (backoff * 2).min(LONGEST_BACKOFF) } else { POLL };
            if is_last || (!failed && changed.elapsed() >= REST) {
                self.persist();
            }
            if is_last {
                return;
            }
        }
    }

    fn look(&mut self) -> Result<Revision, MirrorError> {
        self.registry.catch_up()?;
        let Some(tree) = &self.tree else { return Ok(0) };
        if self.mirror.is_none()
            && let Some(locked) = tree.lock()?
        {
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
            let failure = match outcome {
                Ok(revision) => {
                    progress.was_up_to_date |= revision >= target;
                    moved = revision != progress.revision;
                    progress.revision = revision;
                    None
                }
                Err(error) => Some(error.to_string()),
            };
            let told = failure == progress.failure;
            if let Some(failure) = failure.as_ref().filter(|_| !told) {
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

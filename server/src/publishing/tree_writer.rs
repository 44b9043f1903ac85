//! The thread that follows the journal and keeps the tree.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use generator::search::SharedIndex;
use generator::settings::TreeSettings;
use generator::tree::{Tree, TreeObserver};
use generator::{Retention, Sources, TreeError, TreePublisher};
use registry::Registry;
use registry::journal::Revision;
use registry::local::LocalStore;
use tokio::sync::watch;

use super::backoff::Backoff;
use super::counter_ticks::CounterTimer;
use super::{Failure, Progress, PublisherSettings};
use crate::document_cache::DocumentCache;

/// How often the journal is looked at for what other processes have appended.
pub(super) const POLL: Duration = Duration::from_millis(250);
/// How long nobody has called before work is done that nobody waits for: who
/// publishes several skills in turn would wait for it at each.
const QUIET: Duration = Duration::from_secs(1);
/// The same once that work has waited for [`OVERDUE`], for there is always somebody
/// who calls where a registry is written to all day long.
const BRIEF: Duration = Duration::from_millis(50);
/// How long it waits for such a pause.
const OVERDUE: Duration = Duration::from_secs(30);
/// How long the tree is at rest before it is brought to stable storage.
const REST: Duration = Duration::from_secs(5);

pub(super) struct TreeWriter {
    registry: Arc<Registry>,
    local: Arc<LocalStore>,
    search: Arc<SharedIndex>,
    tree: Option<Tree>,
    settings: TreeSettings,
    search_retention: Retention,
    documents: Arc<DocumentCache>,
    mirror: Option<TreePublisher>,
    pub(super) backoff: Backoff,
    /// The same for the data folder's disk.
    storage: Backoff,
    report: watch::Sender<Progress>,
    ticks: CounterTimer,
}

impl Drop for TreeWriter {
    fn drop(&mut self) {
        // Before the tree's lock goes with the mirror, however this thread ends.
        self.documents.close();
    }
}

impl TreeWriter {
    pub(super) fn new(
        (registry, local, search): (Arc<Registry>, Arc<LocalStore>, Arc<SharedIndex>),
        tree: Option<Tree>,
        settings: PublisherSettings,
        documents: Arc<DocumentCache>,
        report: watch::Sender<Progress>,
    ) -> Self {
        let (backoff, storage) = (Backoff::default(), Backoff::default());
        let PublisherSettings { tree: settings, ticks, search_retention } = settings;
        let ticks = CounterTimer::new(ticks, Instant::now());
        Self {
            registry,
            local,
            search,
            tree,
            settings,
            search_retention,
            documents,
            mirror: None,
            backoff,
            storage,
            report,
            ticks,
        }
    }

    /// What is done before anyone is served: a new tree is made, and one that is behind
    /// brought up. One that holds all that there is can be served as it is.
    pub(super) fn begin(&mut self) {
        // What fails here fails in the look again, which tells of it.
        let _ = self.take_over();
        match self.mirror.as_ref().and_then(TreePublisher::up_to_date_revision) {
            Some(revision) => self.note(Ok(revision)),
            None => self.look(Instant::now(), false),
        };
    }

    pub(super) fn run(mut self, woken: &mpsc::Receiver<()>) {
        // A tree that was served as it is has not been looked at yet, and what that
        // takes first is the index.
        self.look(Instant::now(), false);
        // Else whoever searches first waits until the index is made.
        drop(self.search.current(&self.registry.public().read()));
        let (mut changed, mut called, mut lacking) = (Instant::now(), None::<Instant>, None::<Instant>);
        loop {
            // Who has called may call again at once; then work that is left goes on
            // without any other pause than to look who calls.
            lacking = if self.has_work() { lacking.or_else(|| Some(Instant::now())) } else { None };
            let is_overdue = lacking.is_some_and(|since| since.elapsed() >= OVERDUE);
            let quiet = if is_overdue { BRIEF } else { QUIET };
            let due_in = called.map_or(Duration::ZERO, |at| quiet.saturating_sub(at.elapsed()));
            let pause = if lacking.is_some() { due_in.min(POLL) } else { POLL };
            let (is_called, is_last) = match woken.recv_timeout(pause) {
                Ok(()) => {
                    // One look serves everyone who has called so far.
                    while woken.try_recv().is_ok() {}
                    (true, false)
                }
                Err(RecvTimeoutError::Timeout) => (false, false),
                Err(RecvTimeoutError::Disconnected) => (false, true),
            };
            if is_called {
                called = Some(Instant::now());
            }
            let is_quiet = called.is_none_or(|at| at.elapsed() >= quiet);
            if self.ticks.is_due(Instant::now(), is_called) {
                self.tick();
            }
            if self.look(Instant::now(), is_last) || self.has_work() {
                changed = Instant::now();
            }
            let is_at_rest = self.backoff.until.is_none() && changed.elapsed() >= REST;
            if is_last || is_at_rest {
                self.persist();
            }
            if is_last {
                return;
            }
            // Nobody has called for a while, be it a short one: a registry that is
            // written to all day long has no other.
            if self.backoff.until.is_none() {
                if is_quiet {
                    self.write_answers();
                }
                self.expire();
            }
        }
    }

    /// Follows the journal, which nothing holds up, and brings the tree up
    /// unless that failed a moment ago. Returns whether the tree is further.
    pub(super) fn look(&mut self, now: Instant, is_last: bool) -> bool {
        self.probe_storage(now);
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

    /// Publishes counters: the tree gets them with the next look.
    fn tick(&mut self) {
        // What others have written counts too.
        if let Err(error) = self.registry.catch_up() {
            return tracing::warn!(%error, "the journal cannot be followed, and counters wait");
        }
        let done = self.registry.publish_counters(&self.local, self.ticks.batch());
        if let Err(error) = done {
            tracing::warn!(%error, "counters cannot be published; trying again");
        }
    }

    /// Tries a disk that has refused a write, so that it is known when it takes
    /// some again.
    fn probe_storage(&mut self, now: Instant) {
        if self.registry.is_writable() {
            self.storage = Backoff::default();
        } else if self.storage.is_over(now) && self.registry.probe_storage().is_err() {
            self.storage.failed(now);
        }
    }

    /// Takes the tree's lock, unless another process has it.
    fn take_over(&mut self) -> Result<(), TreeError> {
        if self.mirror.is_none()
            && let Some(tree) = &self.tree
            && let Some(locked) = tree.lock()?
        {
            // Whoever had the lock has shown them already.
            if let Err(error) = self.registry.refresh_counters(&self.local) {
                tracing::warn!(%error, "published counters cannot be read; the tree may show older ones");
            }
            self.documents.open();
            let locked = locked.with_observer(Arc::clone(&self.documents) as Arc<dyn TreeObserver>);
            let (public, store) = (self.registry.public(), self.registry.store());
            let sources = Sources { public, search: Arc::clone(&self.search), store };
            self.mirror =
                Some(TreePublisher::new(sources, self.settings.clone(), locked, self.search_retention));
        }
        Ok(())
    }

    /// Brings the tree up to the catalog, or sees how far it was brought.
    fn keep(&mut self) -> Result<Revision, TreeError> {
        self.take_over()?;
        let Some(tree) = &self.tree else { return Ok(0) };
        match &mut self.mirror {
            Some(mirror) => mirror.catch_up(),
            None => Ok(tree.holds(self.registry.public().read().feed().epoch()).revision),
        }
    }

    /// Tells everyone how it went. Returns whether the tree is further.
    fn note(&self, outcome: Result<Revision, TreeError>) -> bool {
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

    /// Whether there is something to do that nobody waits for.
    fn has_work(&self) -> bool {
        self.backoff.until.is_none() && self.mirror.as_ref().is_some_and(TreePublisher::has_missing_answers)
    }

    /// Makes some answers to common queries.
    fn write_answers(&mut self) {
        if let Some(mirror) = &mut self.mirror
            && let Err(error) = mirror.write_answers()
        {
            tracing::warn!(%error, "answers to common queries cannot be written; trying again");
            self.backoff.failed(Instant::now());
        }
    }

    /// Removes pieces of the search index whose time is over.
    fn expire(&mut self) {
        if let Some(mirror) = &mut self.mirror
            && let Err(error) = mirror.expire()
        {
            tracing::warn!(%error, "superseded pieces of the search index could not be removed");
        }
    }

    fn persist(&mut self) {
        if let Some(mirror) = &mut self.mirror
            && let Err(error) = mirror.persist()
        {
            tracing::warn!(%error, "the tree could not be brought to stable storage");
        }
    }
}

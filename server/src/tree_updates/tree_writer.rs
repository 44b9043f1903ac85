//! The work of the background thread.

mod take_over;
pub(super) mod turn;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use generator::{OwnProgress, TreeError, TreePublisher};
use registry::journal::Revision;
use registry::with_causes;
use tokio::sync::watch;

use self::turn::Turn;
use super::backoff::Backoff;
use super::counter_ticks::CounterTimer;
use super::list_timer::ListTimer;
use super::{Failure, Progress, PublisherParts, SharedUploader, Wake};

/// Time without changes before the tree is synced to the disk.
const SYNC_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) struct TreeWriter {
    parts: PublisherParts,
    /// `None` until this process has the lock of the tree.
    publisher: Option<TreePublisher>,
    pub(super) backoff: Backoff,
    /// For a disk of the data folder that refuses writes.
    storage_backoff: Backoff,
    report: watch::Sender<Progress>,
    ticks: CounterTimer,
    lists: ListTimer,
    /// Whether the next update compares every file.
    compare: Arc<AtomicBool>,
    uploader: SharedUploader,
}

impl Drop for TreeWriter {
    fn drop(&mut self) {
        // Before the lock of the tree is released, even after a panic.
        self.parts.documents.close();
        // This brings the bucket up to date. Its progress can be read meanwhile.
        let uploader = self.uploader.lock().take();
        drop(uploader);
    }
}

impl TreeWriter {
    pub(super) fn new(
        parts: PublisherParts,
        report: watch::Sender<Progress>,
        compare: Arc<AtomicBool>,
        uploader: SharedUploader,
    ) -> Self {
        let ticks = CounterTimer::new(parts.settings.ticks, Instant::now());
        let lists = ListTimer::new(parts.settings.lists_interval);
        let (backoff, storage_backoff) = (Backoff::default(), Backoff::default());
        Self { parts, publisher: None, backoff, storage_backoff, report, ticks, lists, compare, uploader }
    }

    /// Brings the tree up to date before the server takes requests. Does nothing
    /// if the tree is up to date already.
    pub(super) fn prepare(&mut self) {
        // `update` fails in the same way and reports it.
        let _ = self.take_over();
        match self.publisher.as_ref().and_then(TreePublisher::up_to_date_revision) {
            Some(revision) => self.report(Ok(revision)),
            None => self.update(Instant::now(), false),
        };
    }

    pub(super) fn run(mut self, wakes: &mpsc::Receiver<Wake>) {
        // Builds the search index, which `prepare` does not need for a tree that
        // is up to date.
        self.update(Instant::now(), false);
        // Without this the first search would build the index, if no tree needs it.
        drop(self.parts.search.current(&self.parts.registry.public().read()));
        let (mut changed, mut last_turn) = (Instant::now(), Instant::now());
        loop {
            let turn = self.next_turn(wakes, last_turn);
            last_turn = Instant::now();
            if self.ticks.is_due(last_turn, matches!(turn, Turn::Own | Turn::All)) {
                self.publish_counters();
            }
            let has_own = turn == Turn::Own && self.update_own(Instant::now());
            let is_all_due = !has_own || self.lists.is_due(Instant::now());
            if is_all_due && self.update(Instant::now(), turn == Turn::Last) {
                changed = Instant::now();
            }
            self.clean_up(turn, changed);
            if turn == Turn::Last {
                return;
            }
        }
    }

    /// Syncs the tree after some time without changes, and removes old files when nobody waits.
    fn clean_up(&mut self, turn: Turn, changed: Instant) {
        let is_failing = self.backoff.is_failing();
        if turn == Turn::Last || (!is_failing && changed.elapsed() >= SYNC_TIMEOUT) {
            self.attempt("sync the tree to the disk", TreePublisher::persist);
        }
        if turn == Turn::Quiet && !is_failing {
            self.attempt("remove expired pieces of the search index", TreePublisher::expire);
        }
    }

    /// Writes the documents of changed skills. Returns whether that was done and is enough for the writes
    /// that wait for it.
    fn update_own(&mut self, now: Instant) -> bool {
        let Some(publisher) = &mut self.publisher else { return false };
        if self.backoff.is_failing() {
            return false;
        }
        self.lists.note(publisher.is_behind(), now);
        self.parts.documents.set_behind(publisher.lacks_rows());
        match publisher.write_own_documents() {
            Ok(Some(own)) => {
                // Late rows need an update of everything.
                let is_enough = own.late.is_empty();
                self.report_own(own);
                is_enough
            }
            // An update of everything meets the same failure, and reports it.
            Ok(None) | Err(_) => false,
        }
    }

    /// Reads the journal, then brings the tree up to date unless that failed a
    /// moment ago. Returns whether the tree has a new revision.
    pub(super) fn update(&mut self, now: Instant, is_last: bool) -> bool {
        self.probe_storage(now);
        if let Err(error) = self.parts.registry.catch_up() {
            return self.report(Err(error.into()));
        }
        if !is_last && !self.backoff.is_over(now) {
            return false;
        }
        let outcome = self.publish();
        let is_behind = self.publisher.as_ref().is_some_and(TreePublisher::is_behind);
        match outcome {
            Ok(_) => {
                self.uploader.lock().iter().for_each(|uploader| uploader.tree_is_ready());
                self.backoff = Backoff::default();
                self.lists.written(is_behind, now);
            }
            Err(_) => {
                self.backoff.failed(now);
                self.lists.note(is_behind, now);
            }
        }
        self.parts.documents.set_behind(self.lacks_rows(&outcome));
        self.report(outcome)
    }

    /// Whether the lists in the tree lack a row.
    fn lacks_rows(&self, outcome: &Result<Revision, TreeError>) -> bool {
        match (&self.publisher, outcome) {
            (Some(publisher), _) => publisher.lacks_rows(),
            (None, Ok(revision)) => *revision < self.parts.registry.public().read().revision(),
            (None, Err(_)) => true,
        }
    }

    /// Publishes counters; the next update writes them to the tree.
    fn publish_counters(&mut self) {
        let PublisherParts { registry, local, .. } = &self.parts;
        // Rows of other processes change counters, too.
        if let Err(error) = registry.catch_up() {
            return tracing::warn!(error = %with_causes(&error), "cannot publish counters, because the journal cannot be read");
        }
        if let Err(error) = registry.publish_counters(local, self.ticks.batch()) {
            tracing::warn!(error = %with_causes(&error), "cannot publish counters; trying again");
        }
    }

    /// Tries to write to a disk that refused a write, to learn when it accepts
    /// writes again.
    fn probe_storage(&mut self, now: Instant) {
        let registry = &self.parts.registry;
        if registry.is_writable() {
            self.storage_backoff = Backoff::default();
        } else if self.storage_backoff.is_over(now) && registry.probe_storage().is_err() {
            self.storage_backoff.failed(now);
        }
    }

    /// Brings the tree up to date, or reads how far another process has brought it.
    fn publish(&mut self) -> Result<Revision, TreeError> {
        self.take_over()?;
        let Some(tree) = &self.parts.tree else { return Ok(0) };
        match &mut self.publisher {
            Some(publisher) => {
                if self.compare.swap(false, Ordering::Relaxed) {
                    tracing::info!("comparing every file of the tree");
                    publisher.distrust();
                }
                let (documents, report) = (&self.parts.documents, &self.report);
                publisher.catch_up_with(&mut |own| {
                    report.send_if_modified(|progress| {
                        let is_new = progress.reach_own(own);
                        if is_new {
                            // Before the writes are answered that the lists lack.
                            documents.set_behind(true);
                        }
                        is_new
                    });
                })
            }
            None => Ok(tree.holds(self.parts.registry.public().read().feed().epoch()).revision),
        }
    }

    /// Reports which rows the documents of changed skills show.
    fn report_own(&self, own: OwnProgress) {
        self.report.send_if_modified(|progress| progress.reach_own(own));
    }

    /// Reports the outcome of an update. Returns whether the tree has a new
    /// revision.
    fn report(&self, outcome: Result<Revision, TreeError>) -> bool {
        let mut is_new = false;
        let target = self.parts.registry.public().read().revision();
        self.report.send_if_modified(|progress| {
            let was_up_to_date = progress.was_up_to_date;
            let failure = match &outcome {
                Ok(revision) => {
                    progress.was_up_to_date |= *revision >= target;
                    is_new = *revision != progress.revision;
                    progress.revision = *revision;
                    progress.own = OwnProgress { revision: *revision, ..OwnProgress::default() };
                    None
                }
                Err(error) => Some(Failure::from(error)),
            };
            let is_known = failure == progress.failure;
            if let Some(failure) = failure.as_ref().filter(|_| !is_known) {
                let failure = failure.logged.as_str();
                tracing::error!(failure, "cannot bring the tree up to date; trying again");
            }
            progress.failure = failure;
            let kept = std::mem::replace(&mut progress.keeps_tree, self.publisher.is_some());
            is_new || !is_known || was_up_to_date != progress.was_up_to_date || kept != progress.keeps_tree
        });
        is_new
    }

    /// Works on the tree, if this process writes it. A failure is only logged.
    fn attempt(&mut self, what: &str, work: impl FnOnce(&mut TreePublisher) -> Result<(), TreeError>) {
        if let Some(Err(error)) = self.publisher.as_mut().map(work) {
            tracing::warn!(error = %with_causes(&error), "cannot {what}");
        }
    }
}

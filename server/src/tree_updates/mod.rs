//! The background thread that follows the journal, to which other processes also
//! write, and keeps the tree up to date.

mod backoff;
mod counter_ticks;
pub(crate) mod gc_timer;
mod list_timer;
mod tree_writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use generator::search::SharedIndex;
use generator::settings::TreeSettings;
use generator::tree::{Claimant, TargetProgress, TargetWriter, Tree, TreeObserver, TreeTarget};
use generator::{OwnProgress, Retention, Signing, TreeError, WorkProgress};
use parking_lot::Mutex;
use registry::journal::Revision;
use registry::local::LocalStore;
use registry::{Registry, with_causes};
use tokio::sync::watch;

pub use self::counter_ticks::CounterTicks;
use self::tree_writer::TreeWriter;
use crate::reads::document_cache::DocumentCache;

/// The owner of the registry's tree.
pub fn claimant(registry: &Registry) -> Claimant {
    let public = registry.public();
    let public = public.read();
    Claimant::Registry(public.epochs().cloned().collect())
}

/// The most documents that a failure names to the public.
const MAX_NAMED_DOCUMENTS: usize = 5;

/// Settings of the background thread.
#[derive(Debug, Clone)]
pub struct PublisherSettings {
    /// The settings that the tree depends on.
    pub tree: TreeSettings,
    /// Who signs the checkpoints of the tree.
    pub signing: Signing,
    /// When counters are published.
    pub ticks: CounterTicks,
    /// How long lists may wait for further changes. Zero: each write waits until they are written.
    pub lists_interval: Duration,
    /// How long expired pieces of the search index stay in the tree.
    pub search_retention: Retention,
    /// The bucket that follows the tree.
    pub target: Option<Arc<dyn TreeTarget>>,
    /// What tells a CDN in front of the tree which documents have changed.
    pub purger: Option<Arc<dyn TreeObserver>>,
    /// Whether the tree of another registry is replaced, and its bucket.
    pub replaces_tree: bool,
    /// Gets the number of documents written while the first tree is made, for a bar on the terminal.
    pub progress: WorkProgress,
}

/// The parts of a server or command that the background thread works with.
pub struct PublisherParts {
    /// The registry whose journal is followed.
    pub registry: Arc<Registry>,
    /// The local store, which counts downloads.
    pub local: Arc<LocalStore>,
    /// The search index of the registry's catalog.
    pub search: Arc<SharedIndex>,
    /// The tree to write; `None` to only follow the journal.
    pub tree: Option<Tree>,
    /// The cache to update with each document that is written.
    pub documents: Arc<DocumentCache>,
    /// Settings.
    pub settings: PublisherSettings,
}

/// What a write waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tiers {
    /// The documents of the changed skills ([`Tier::Own`](generator::address::Tier)).
    Own,
    /// All documents.
    All,
}

/// How far the tree is.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// The public rows that the documents of changed skills show.
    pub own: OwnProgress,
    /// The last public revision in the tree.
    pub revision: Revision,
    /// Why the last attempt to bring the tree up to date failed.
    pub failure: Option<Failure>,
    /// Whether the tree has been up to date at least once.
    pub was_up_to_date: bool,
    /// Whether this process writes the tree.
    pub keeps_tree: bool,
}

/// A failure, for two audiences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// For anyone: names public documents, but nothing of this machine.
    pub public: String,
    /// For the log, with the causes.
    logged: String,
}

impl Progress {
    /// Notes what the documents of changed skills show. Returns whether that is news.
    fn reach_own(&mut self, own: OwnProgress) -> bool {
        let is_new = own.revision > self.own.revision
            || (own.revision == self.own.revision && own.late != self.own.late);
        if is_new {
            self.own = own;
        }
        is_new
    }

    /// Whether these documents show this row.
    fn shows(&self, revision: Revision, tiers: Tiers) -> bool {
        self.revision >= revision || (tiers == Tiers::Own && self.own.shows(revision))
    }
}

impl From<&TreeError> for Failure {
    fn from(error: &TreeError) -> Self {
        let public = match error {
            TreeError::Files(failures) => {
                let named = failures.0.iter().take(MAX_NAMED_DOCUMENTS).map(|(file, _)| file.as_str());
                let more = failures.0.len().saturating_sub(MAX_NAMED_DOCUMENTS);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("these documents cannot be written: {}{more}", named.collect::<Vec<_>>().join(", "))
            }
            TreeError::Disturbed => error.to_string(),
            TreeError::Journal(_) | TreeError::Row(_) | TreeError::Io(_) | TreeError::Foreign(_) => {
                "an operation failed on the server; the log has the cause".to_owned()
            }
        };
        Self { public, logged: with_causes(error) }
    }
}

/// The handle of the background thread. When it is dropped, the thread brings the
/// tree up to date once more and ends.
pub struct PublisherThread {
    progress: watch::Receiver<Progress>,
    wake: Option<Arc<mpsc::Sender<Wake>>>,
    /// Whether the next update compares every file of the tree.
    compare: Arc<AtomicBool>,
    uploader: SharedUploader,
    thread: Option<JoinHandle<()>>,
}

/// Why the thread is woken, the most urgent last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Wake {
    /// The journal may have rows of other processes.
    Look,
    /// Documents are to be written without waiting for further changes.
    Write(Tiers),
}

/// What keeps the bucket up to date, while this process writes the tree.
type SharedUploader = Arc<Mutex<Option<Box<dyn TargetWriter>>>>;

impl PublisherThread {
    /// Brings the tree up to date, then starts the thread. The process that has
    /// the lock of the tree writes it; the others wait for the lock.
    ///
    /// Errors: the operating system cannot start a thread.
    pub fn start(parts: PublisherParts) -> std::io::Result<Self> {
        let (wake, wakes) = mpsc::channel();
        let wake = Arc::new(wake);
        // Ends with this handle, or the thread would never end.
        let other = Arc::downgrade(&wake);
        parts.registry.on_append(Arc::new(move || {
            if let Some(wake) = other.upgrade() {
                let _ = wake.send(Wake::Look);
            }
        }));
        let (report, progress) = watch::channel(Progress::default());
        let compare = Arc::new(AtomicBool::new(false));
        let uploader = SharedUploader::default();
        let mut writer = TreeWriter::new(parts, report, Arc::clone(&compare), Arc::clone(&uploader));
        writer.prepare();
        let thread = std::thread::Builder::new().name("publisher".into());
        let thread = thread.spawn(move || writer.run(&wakes))?;
        Ok(Self { progress, wake: Some(wake), compare, uploader, thread: Some(thread) })
    }

    /// How far the tree is now.
    pub fn progress(&self) -> Progress {
        self.progress.borrow().clone()
    }

    /// The address of the bucket, and how far it is. None if this process writes none.
    pub fn target_progress(&self) -> Option<(String, TargetProgress)> {
        self.uploader.lock().as_ref().map(|uploader| (uploader.name().to_owned(), uploader.progress()))
    }

    /// Makes the thread write these documents at once, without waiting for further changes.
    pub fn wake(&self, tiers: Tiers) {
        if let Some(wake) = &self.wake {
            // Cannot fail: the thread ends only after this sender is dropped.
            let _ = wake.send(Wake::Write(tiers));
        }
    }

    /// Makes the thread compare every file of the tree, and repair what differs.
    pub fn repair(&self) {
        self.compare.store(true, Ordering::Relaxed);
        self.wake(Tiers::All);
    }

    /// Waits until the tree is up to date for the first time.
    pub async fn settled(&self) {
        let mut progress = self.progress.clone();
        // Cannot fail: the thread ends only after this handle is dropped.
        let _ = progress.wait_for(|progress| progress.was_up_to_date).await;
    }

    /// Waits until these documents show a public row, for `timeout` at most; zero only asks how
    /// far they are. Returns by how many revisions they are behind, 0 if they show it.
    pub async fn wait(&self, revision: Revision, tiers: Tiers, timeout: Duration) -> u64 {
        // Lists follow for the writes of a moment together, also those that somebody waits for.
        self.wake(Tiers::Own);
        if self.wait_until(timeout, |progress| progress.shows(revision, tiers)).await {
            return 0;
        }
        let progress = self.progress();
        let shown = if tiers == Tiers::Own { progress.own.revision } else { progress.revision };
        // A late row is behind although later ones are shown.
        revision.saturating_sub(shown).max(1)
    }

    /// Waits until the documents of changed skills show all public rows up to this one, for `timeout` at
    /// most. Returns whether they do.
    pub async fn wait_for_all_up_to(&self, revision: Revision, timeout: Duration) -> bool {
        if self.progress().own.shows_all(revision) {
            return true;
        }
        self.wake(Tiers::Own);
        self.wait_until(timeout, |progress| progress.own.shows_all(revision)).await
    }

    async fn wait_until(&self, timeout: Duration, is_met: impl Fn(&Progress) -> bool) -> bool {
        let mut progress = self.progress.clone();
        matches!(tokio::time::timeout(timeout, progress.wait_for(is_met)).await, Ok(Ok(_)))
    }
}

impl Drop for PublisherThread {
    fn drop(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take() {
            // The thread has logged its failures.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;

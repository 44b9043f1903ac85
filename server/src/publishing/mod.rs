//! What goes on in the background while the server runs: the journal is
//! followed, for other processes write to it too, and the tree is kept up.

mod backoff;
mod counter_ticks;
mod tree_writer;

use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use generator::search::SharedIndex;
use generator::settings::TreeSettings;
use generator::tree::Tree;
use generator::{Retention, TreeError};
use registry::Registry;
use registry::journal::Revision;
use registry::local::LocalStore;
use tokio::sync::watch;

use crate::document_cache::DocumentCache;
pub use counter_ticks::CounterTicks;
use tree_writer::TreeWriter;

/// How many documents a failure names to the public.
const MOST_NAMED: usize = 5;

/// How the tree is kept.
#[derive(Debug, Clone)]
pub struct PublisherSettings {
    /// What it depends on.
    pub tree: TreeSettings,
    /// When counters are published.
    pub ticks: CounterTicks,
    /// How long superseded pieces of the search index stay.
    pub search_retention: Retention,
}

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

impl From<&TreeError> for Failure {
    fn from(error: &TreeError) -> Self {
        let public = match error {
            TreeError::Files(failures) => {
                let named = failures.0.iter().take(MOST_NAMED).map(|(file, _)| file.as_str());
                let more = failures.0.len().saturating_sub(MOST_NAMED);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("these documents cannot be written: {}{more}", named.collect::<Vec<_>>().join(", "))
            }
            TreeError::Disturbed => error.to_string(),
            TreeError::Journal(_) | TreeError::Row(_) | TreeError::Io(_) => {
                "something fails on this machine, and the log says what".to_owned()
            }
        };
        Self { public, logged: error.to_string() }
    }
}

/// The handle of the background thread. The tree is brought up to date and the
/// thread ends when this is dropped.
pub struct PublisherThread {
    progress: watch::Receiver<Progress>,
    wake: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl PublisherThread {
    /// Starts following the journal and, where there is one, keeping `tree` up
    /// with it. With the tree's lock this process writes it; while another one
    /// has the lock, that one does. The index is that of the registry's catalog.
    pub fn start(
        of: (Arc<Registry>, Arc<LocalStore>, Arc<SharedIndex>),
        tree: Option<Tree>,
        settings: PublisherSettings,
        documents: Arc<DocumentCache>,
    ) -> std::io::Result<Self> {
        let (wake, woken) = mpsc::channel();
        let (report, progress) = watch::channel(Progress::default());
        let mut writer = TreeWriter::new(of, tree, settings, documents, report);
        writer.begin();
        let thread = std::thread::Builder::new().name("mirror".into()).spawn(move || writer.run(&woken))?;
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

impl Drop for PublisherThread {
    fn drop(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take() {
            // It has logged whatever went wrong.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;

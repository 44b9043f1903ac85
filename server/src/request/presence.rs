//! Whether the client of a write still waits for its response.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a client still waits for its response. A write goes on without its client, but costly
/// work that has not begun is better left out.
#[derive(Debug, Clone, Default)]
pub struct ClientPresence {
    has_gone: Arc<AtomicBool>,
}

impl ClientPresence {
    /// Whether the connection of the client has ended.
    pub fn has_gone(&self) -> bool {
        self.has_gone.load(Ordering::Relaxed)
    }

    /// The client waits until the result is dropped.
    pub(crate) fn waits(&self) -> Waiting {
        Waiting(self.clone())
    }
}

/// A client that waits.
pub(crate) struct Waiting(ClientPresence);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.has_gone.store(true, Ordering::Relaxed);
    }
}

//! Keeps rows from being appended for a while.
//!
//! A freeze is an entry under the number of the next row. An appender finds that taken, and waits for a
//! thaw, which is the entry behind it. The row then gets the index after the thaw. Nothing is deleted
//! or overwritten, so a request that the store does late changes nothing.
//!
//! A freeze ends by itself, as its process may be gone: each waiting process measures how long it has
//! known the last freeze. One that takes longer puts another one behind it.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use registry::journal::{JournalError, Revision};

use super::BucketJournal;
use super::entry::{Entry, entry_key};
use super::rows::Place;
use crate::objects::unique;

/// How long a freeze is believed, and how often it is renewed.
pub(super) const LIFETIME: Duration = Duration::from_secs(60);
const RENEWAL: Duration = Duration::from_secs(15);

/// How often a waiting process looks for the thaw, and how long it waits in all: a killed process must not
/// keep commands, which look for the first time, from writing.
const THAW_INTERVAL: Duration = Duration::from_millis(100);
const PATIENCE: Duration = Duration::from_secs(70);

impl BucketJournal {
    /// The index for the entry of the row `revision`. Waits for the end of a freeze.
    ///
    /// Errors: [`JournalError::Conflict`] if the row is there, and [`JournalError::Storage`] if
    /// the freeze does not end.
    pub(super) fn free_index(&self, epoch: &str, revision: Revision) -> Result<u32, JournalError> {
        let began = Instant::now();
        loop {
            let next = match self.place(epoch, revision, None)? {
                Place::Taken(_) => return Err(JournalError::Conflict { head: revision }),
                Place::Free(next) => next,
            };
            if !next.is_frozen || self.state.lock().known_for(revision, next) >= LIFETIME {
                return Ok(next.index);
            }
            if began.elapsed() >= PATIENCE {
                let why = "another process keeps rows from being appended: try again";
                return Err(JournalError::Storage(why.into()));
            }
            std::thread::sleep(THAW_INTERVAL);
        }
    }

    /// Does `work` while no row `revision` can be appended.
    pub(super) fn while_frozen(
        &self,
        epoch: &str,
        revision: Revision,
        work: &mut (dyn FnMut() -> Result<(), JournalError> + Send),
    ) -> Result<(), JournalError> {
        let name = unique();
        let first = self.free_index(epoch, revision)?;
        if !self.mark(epoch, revision, first, &Entry::Freeze(name.clone()))? {
            return Err(JournalError::Storage("another process was faster: try again".into()));
        }
        let (ended, end) = channel::<()>();
        std::thread::scope(|threads| {
            let renewal = threads.spawn(move || {
                let mut last = first;
                while end.recv_timeout(RENEWAL) == Err(RecvTimeoutError::Timeout) {
                    match self.mark(epoch, revision, last + 1, &Entry::Freeze(name.clone())) {
                        Ok(true) => last += 1,
                        // Somebody did not believe it any more.
                        Ok(false) => return None,
                        Err(_) => {}
                    }
                }
                Some((last, name))
            });
            let worked = work();
            drop(ended);
            let is_broken = match renewal.join() {
                // If it fails, the others wait for the end of the last freeze.
                Ok(Some((last, name))) => {
                    matches!(self.mark(epoch, revision, last + 1, &Entry::Thaw(name)), Ok(false))
                }
                Ok(None) | Err(_) => true,
            };
            if is_broken {
                let why = "it took so long that another process appended a row meanwhile: try again";
                return Err(JournalError::Storage(why.into()));
            }
            worked
        })
    }

    /// Creates an entry. Returns false if another one is there. The answer of the store may be lost.
    pub(super) fn mark(
        &self,
        epoch: &str,
        revision: Revision,
        index: u32,
        entry: &Entry,
    ) -> Result<bool, JournalError> {
        let bytes = serde_json::to_vec(entry).map_err(std::io::Error::other)?;
        let key = entry_key(epoch, revision, index);
        match self.store.create(&key, bytes.clone()) {
            Ok(true) => Ok(true),
            other => match self.store.get(&key)? {
                Some(found) => Ok(found == bytes),
                None => other,
            },
        }
    }
}

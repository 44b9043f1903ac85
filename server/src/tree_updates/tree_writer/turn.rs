//! Decides what the thread does next.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Instant;

use super::TreeWriter;
use crate::tree_updates::backoff::POLL_INTERVAL;
use crate::tree_updates::{Tiers, Wake};

/// What the thread does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tree_updates) enum Turn {
    /// Writes the documents of changed skills, and everything else if it has waited long enough.
    Own,
    /// Writes all documents.
    All,
    /// Writes what is left, because nothing has happened for a while.
    Quiet,
    /// Writes what is left, and ends.
    Last,
}

impl TreeWriter {
    /// Waits until there is something to do. One turn serves all wakes so far.
    pub(in crate::tree_updates) fn next_turn(
        &mut self,
        wakes: &mpsc::Receiver<Wake>,
        last_turn: Instant,
    ) -> Turn {
        loop {
            let patience = match self.backoff.is_failing() {
                true => POLL_INTERVAL,
                false => self.lists.patience(Instant::now(), POLL_INTERVAL),
            };
            let wake = match wakes.recv_timeout(patience.saturating_sub(last_turn.elapsed())) {
                Ok(first) => wakes.try_iter().fold(first, Wake::max),
                Err(RecvTimeoutError::Timeout) => Wake::Look,
                Err(RecvTimeoutError::Disconnected) => return Turn::Last,
            };
            match wake {
                Wake::Write(Tiers::Own) => return Turn::Own,
                Wake::Write(Tiers::All) => return Turn::All,
                Wake::Look => {}
            }
            // An import writes for a long time: its lists are written at intervals, like those of
            // writes through this process.
            if self.has_rows_of_others() {
                return Turn::Own;
            }
            // Before that, the row was private, or a write has already read it: goes on waiting.
            if last_turn.elapsed() >= patience {
                return Turn::Quiet;
            }
        }
    }

    /// Reads the journal. Returns whether another process has written public rows.
    fn has_rows_of_others(&mut self) -> bool {
        let registry = &self.parts.registry;
        let before = registry.public().read().revision();
        // An update meets the same failure, and reports it.
        let _ = registry.catch_up();
        let rows = registry.public().read().revision() - before;
        self.lists.note_rows_of_others(rows);
        rows > 0
    }
}

//! Whether the files of a tree are those of one state.
//!
//! `<output>.state/changes` has a number that grows when a change begins, and when it is complete. It
//! is odd in between, also if the writer was killed: then the next writer completes the change.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::{LockedTree, Tree, is_missing};

const NAME: &str = "changes";

impl Tree {
    /// A number that each change of the tree makes larger. `None` while a change is not complete.
    pub fn completed_changes(&self) -> Option<u64> {
        completed(&self.state())
    }
}

impl LockedTree {
    /// Says that a change begins, before its first file is written or removed.
    pub(crate) fn begin_change(&self) -> io::Result<()> {
        if !self.is_changing() {
            fs::write(self.state.join(NAME), (number(&self.state) | 1).to_string())?;
            self.is_changing.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Says that the tree's files are those of its head.
    pub(crate) fn end_change(&self) -> io::Result<()> {
        if self.is_changing() {
            fs::write(self.state.join(NAME), ((number(&self.state) | 1) + 1).to_string())?;
            self.is_changing.store(false, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Whether a change is not complete, of this process or of one before it.
    pub(crate) fn is_changing(&self) -> bool {
        self.is_changing.load(Ordering::Relaxed)
    }
}

/// The number, if no change is incomplete.
pub(super) fn completed(state: &Path) -> Option<u64> {
    match fs::read_to_string(state.join(NAME)) {
        // A file that is being written may be empty.
        Ok(text) => text.parse().ok().filter(|number| number % 2 == 0),
        Err(why) => is_missing(&why).then_some(0),
    }
}

fn number(state: &Path) -> u64 {
    fs::read_to_string(state.join(NAME)).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

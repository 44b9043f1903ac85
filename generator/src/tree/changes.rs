//! Whether the files of a tree are those of one state.
//!
//! `<output>.state/changes` has a number that grows when a change begins, and when it is complete. It
//! is odd in between, also if the writer was killed: then the next writer completes the change.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Tree, is_missing};

impl Tree {
    /// A number that each change of the tree makes larger. `None` while a change is not complete.
    pub fn completed_changes(&self) -> Option<u64> {
        completed(&file(&self.state()))
    }
}

/// The number of a tree's changes.
#[derive(Debug)]
pub(crate) struct Changes {
    file: PathBuf,
    is_changing: AtomicBool,
}

impl Changes {
    /// Those of the tree with this state folder.
    pub(super) fn of(state: &Path) -> Self {
        let file = file(state);
        let is_changing = AtomicBool::new(completed(&file).is_none());
        Self { file, is_changing }
    }

    /// Says that a change begins, before its first file is written or removed.
    pub(crate) fn begin(&self) -> io::Result<()> {
        if !self.is_changing() {
            self.store(|number| number | 1)?;
            self.is_changing.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Says that the tree's files are those of its head.
    pub(crate) fn end(&self) -> io::Result<()> {
        if self.is_changing() {
            self.store(|number| (number | 1) + 1)?;
            self.is_changing.store(false, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Whether a change is not complete, of this process or of one before it.
    pub(crate) fn is_changing(&self) -> bool {
        self.is_changing.load(Ordering::Relaxed)
    }

    fn store(&self, next: impl Fn(u64) -> u64) -> io::Result<()> {
        let number = fs::read_to_string(&self.file).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        fs::write(&self.file, next(number).to_string())
    }
}

fn file(state: &Path) -> PathBuf {
    state.join("changes")
}

/// The number, if no change is incomplete.
fn completed(file: &Path) -> Option<u64> {
    match fs::read_to_string(file) {
        // A file that is being written may be empty.
        Ok(text) => text.parse().ok().filter(|number| number % 2 == 0),
        Err(why) => is_missing(&why).then_some(0),
    }
}

//! `skillmirror watch` as a process.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use super::program::{end, eventually, program};

/// A `watch` that is running; killed when dropped.
pub struct Watch {
    child: Child,
    log: PathBuf,
}

impl Watch {
    /// Starts it in `folder`. What it says goes to `watch.log` there, anew.
    #[track_caller]
    pub fn start<A: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>) -> Self {
        let log = folder.join("watch.log");
        let out = File::create(&log).expect("a log");
        let errors = out.try_clone().expect("a log");
        let child = program(folder)
            .arg("watch")
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(errors)
            .spawn()
            .expect("the program starts");
        Self { child, log }
    }

    /// What it has said so far.
    pub fn printed(&self) -> String {
        std::fs::read_to_string(&self.log).expect("a log")
    }

    /// Waits until it says `words`.
    #[track_caller]
    pub fn until_it_says(self, words: &str) -> Self {
        eventually(&format!("watch says `{words}`"), || self.printed().contains(words).then_some(()));
        self
    }

    /// Waits until it says that its tree is up to date.
    #[track_caller]
    pub fn ready(self) -> Self {
        self.until_it_says("keeping the static tree in ")
    }

    /// Ends it without a word.
    pub fn kill(self) {
        drop(self);
    }

    /// Asks it to end and returns its exit code.
    #[track_caller]
    pub fn terminate(mut self) -> i32 {
        end(&mut self.child)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

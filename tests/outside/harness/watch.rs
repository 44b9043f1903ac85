//! `skillmirror watch` as a process.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use super::program::{Process, end, eventually, program};

/// A running `watch`. Dropping it kills it.
pub struct Watch {
    child: Child,
    log: PathBuf,
}

impl Watch {
    /// Starts `watch` in `folder` and writes its output to a new `watch.log` there.
    #[track_caller]
    pub fn start<A: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>) -> Self {
        Self::of("watch", folder, arguments)
    }

    /// Starts another command that goes on until SIGTERM, with a log named for it.
    #[track_caller]
    pub fn of<A: AsRef<OsStr>>(command: &str, folder: &Path, arguments: impl IntoIterator<Item = A>) -> Self {
        let log = folder.join(format!("{command}.log"));
        let out = File::create(&log).expect("a log");
        let errors = out.try_clone().expect("a log");
        let child = program(folder)
            .arg(command)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(errors)
            .spawn()
            .expect("the program starts");
        Self { child, log }
    }

    /// The output so far.
    pub fn printed(&self) -> String {
        std::fs::read_to_string(&self.log).expect("a log")
    }

    /// Waits until the output contains `words`.
    #[track_caller]
    pub fn until_it_says(self, words: &str) -> Self {
        eventually(&format!("watch says `{words}`"), || self.printed().contains(words).then_some(()));
        self
    }

    /// Waits until it prints that its tree is up to date.
    #[track_caller]
    pub fn ready(self) -> Self {
        self.until_it_says("updating the static tree in ")
    }

    /// Sends it SIGHUP.
    #[track_caller]
    pub fn hang_up(&self) {
        Process::of(&self.child).hang_up();
    }

    /// Presses Ctrl-C.
    #[track_caller]
    pub fn interrupt(&self) {
        Process::of(&self.child).interrupt();
    }

    /// Kills it.
    pub fn kill(self) {
        drop(self);
    }

    /// Ends it with SIGTERM and returns its exit code.
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

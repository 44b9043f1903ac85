//! How far long work on a tree is.

use std::fmt;
use std::sync::Arc;

/// Gets the noun of what is counted, how many are done, and how many there are.
type Watch = dyn Fn(&'static str, usize, usize) + Send + Sync;

/// Reports how far long work is, for a bar on a terminal. The default reports to nobody.
#[derive(Clone, Default)]
pub struct WorkProgress(Option<Arc<Watch>>);

impl WorkProgress {
    /// Calls `watch` at the beginning and after each step of any work. At the end of a work, all are done, also if it failed.
    pub fn new(watch: impl Fn(&'static str, usize, usize) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(watch)))
    }

    /// Begins work on all `nouns`, which are counted only if somebody watches.
    pub(crate) fn begin(&self, nouns: &'static str, all: impl FnOnce() -> usize) -> Steps {
        let all = if self.0.is_some() { all() } else { 0 };
        let mut steps = Steps { progress: self.clone(), nouns, done: 0, all };
        steps.add(0);
        steps
    }
}

impl fmt::Debug for WorkProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WorkProgress({})", if self.0.is_some() { "watched" } else { "unwatched" })
    }
}

/// A work that goes on. Dropping it ends it.
pub(crate) struct Steps {
    progress: WorkProgress,
    nouns: &'static str,
    done: usize,
    all: usize,
}

impl Steps {
    /// As many more are done.
    pub fn add(&mut self, done: usize) {
        self.done += done;
        if let Some(watch) = &self.progress.0 {
            watch(self.nouns, self.done.min(self.all), self.all);
        }
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.add(self.all);
    }
}

//! A progress bar of work that may be short.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::progress_bar;

/// Small work shows the bar after this time.
const SHOW_AFTER: Duration = Duration::from_millis(500);

/// A bar on standard error for work that is large or slow. Dropping it clears it.
pub struct SlowBar {
    started: Instant,
    bar: Option<ProgressBar>,
}

impl SlowBar {
    /// The bar of work that starts now.
    pub fn new() -> Self {
        Self { started: Instant::now(), bar: None }
    }

    /// Shows that `done` of `all` are done.
    pub fn show(&mut self, done: u64, all: u64, is_large: bool, template: &str) {
        if self.bar.is_none() && (is_large || self.started.elapsed() > SHOW_AFTER) {
            self.bar = Some(progress_bar(all, template));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        }
    }
}

impl Drop for SlowBar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

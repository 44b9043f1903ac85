//! The progress bar of a download.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::output::progress_bar;

/// Downloads larger than 1 MiB show the bar at once.
const LARGE_BYTES: u64 = 1 << 20;

/// Other downloads show the bar after this time.
const SHOW_AFTER: Duration = Duration::from_millis(500);

/// A bar on standard error for downloads that are large or slow. Dropping it clears it.
pub struct DownloadBar {
    started: Instant,
    bar: Option<ProgressBar>,
}

impl DownloadBar {
    /// The bar of a download that starts now.
    pub fn new() -> Self {
        Self { started: Instant::now(), bar: None }
    }

    /// Shows that `received` bytes of `total` have arrived.
    pub fn show(&mut self, received: u64, total: Option<u64>) {
        let is_long = total.is_some_and(|total| total > LARGE_BYTES) || self.started.elapsed() > SHOW_AFTER;
        if self.bar.is_none() && is_long {
            let template = match total {
                Some(_) => "{bar:30} {bytes}/{total_bytes} {bytes_per_sec}",
                None => "{spinner} {bytes} {bytes_per_sec}",
            };
            self.bar = Some(progress_bar(total.unwrap_or_default(), template));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(received);
        }
    }
}

impl Drop for DownloadBar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

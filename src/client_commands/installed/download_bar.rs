//! The progress bar of a download.

use crate::output::SlowBar;

/// Downloads larger than 1 MiB show the bar at once.
const LARGE_BYTES: u64 = 1 << 20;

/// A bar on standard error for downloads that are large or slow. Dropping it clears it.
pub struct DownloadBar(SlowBar);

impl DownloadBar {
    /// The bar of a download that starts now.
    pub fn new() -> Self {
        Self(SlowBar::new())
    }

    /// Shows that `received` bytes of `total` have arrived.
    pub fn show(&mut self, received: u64, total: Option<u64>) {
        let template = match total {
            Some(_) => "{bar:30} {bytes}/{total_bytes} {bytes_per_sec}",
            None => "{spinner} {bytes} {bytes_per_sec}",
        };
        let total = total.unwrap_or_default();
        self.0.show(received, total, total > LARGE_BYTES, template);
    }
}

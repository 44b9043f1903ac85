//! How far a download is, for who waits for it.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// From this size on a bar is shown at once: 1 MiB.
const LARGE: u64 = 1 << 20;

/// After this time it is shown for anything.
const MOMENT: Duration = Duration::from_millis(500);

/// A bar on standard error, where that is a terminal, and only for what is large
/// or slow; gone with the value.
pub struct DownloadBar {
    started: Instant,
    bar: Option<ProgressBar>,
}

impl DownloadBar {
    /// For a download that begins now.
    pub fn new() -> Self {
        Self { started: Instant::now(), bar: None }
    }

    /// Shows that `so_far` bytes of `all` are there.
    pub fn show(&mut self, so_far: u64, all: Option<u64>) {
        let is_long = all.is_some_and(|all| all > LARGE) || self.started.elapsed() > MOMENT;
        if self.bar.is_none() && is_long {
            self.bar = Some(bar(all));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(so_far);
        }
    }
}

fn bar(all: Option<u64>) -> ProgressBar {
    let (bar, template) = match all {
        Some(all) => (ProgressBar::new(all), "{bar:30} {bytes}/{total_bytes} {bytes_per_sec}"),
        None => (ProgressBar::new_spinner(), "{spinner} {bytes} {bytes_per_sec}"),
    };
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

impl Drop for DownloadBar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

//! Progress bars.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for `length` steps on standard error. It draws nothing unless that is a terminal.
pub fn progress_bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style)
}

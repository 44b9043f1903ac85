//! Lines for the person at the terminal, before a command ends.

use std::sync::OnceLock;

static SHOW: OnceLock<fn(&str)> = OnceLock::new();

/// Sets the function that shows notes. A note says that a command waits, before it tries a request again
/// or for another command in the same folder, or that a lock file has the marks of a merge. Only the
/// first call has an effect.
pub fn show_with(show: fn(&str)) {
    SHOW.get_or_init(|| show);
}

/// Shows a line, if somebody wants to see it.
pub(crate) fn show(line: &str) {
    if let Some(show) = SHOW.get() {
        show(line);
    }
}

//! The progress bar of work on a tree.

use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, PoisonError};

use generator::WorkProgress;

use crate::output::SlowBar;

/// From so many documents on, the bar is shown at once.
const LARGE: usize = 100;

/// Shows a bar on standard error while work on a tree is large or slow, if that is a terminal.
pub fn tree_progress() -> WorkProgress {
    if !stderr().is_terminal() {
        return WorkProgress::default();
    }
    let shown = Mutex::new(None);
    WorkProgress::new(move |nouns, done, all| {
        let mut bar = shown.lock().unwrap_or_else(PoisonError::into_inner);
        if done == all {
            *bar = None;
            return;
        }
        let template = format!("{{bar:30}} {{pos}}/{{len}} {nouns}");
        bar.get_or_insert_with(SlowBar::new).show(done as u64, all as u64, all >= LARGE, &template);
    })
}

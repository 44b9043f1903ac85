//! The differing lines of two texts.

use std::fmt::Write;
use std::time::Instant;

use similar::{ChangeTag, TextDiff};

/// The number of equal lines around a difference.
const CONTEXT: usize = 3;

/// The unified hunks between two texts. Empty if they are equal.
pub(super) fn hunks(old: &str, new: &str, deadline: Instant) -> String {
    // The crate's own lines also end at a lone carriage return.
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let diff = TextDiff::configure().deadline(deadline).diff_slices(&old, &new);
    let mut text = String::new();
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        let _ = writeln!(text, "{}", hunk.header());
        for change in hunk.iter_changes() {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            let _ = write!(text, "{sign}{}", change.value());
            if !change.value().ends_with('\n') {
                text += "\n\\ No newline at end of file\n";
            }
        }
    }
    text
}

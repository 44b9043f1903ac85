//! The differing lines of two texts.

use std::fmt::Write;
use std::time::Instant;

use similar::{ChangeTag, TextDiff};

/// The number of equal lines around a difference.
const CONTEXT: usize = 3;

/// The most lines of a text that are compared. Equal lines at its beginning and end do not count.
const MAX_LINES: usize = 100_000;

/// The differing lines of two texts.
pub(super) struct Hunks {
    /// Unified hunks. Empty if the texts are equal.
    pub text: String,
    /// Whether the texts were not compared line by line, so that all lines are replaced.
    pub is_replaced: bool,
}

/// Compares two texts. If they have too many lines, or after `deadline`, all lines are replaced
/// instead.
pub(super) fn hunks(old: &str, new: &str, deadline: Instant) -> Hunks {
    // The crate's own lines also end at a lone carriage return.
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let least = old.len().min(new.len()) - same;
    let same =
        same + old.iter().rev().zip(new.iter().rev()).take(least).take_while(|(old, new)| old == new).count();
    let is_large = old.len().max(new.len()) - same > MAX_LINES;
    if !old.is_empty() && !new.is_empty() && (is_large || Instant::now() >= deadline) {
        return Hunks { text: replaced(&old, &new), is_replaced: true };
    }
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
            write_line(&mut text, sign, change.value());
        }
    }
    Hunks { text, is_replaced: false }
}

/// One hunk that removes all lines and adds all lines.
fn replaced(old: &[&str], new: &[&str]) -> String {
    let mut text = format!("@@ -1,{} +1,{} @@\n", old.len(), new.len());
    old.iter().for_each(|line| write_line(&mut text, '-', line));
    new.iter().for_each(|line| write_line(&mut text, '+', line));
    text
}

fn write_line(text: &mut String, sign: char, line: &str) {
    text.push(sign);
    text.push_str(line);
    if !line.ends_with('\n') {
        text.push_str("\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn texts_that_cost_too_much_are_shown_as_replaced() {
        let later = || Instant::now() + Duration::from_secs(600);
        let many = |word: &str| format!("{word}\n").repeat(MAX_LINES + 1);
        let large = hunks(&many("a"), &many("b"), later());
        assert!(large.is_replaced && large.text.starts_with("@@ -1,100001 +1,100001 @@\n-a\n"));
        let late = hunks("a\nb", "a\nc\n", Instant::now());
        assert_eq!(late.text, "@@ -1,2 +1,2 @@\n-a\n-b\n\\ No newline at end of file\n+a\n+c\n");
        // Equal lines at both ends do not count.
        let near = hunks(&many("a"), &(many("a") + "b\n"), later());
        assert!(!near.is_replaced && near.text.ends_with("+b\n"), "{}", near.text.len());
        // An added file is not compared.
        assert!(!hunks("", "a\n", Instant::now()).is_replaced);
    }
}

//! The differing lines of two texts.

use std::fmt::Write;
use std::time::{Duration, Instant};

use similar::ChangeTag;
use similar::algorithms::{Capture, Compact, IdentifyDistinct, Replace, myers};
use similar::udiff::UnifiedHunkHeader;

/// The number of equal lines around a difference.
const CONTEXT: usize = 3;

/// The most lines of a text that are compared. Equal lines at its beginning and end do not count.
const MAX_LINES: u64 = 100_000;

/// The most pairs of lines of two texts that are compared in any case, as of 2,000 lines with 2,000 others. That
/// takes some milliseconds.
const SMALL: u64 = 2_000 * 2_000;

/// What may still be spent on comparing the texts of two packages.
pub(super) struct Effort {
    /// Pairs of lines of small texts. So what is shown of these depends on no clock.
    pub pairs: u64,
    /// Time for large texts. Their number of pairs says little, because most of their lines are equal.
    pub time: Duration,
}

impl Effort {
    /// For all files of a package: 250 small texts that have nothing in common, or very many that differ in
    /// some lines, and a second for large texts.
    pub fn of_package() -> Self {
        Self { pairs: 250 * SMALL, time: Duration::from_secs(1) }
    }
}

/// The differing lines of two texts.
pub(super) struct Hunks {
    /// Unified hunks. Empty if the texts are equal.
    pub text: String,
    /// Whether the texts were not compared line by line, so that all lines are replaced.
    pub is_replaced: bool,
}

/// Compares two texts. If they have too many lines, or `effort` is spent, all lines are replaced instead.
pub(super) fn hunks(old: &str, new: &str, effort: &mut Effort) -> Hunks {
    // The crate's own lines also end at a lone carriage return.
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let least = old.len().min(new.len()) - same;
    let same =
        same + old.iter().rev().zip(new.iter().rev()).take(least).take_while(|(old, new)| old == new).count();
    let differing = [old.len() - same, new.len() - same].map(|lines| lines as u64);
    let pairs = differing[0].saturating_mul(differing[1]);
    let is_small = pairs <= SMALL.min(effort.pairs);
    if !is_small && (differing[0].max(differing[1]) > MAX_LINES || effort.time.is_zero()) {
        return Hunks { text: replaced(&old, &new), is_replaced: true };
    }
    let start = Instant::now();
    // After it, the difference is complete, but may be longer than necessary.
    let deadline = (!is_small).then(|| start + effort.time);
    if is_small {
        effort.pairs -= pairs;
    }
    let found = compare(&old, &new, deadline);
    if !is_small {
        effort.time = effort.time.saturating_sub(start.elapsed());
    }
    let mut text = String::new();
    for hunk in found.into_grouped_ops(CONTEXT) {
        let _ = writeln!(text, "{}", UnifiedHunkHeader::new(&hunk));
        for change in hunk.iter().flat_map(|part| part.iter_changes(&old[..], &new[..])) {
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

/// What differs between lists of lines.
///
/// `similar::TextDiff` does the same, but has all algorithms of the crate, and they are half a megabyte.
fn compare(old: &[&str], new: &[&str], deadline: Option<Instant>) -> Capture {
    let lines = IdentifyDistinct::<u32>::new(old, 0..old.len(), new, 0..new.len());
    let (old, new) = (lines.old_lookup(), lines.new_lookup());
    let mut found = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff_deadline(&mut found, old, lines.old_range(), new, lines.new_range(), deadline);
    found.into_inner().into_inner()
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
    use super::*;

    #[test]
    fn texts_that_cost_too_much_are_shown_as_replaced() {
        let spent = || Effort { pairs: 0, time: Duration::ZERO };
        let many = |word: &str| format!("{word}\n").repeat(100_001);
        let large = hunks(&many("a"), &many("b"), &mut Effort::of_package());
        assert!(large.is_replaced && large.text.starts_with("@@ -1,100001 +1,100001 @@\n-a\n"));
        let late = hunks("a\nb", "a\nc\n", &mut spent());
        assert_eq!(late.text, "@@ -1,2 +1,2 @@\n-a\n-b\n\\ No newline at end of file\n+a\n+c\n");
        // Equal lines at both ends do not count, and an added file is not compared.
        let near = hunks(&many("a"), &(many("a") + "b\n"), &mut spent());
        assert!(!near.is_replaced && near.text.ends_with("+b\n"), "{}", near.text.len());
        assert!(!hunks("", "a\n", &mut spent()).is_replaced);
    }

    #[test]
    fn small_texts_are_compared_however_long_others_took() {
        let mut effort = Effort { time: Duration::ZERO, ..Effort::of_package() };
        let lines = |word: &str| (0..1000).map(|at| format!("{word} {at}\n")).collect::<String>();
        let (old, new) = (lines("a"), lines("b"));
        for _ in 0..20 {
            assert!(!hunks(&old, &new, &mut effort).is_replaced);
        }
        let shown = hunks(&(lines("a") + "x\ny\n"), &(lines("a") + "z\ny\n"), &mut effort);
        assert!(shown.text.ends_with("-x\n+z\n y\n"), "{}", shown.text);
        assert_eq!(effort.pairs, 250 * SMALL - 20 * 1_000_000 - 1);
        // A large text has only its time.
        assert!(hunks(&old.repeat(3), &new.repeat(3), &mut effort).is_replaced);
    }
}

//! The differing lines of two texts.

use std::fmt::Write;
use std::time::{Duration, Instant};

use similar::ChangeTag;
use similar::algorithms::{Capture, Compact, DiffHook, IdentifyDistinct, NoFinishHook, Replace, myers};
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
    let prefix = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let least = old.len().min(new.len()) - prefix;
    let from_end = old.iter().rev().zip(new.iter().rev()).take(least);
    let suffix = from_end.take_while(|(old, new)| old == new).count();
    let differing = [&old, &new].map(|lines| (lines.len() - prefix - suffix) as u64);
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
    let ops = compare(&old, &new, [prefix, suffix], deadline);
    if !is_small {
        effort.time = effort.time.saturating_sub(start.elapsed());
    }
    let mut text = String::new();
    for hunk in ops.into_grouped_ops(CONTEXT) {
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

/// The differences of two lists of lines that have `equal` lines in common at their beginnings and ends.
///
/// `similar::TextDiff` finds the same, but the program would have all algorithms of the crate: half a megabyte.
fn compare(old: &[&str], new: &[&str], equal: [usize; 2], deadline: Option<Instant>) -> Capture {
    let [prefix, suffix] = equal;
    let [old_end, new_end] = [old, new].map(|lines| lines.len() - suffix);
    let mut ops = Compact::new(Replace::new(Capture::new()), old, new);
    if prefix > 0 {
        let Ok(()) = ops.equal(0, 0, prefix);
    }
    let Ok(()) = match (old_end - prefix, new_end - prefix) {
        (0, 0) => Ok(()),
        (0, added) => ops.insert(prefix, prefix, added),
        (removed, 0) => ops.delete(prefix, removed, prefix),
        _ => {
            let lines = IdentifyDistinct::<u32>::new(old, prefix..old_end, new, prefix..new_end);
            let (old, new) = (lines.old_lookup(), lines.new_lookup());
            let middle = &mut NoFinishHook::new(&mut ops);
            myers::diff_deadline(middle, old, lines.old_range(), new, lines.new_range(), deadline)
        }
    };
    if suffix > 0 {
        let Ok(()) = ops.equal(old_end, new_end, suffix);
    }
    let Ok(()) = ops.finish();
    ops.into_inner().into_inner()
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
    use proptest::prelude::*;
    use similar::TextDiff;

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

    proptest! {
        /// The crate's own comparison of texts is longer to build, and finds the same.
        #[test]
        fn hunks_are_those_of_the_crate(old in "([ab\\n]{0,8}\n){0,20}[ab]?", new in "([ab\\n]{0,8}\n){0,20}[ab]?") {
            let diff = TextDiff::from_lines(old.as_str(), new.as_str());
            let theirs = diff.unified_diff().context_radius(CONTEXT).to_string();
            prop_assert_eq!(hunks(&old, &new, &mut Effort::of_package()).text, theirs);
        }
    }
}

//! The headings that were found, within their bounds.

use crate::package::skill_md::inline::plain;

/// How many are budget.
pub(super) const MOST: usize = 64;

/// Characters of one.
pub(super) const LONGEST: usize = 128;

/// Bytes of all together.
pub(super) const TOGETHER: usize = 2 << 10;

/// Characters of markup that one is made from: the rest is not read, so that
/// brackets cost no more than their number.
pub(super) const MARKUP: usize = 4 * LONGEST;

/// How many are looked at, empty ones and doubles counted: it bounds the work
/// that 10 MiB of headings can cause.
pub(super) const TRIED: usize = 1_000;

/// What was found by now.
#[derive(Default)]
pub(super) struct HeadingBudget {
    pub headings: Vec<String>,
    bytes: usize,
    tried: usize,
    /// Whether no more are taken.
    pub is_full: bool,
}

impl HeadingBudget {
    /// Takes in the text of a heading.
    pub(super) fn add(&mut self, markdown: &str) {
        let start: String = markdown.chars().take(MARKUP).collect();
        let text = plain(&start);
        let text: String = text.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
        let text = text.trim();
        self.tried += 1;
        self.is_full |= self.tried == TRIED;
        if text.is_empty() || self.headings.iter().any(|other| other == text) {
            return;
        }
        self.bytes += text.len();
        if self.bytes > TOGETHER {
            self.is_full = true;
            return;
        }
        self.headings.push(text.to_owned());
        self.is_full |= self.headings.len() == MOST;
    }
}

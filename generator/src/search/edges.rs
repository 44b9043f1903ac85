//! Where a list is cut, at its best and behind all that are written.

use super::edge::{Step, edges as edges_of};
use super::packed::{Packed, Rank};
use super::piece::{BEST, written_df};

/// Where a list is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edges {
    /// The last skill that has a card.
    pub best: Rank,
    /// The last one that has a posting in the files.
    pub last: Rank,
}

impl Default for Edges {
    fn default() -> Self {
        Self { best: Rank::END, last: Rank::END }
    }
}

impl Edges {
    /// Those of a list with so many postings at most.
    pub fn of(skills: &[Packed], most: usize) -> Self {
        let [best, last] = edges_of(skills, [BEST, most]);
        Self { best, last }
    }

    /// Takes them along with one skill; `skills` are as they are after that. Says
    /// which others came over them, and whether the list is written otherwise.
    pub fn follow(&mut self, step: Step, skills: &[Packed], most: usize) -> ([Option<u64>; 2], bool) {
        let best = step.take(&mut self.best, skills, BEST);
        let last = step.take(&mut self.last, skills, most);
        ([best.moved, last.moved], last.is_before || is_other_df(step, skills.len(), most))
    }
}

/// Whether the files say of another number of skills than before the step, which there are
/// now so many of.
pub(super) fn is_other_df(step: Step, skills: usize, most: usize) -> bool {
    let before = skills + usize::from(step.old.is_some()) - usize::from(step.new.is_some());
    written_df(before, most) != written_df(skills, most)
}

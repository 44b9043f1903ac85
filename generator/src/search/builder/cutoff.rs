//! Cutoffs: where a list ends in the files, which have only its first skills by rank.
//!
//! A list has a cutoff after its candidates, which have cards, and one after its last
//! written posting. Both are kept with the list, so that a change after a cutoff is known
//! to leave everything before it as it is.

use super::rank::Rank;
use crate::search::format::posting::{Posting, max_candidates, max_postings, written_df};

/// The last skill among the first `max` of a list, for several values of `max`.
/// [`Rank::END`] if the list has no more than that.
pub fn cutoffs_of<const N: usize>(list: &[Posting], max: [usize; N]) -> [Rank; N] {
    if max.iter().all(|max| list.len() <= *max) {
        return [Rank::END; N];
    }
    let mut counts = [0usize; 64];
    for posting in list {
        counts[usize::from(posting.impact())] += 1;
    }
    max.map(|max| if list.len() <= max { Rank::END } else { cutoff(list, &counts, max) })
}

/// The last skill among the first `max`. `counts` has the number of skills of each impact.
fn cutoff(list: &[Posting], counts: &[usize; 64], max: usize) -> Rank {
    let mut left = max;
    for impact in (0..64u8).rev() {
        let count = counts[usize::from(impact)];
        if count >= left {
            let equal = list.iter().filter(|posting| posting.impact() == impact);
            let mut equal: Vec<Rank> = equal.map(|posting| posting.rank()).collect();
            return *equal.select_nth_unstable(left.saturating_sub(1)).1;
        }
        left -= count;
    }
    Rank::END
}

/// Effect of one skill's change on what is before a cutoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutoffChange {
    /// Whether the skill was before the cutoff, or is now.
    pub is_before: bool,
    /// Another skill that crossed the cutoff, in either direction.
    pub displaced: Option<Rank>,
}

/// Rank of one skill in a list before and after a change. None if it is not in the list.
#[derive(Debug, Clone, Copy)]
pub struct RankChange {
    pub old: Option<Rank>,
    pub new: Option<Rank>,
}

impl RankChange {
    /// Updates the cutoff after the first `max` of a list. `list` is as it is after the change.
    pub fn update(self, cutoff: &mut Rank, list: &[Posting], max: usize) -> CutoffChange {
        let before = *cutoff;
        let was_long = before != Rank::END;
        let is_before = [self.old, self.new].into_iter().flatten().any(|rank| rank <= before);
        if !is_before && was_long == (list.len() > max) {
            return CutoffChange { is_before, displaced: None };
        }
        *cutoff = match list.len() > max && was_long {
            true => self.next_cutoff(before, list),
            false => cutoffs_of(list, [max])[0],
        };
        let is_before =
            self.old.is_some_and(|rank| rank <= before) || self.new.is_some_and(|rank| rank <= *cutoff);
        let worst = || list.iter().map(|posting| posting.rank()).max();
        let is_other = |rank: &Rank| Some(*rank) != self.new && Some(*rank) != self.old;
        // At most one other skill crosses. It is the last one before one of the two cutoffs,
        // or the last of all where one of them is the end of the list.
        let displaced = match (was_long, *cutoff != Rank::END) {
            (true, true) if before > *cutoff => Some(before),
            (true, true) if before < *cutoff => Some(*cutoff),
            (true, false) => worst().filter(|rank| *rank > before),
            (false, true) => worst().filter(|rank| *rank > *cutoff),
            (true, true) | (false, false) => None,
        };
        CutoffChange { is_before, displaced: displaced.filter(is_other) }
    }

    /// The cutoff of a list that was longer than `max` and still is: as before, or a
    /// neighbour.
    fn next_cutoff(self, before: Rank, list: &[Posting]) -> Rank {
        let is_inside = |rank: Option<Rank>| rank.is_some_and(|rank| rank <= before);
        let ranks = list.iter().map(|posting| posting.rank());
        match (is_inside(self.old), is_inside(self.new)) {
            (true, false) => ranks.filter(|rank| *rank > before).min().unwrap_or(Rank::END),
            (false, true) => ranks.filter(|rank| *rank < before).max().unwrap_or(before),
            (true, true) => ranks.filter(|rank| *rank <= before).max().unwrap_or(before),
            (false, false) => before,
        }
    }

    /// Whether the change gives a list that now has `skills` skills another written `df`.
    pub fn changes_df(self, skills: usize, max: usize) -> bool {
        let before = skills + usize::from(self.old.is_some()) - usize::from(self.new.is_some());
        written_df(before, max) != written_df(skills, max)
    }
}

/// How many skills the list of a key is written with at most.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Skills with a card.
    pub candidates: usize,
    /// Skills with a posting.
    pub postings: usize,
}

impl Limits {
    /// The limits of a key.
    pub fn of(key: &[u8]) -> Self {
        Self { candidates: max_candidates(key), postings: max_postings(key) }
    }
}

/// The two cutoffs of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cutoffs {
    /// The last skill that has a card.
    pub candidates: Rank,
    /// The last skill that has a posting in the files.
    pub postings: Rank,
}

impl Default for Cutoffs {
    fn default() -> Self {
        Self { candidates: Rank::END, postings: Rank::END }
    }
}

impl Cutoffs {
    /// The cutoffs of a list.
    pub fn of(skills: &[Posting], limits: Limits) -> Self {
        let [candidates, postings] = cutoffs_of(skills, [limits.candidates, limits.postings]);
        Self { candidates, postings }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn list(skills: &BTreeMap<u64, u8>) -> Vec<Posting> {
        let mut list: Vec<_> = skills.iter().map(|(id, impact)| Posting::new(*id, *impact)).collect();
        list.sort();
        list
    }

    /// The first skills, found by sorting.
    fn first(list: &[Posting], max: usize) -> BTreeSet<u64> {
        let mut ranks: Vec<_> = list.iter().map(|posting| posting.rank()).collect();
        ranks.sort();
        ranks.into_iter().take(max).map(Rank::id).collect()
    }

    proptest::proptest! {
        #[test]
        fn cutoff_after_every_change_is_that_of_the_sorted_list(
            steps in proptest::collection::vec((1u64..14, proptest::option::of(1u8..5)), 1..120),
            max in 1usize..8,
        ) {
            let mut skills = BTreeMap::new();
            let mut kept = Rank::END;
            for (id, impact) in steps {
                let before = first(&list(&skills), max);
                let rank = |of: &BTreeMap<u64, u8>| {
                    list(of).into_iter().find(|posting| posting.id() == id).map(Posting::rank)
                };
                let old = rank(&skills);
                match impact {
                    Some(impact) => skills.insert(id, impact),
                    None => skills.remove(&id),
                };
                let (now, new) = (list(&skills), rank(&skills));
                let change = RankChange { old, new }.update(&mut kept, &now, max);
                proptest::prop_assert_eq!([kept], cutoffs_of(&now, [max]));
                let after = first(&now, max);
                proptest::prop_assert_eq!(change.is_before, before.contains(&id) || after.contains(&id));
                let displaced: Vec<_> =
                    before.symmetric_difference(&after).filter(|other| **other != id).collect();
                let crossed: Vec<u64> = change.displaced.into_iter().map(Rank::id).collect();
                proptest::prop_assert_eq!(crossed.iter().collect::<Vec<_>>(), displaced);
            }
        }
    }
}

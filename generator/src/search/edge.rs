//! Where a list is cut: only its first skills, by rank, are written.
//!
//! A list of many has two edges: behind its best, which have cards, and behind all
//! that have a posting. They are kept with it, so that it is known at once of a
//! change behind an edge that everything before it stays as it is.

use super::packed::{Packed, Rank};

/// The last skill of a list that is among its first `most`, for several such
/// numbers; [`Rank::END`] where all are.
pub(super) fn edges<const N: usize>(list: &[Packed], most: [usize; N]) -> [Rank; N] {
    if most.iter().all(|most| list.len() <= *most) {
        return [Rank::END; N];
    }
    let mut counts = [0usize; 64];
    for packed in list {
        counts[usize::from(packed.impact())] += 1;
    }
    most.map(|most| if list.len() <= most { Rank::END } else { edge(list, &counts, most) })
}

/// The same for one, with the number of skills of each impact.
fn edge(list: &[Packed], counts: &[usize; 64], most: usize) -> Rank {
    let mut left = most;
    for impact in (0..64u8).rev() {
        let count = counts[usize::from(impact)];
        if count >= left {
            let equal = list.iter().filter(|packed| packed.impact() == impact);
            let mut equal: Vec<Rank> = equal.map(|packed| packed.rank()).collect();
            return *equal.select_nth_unstable(left.saturating_sub(1)).1;
        }
        left -= count;
    }
    Rank::END
}

/// What the change of one skill's place in a list does at an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Crossing {
    /// Whether that skill stood before the edge, or does now.
    pub is_before: bool,
    /// Another skill that came over the edge, one way or the other.
    pub moved: Option<u64>,
}

/// Where one skill stood in a list and where it stands; None where it did not, or
/// does not any more.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub old: Option<Rank>,
    pub new: Option<Rank>,
}

impl Step {
    /// Takes a list's edge behind its first `most` along; `list` is as it is
    /// after the step.
    pub fn take(self, edge: &mut Rank, list: &[Packed], most: usize) -> Crossing {
        let before = *edge;
        let was_long = before != Rank::END;
        let is_before = [self.old, self.new].into_iter().flatten().any(|rank| rank <= before);
        if !is_before && was_long == (list.len() > most) {
            return Crossing { is_before, moved: None };
        }
        *edge = match list.len() > most && was_long {
            true => self.moved(before, list),
            false => edges(list, [most])[0],
        };
        let is_before =
            self.old.is_some_and(|rank| rank <= before) || self.new.is_some_and(|rank| rank <= *edge);
        let worst = || list.iter().map(|packed| packed.rank()).max();
        let is_other = |rank: &Rank| Some(*rank) != self.new && Some(*rank) != self.old;
        // At most one other skill: it stands last before one of the edges, or, where
        // all of the list were before one of them, last of all.
        let moved = match (was_long, *edge != Rank::END) {
            (true, true) if before > *edge => Some(before),
            (true, true) if before < *edge => Some(*edge),
            (true, false) => worst().filter(|rank| *rank > before),
            (false, true) => worst().filter(|rank| *rank > *edge),
            (true, true) | (false, false) => None,
        };
        Crossing { is_before, moved: moved.filter(is_other).map(Rank::id) }
    }

    /// Where the edge of a long list is that was at `before` and stays as far behind its
    /// beginning: there, or at a neighbour.
    fn moved(self, before: Rank, list: &[Packed]) -> Rank {
        let is_inside = |rank: Option<Rank>| rank.is_some_and(|rank| rank <= before);
        let ranks = list.iter().map(|packed| packed.rank());
        match (is_inside(self.old), is_inside(self.new)) {
            (true, false) => ranks.filter(|rank| *rank > before).min().unwrap_or(Rank::END),
            (false, true) => ranks.filter(|rank| *rank < before).max().unwrap_or(before),
            (true, true) => ranks.filter(|rank| *rank <= before).max().unwrap_or(before),
            (false, false) => before,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::search::packed::Member;

    fn list(skills: &BTreeMap<u64, u8>) -> Vec<Packed> {
        let member = |id: u64| Member { id, namespace: (id % 3) as u32 };
        let mut list: Vec<_> = skills.iter().map(|(id, impact)| Packed::new(member(*id), *impact)).collect();
        list.sort();
        list
    }

    /// The first skills, found by sorting.
    fn first(list: &[Packed], most: usize) -> BTreeSet<u64> {
        let mut ranks: Vec<_> = list.iter().map(|packed| packed.rank()).collect();
        ranks.sort();
        ranks.into_iter().take(most).map(Rank::id).collect()
    }

    proptest::proptest! {
        #[test]
        fn an_edge_follows_every_step(
            steps in proptest::collection::vec((1u64..14, proptest::option::of(1u8..5)), 1..120),
            most in 1usize..8,
        ) {
            let mut skills = BTreeMap::new();
            let mut kept = Rank::END;
            for (id, impact) in steps {
                let before = first(&list(&skills), most);
                let rank = |of: &BTreeMap<u64, u8>| {
                    list(of).into_iter().find(|packed| packed.id() == id).map(Packed::rank)
                };
                let old = rank(&skills);
                match impact {
                    Some(impact) => skills.insert(id, impact),
                    None => skills.remove(&id),
                };
                let (now, new) = (list(&skills), rank(&skills));
                let crossing = Step { old, new }.take(&mut kept, &now, most);
                proptest::prop_assert_eq!([kept], edges(&now, [most]));
                let after = first(&now, most);
                proptest::prop_assert_eq!(crossing.is_before, before.contains(&id) || after.contains(&id));
                let moved: Vec<_> = before.symmetric_difference(&after).filter(|other| **other != id).collect();
                proptest::prop_assert_eq!(crossing.moved.iter().collect::<Vec<_>>(), moved);
            }
        }
    }
}

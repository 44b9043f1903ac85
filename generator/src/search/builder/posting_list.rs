//! The skills under one key, and the cutoffs of its list in the files.

use super::cutoff::{Cutoffs, Limits, RankChange};
use super::rank::Rank;
use crate::search::format::posting::Posting;

/// The skills under one key.
#[derive(Debug, Default)]
pub struct PostingList {
    /// By id.
    skills: Vec<Posting>,
    /// Those that have a posting in the files, by id. None if all have one.
    written: Option<Vec<Posting>>,
    cutoffs: Cutoffs,
}

impl PostingList {
    /// The list of some skills, in any order.
    pub fn of(mut skills: Vec<Posting>, limits: Limits) -> Self {
        skills.sort_unstable();
        // Vectors that were filled one by one have room for as many again.
        skills.shrink_to_fit();
        let cutoffs = Cutoffs::of(&skills, limits);
        let mut list = Self { skills, written: None, cutoffs };
        list.collect_written();
        list
    }

    /// Number of skills.
    pub fn len(&self) -> usize {
        self.skills.len()
    }

    /// The skills that have a posting in the files, by id.
    pub fn written(&self) -> &[Posting] {
        self.written.as_deref().unwrap_or(&self.skills)
    }

    /// Whether the list gives a card to a skill of this rank.
    pub fn gives_card(&self, rank: Rank) -> bool {
        rank <= self.cutoffs.candidates
    }

    /// Whether the list has a skill and gives it a card.
    pub fn has_card(&self, id: u64) -> bool {
        let gives_card = |rank| rank <= self.cutoffs.postings && self.gives_card(rank);
        self.find(id).is_ok_and(|at| gives_card(self.skills[at].rank()))
    }

    fn find(&self, id: u64) -> Result<usize, usize> {
        self.skills.binary_search_by_key(&id, |posting| posting.id())
    }

    /// Sets the impact of a skill, or removes the skill. Returns whether the list, or its cards,
    /// are written differently.
    pub fn set(&mut self, id: u64, impact: Option<u8>, limits: Limits) -> bool {
        let new = impact.map(|impact| Posting::new(id, impact));
        let old = match (self.find(id), new) {
            (Ok(at), Some(new)) => Some(std::mem::replace(&mut self.skills[at], new)),
            (Ok(at), None) => Some(self.skills.remove(at)),
            (Err(at), Some(new)) => {
                self.skills.insert(at, new);
                None
            }
            (Err(_), None) => None,
        };
        if old == new {
            return false;
        }
        let change = RankChange { old: old.map(Posting::rank), new: new.map(Posting::rank) };
        let postings = change.update(&mut self.cutoffs.postings, &self.skills, limits.postings);
        self.update_written(change, postings.displaced);
        // The candidates are among the skills with a posting.
        let written = self.written.as_deref().unwrap_or(&self.skills);
        change.update(&mut self.cutoffs.candidates, written, limits.candidates);
        postings.is_before || change.changes_df(self.len(), limits.postings)
    }

    fn collect_written(&mut self) {
        let last = self.cutoffs.postings;
        self.written = (last != Rank::END)
            .then(|| self.skills.iter().copied().filter(|posting| posting.rank() <= last).collect());
    }

    /// Updates the written skills after their cutoff. `other` has crossed it.
    fn update_written(&mut self, change: RankChange, other: Option<Rank>) {
        let last = self.cutoffs.postings;
        let Some(written) = self.written.as_mut().filter(|_| last != Rank::END) else {
            return self.collect_written();
        };
        let find = |written: &[Posting], id: u64| written.binary_search_by_key(&id, |p| p.id());
        for id in change.old.into_iter().chain(other).map(Rank::id) {
            if let Ok(at) = find(written, id) {
                written.remove(at);
            }
        }
        for rank in change.new.into_iter().chain(other).filter(|rank| *rank <= last) {
            if let Err(at) = find(written, rank.id()) {
                written.insert(at, rank.posting());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// What is written of a list, found by sorting: the number of skills, the postings, the cards.
    fn written(skills: &BTreeMap<u64, u8>, limits: Limits) -> (usize, Vec<Rank>, Vec<Rank>) {
        let mut ranks: Vec<_> = skills.iter().map(|(id, impact)| Rank::of(*id, *impact)).collect();
        ranks.sort_unstable();
        let first = |max: usize| ranks.iter().take(max).copied().collect();
        (ranks.len(), first(limits.postings), first(limits.candidates))
    }

    fn listed(list: &PostingList) -> (usize, Vec<Rank>, Vec<Rank>) {
        let mut ranks: Vec<_> = list.written().iter().map(|posting| posting.rank()).collect();
        ranks.sort_unstable();
        let cards = ranks.iter().copied().filter(|rank| list.gives_card(*rank)).collect();
        (list.len(), ranks, cards)
    }

    proptest::proptest! {
        #[test]
        fn list_after_every_change_equals_the_sorted_one_and_reports_what_changed(
            first in 0u64..14,
            steps in proptest::collection::vec((0u64..16, proptest::option::weighted(0.7, 1u8..5)), 1..60),
        ) {
            let limits = Limits { candidates: 4, postings: 8 };
            let mut skills: BTreeMap<u64, u8> = (0..first).map(|id| (id, (id * 7 % 4 + 1) as u8)).collect();
            let all = skills.iter().map(|(id, impact)| Posting::new(*id, *impact)).collect();
            let mut list = PostingList::of(all, limits);
            for (id, impact) in steps {
                let before = written(&skills, limits);
                match impact {
                    Some(impact) => skills.insert(id, impact),
                    None => skills.remove(&id),
                };
                let is_changed = list.set(id, impact, limits);
                let after = written(&skills, limits);
                proptest::prop_assert_eq!(&listed(&list), &after);
                let is_different = before.1 != after.1 || before.2 != after.2;
                proptest::prop_assert!(is_changed || !is_different);
                proptest::prop_assert!(after.2.iter().all(|rank| list.has_card(rank.id())));
            }
        }
    }
}

//! The skills under one key, and the cutoffs of its lists in the files.

use super::cutoff::{Cutoffs, RankChange};
use super::namespace_cutoffs::{NamespaceCutoffs, NamespaceNames};
use super::packed_posting::{PackedPosting, Rank, SkillRef};
use crate::search::format::posting::{MAX_CANDIDATES, max_postings, max_postings_in_namespace};

/// The skills under one key.
#[derive(Debug)]
pub struct PostingList {
    /// By the numbers of their namespaces, then by id.
    skills: Vec<PackedPosting>,
    /// Those that have a posting in the files, by id. None if all have one.
    written: Option<Vec<PackedPosting>>,
    cutoffs: Cutoffs,
    /// Only for a list of more than [`MAX_CANDIDATES`].
    namespaces: Option<Box<NamespaceCutoffs>>,
}

/// The list of all skills under a key, or of those in one namespace.
#[derive(Debug, Clone, Copy)]
pub struct WrittenList<'a> {
    /// Number of skills under the key.
    pub count: usize,
    /// The skills that have a posting in the files, perhaps with others. Those of each
    /// namespace are by id. If all are by id, the numbers of namespaces are left out.
    pub skills: &'a [PackedPosting],
    pub cutoffs: Cutoffs,
}

/// Effect of one skill's change under a key on the files.
#[derive(Debug, Default)]
pub struct ListEffect {
    /// Whether the list of all namespaces, or its cards, may be written differently.
    pub is_changed: bool,
    /// The namespaces whose lists, or cards, may be written differently.
    pub namespaces: Vec<u32>,
}

impl Default for PostingList {
    fn default() -> Self {
        let (skills, cutoffs) = (Vec::new(), Cutoffs::default());
        Self { skills, written: None, cutoffs, namespaces: None }
    }
}

impl ListEffect {
    /// Notes that the card of a skill is different, given whether it is a candidate in all
    /// namespaces and in its own.
    pub fn card_changed(&mut self, [in_all, in_own]: [bool; 2], skill: SkillRef) {
        self.is_changed |= in_all;
        if in_own && !self.namespaces.contains(&skill.namespace) {
            self.namespaces.push(skill.namespace);
        }
    }
}

impl PostingList {
    /// The list of some skills, in any order.
    pub fn of(mut skills: Vec<PackedPosting>, is_prefix: bool, names: NamespaceNames<'_>) -> Self {
        skills.sort_unstable();
        // Vectors that were filled one by one have room for as many again.
        skills.shrink_to_fit();
        let cutoffs = Cutoffs::of(&skills, max_postings(is_prefix));
        let mut list = Self { skills, written: None, cutoffs, namespaces: None };
        list.collect_written();
        list.namespaces = list.namespace_cutoffs(is_prefix, names);
        list
    }

    /// Number of skills.
    pub fn len(&self) -> usize {
        self.skills.len()
    }

    /// The list of all namespaces.
    pub fn in_all(&self) -> WrittenList<'_> {
        let skills = self.written.as_deref().unwrap_or(&self.skills);
        WrittenList { count: self.len(), skills, cutoffs: self.cutoffs }
    }

    /// The lists of namespaces by name, from the name `from` on. There are none if all skills
    /// have cards, or are in one namespace.
    pub fn by_namespace<'a>(
        &'a self,
        names: NamespaceNames<'a>,
        from: &[u8],
    ) -> impl Iterator<Item = (&'a str, WrittenList<'a>)> + use<'a> {
        let order = self.namespaces.as_deref().map_or(&[][..], NamespaceCutoffs::listed);
        let start = order.partition_point(|number| names[*number as usize].as_bytes() < from);
        order[start..].iter().map(move |number| (&*names[*number as usize], self.in_namespace(*number)))
    }

    fn in_namespace(&self, namespace: u32) -> WrittenList<'_> {
        let cutoffs = self.namespaces.as_ref().map(|namespaces| namespaces.get(namespace));
        let skills = in_namespace(&self.skills, namespace);
        WrittenList { count: skills.len(), skills, cutoffs: cutoffs.unwrap_or_default() }
    }

    fn namespace_cutoffs(&self, is_prefix: bool, names: NamespaceNames<'_>) -> Option<Box<NamespaceCutoffs>> {
        if self.len() <= MAX_CANDIDATES {
            return None;
        }
        let mut namespaces = NamespaceCutoffs::default();
        for skills in self.skills.chunk_by(|a, b| a.namespace() == b.namespace()) {
            let number = skills[0].namespace();
            namespaces.order.push(number);
            namespaces.set(number, Cutoffs::of(skills, max_postings_in_namespace(is_prefix)));
        }
        namespaces.order.sort_unstable_by_key(|number| &*names[*number as usize]);
        Some(namespaces.into())
    }

    fn find(&self, skill: SkillRef) -> Result<usize, usize> {
        self.skills.binary_search_by_key(&skill.sort_key(), |posting| posting.skill().sort_key())
    }

    /// Whether the list gives a skill a card, in all namespaces and in its own.
    pub fn is_candidate(&self, skill: SkillRef) -> [bool; 2] {
        let Ok(at) = self.find(skill) else { return [false; 2] };
        let rank = self.skills[at].rank();
        let listed = self.namespaces.as_ref().filter(|namespaces| !namespaces.listed().is_empty());
        let in_own = listed.map(|namespaces| namespaces.get(skill.namespace).candidates);
        [rank <= self.cutoffs.candidates, in_own.is_some_and(|cutoff| rank <= cutoff)]
    }

    /// Sets the impact of a skill, or removes the skill.
    pub fn set(
        &mut self,
        skill: SkillRef,
        impact: Option<u8>,
        is_prefix: bool,
        names: NamespaceNames<'_>,
    ) -> ListEffect {
        let new = impact.map(|impact| PackedPosting::new(skill, impact));
        let old = match (self.find(skill), new) {
            (Ok(at), Some(new)) => Some(std::mem::replace(&mut self.skills[at], new)),
            (Ok(at), None) => Some(self.skills.remove(at)),
            (Err(at), Some(new)) => {
                self.skills.insert(at, new);
                None
            }
            (Err(_), None) => None,
        };
        let change = RankChange { old: old.map(PackedPosting::rank), new: new.map(PackedPosting::rank) };
        let postings = change.update(&mut self.cutoffs.postings, &self.skills, max_postings(is_prefix));
        self.update_written(change, postings.displaced);
        // The candidates are among the skills with a posting.
        let written = self.written.as_deref().unwrap_or(&self.skills);
        change.update(&mut self.cutoffs.candidates, written, MAX_CANDIDATES);
        ListEffect {
            is_changed: postings.is_before || change.changes_df(self.len(), max_postings(is_prefix)),
            namespaces: self.update_namespace(skill, change, is_prefix, names),
        }
    }

    fn collect_written(&mut self) {
        let last = self.cutoffs.postings;
        self.written = (last != Rank::END).then(|| {
            let ranks = self.skills.iter().map(|posting| posting.rank()).filter(|rank| *rank <= last);
            let mut written: Vec<_> = ranks.map(without_namespace).collect();
            written.sort_unstable();
            written
        });
    }

    /// Updates the written skills after their cutoff. `other` has crossed it.
    fn update_written(&mut self, change: RankChange, other: Option<u64>) {
        let last = self.cutoffs.postings;
        let Some(written) = self.written.as_mut().filter(|_| last != Rank::END) else {
            return self.collect_written();
        };
        let find = |written: &[PackedPosting], id: u64| written.binary_search_by_key(&id, |p| p.id());
        for id in change.old.map(Rank::id).into_iter().chain(other) {
            if let Ok(at) = find(written, id) {
                written.remove(at);
            }
        }
        // A skill that crossed into the list is the last one.
        let added = other.filter(|other| *other == last.id()).map(|_| last);
        for rank in change.new.into_iter().chain(added).filter(|rank| *rank <= last) {
            if let Err(at) = find(written, rank.id()) {
                written.insert(at, without_namespace(rank));
            }
        }
    }

    /// Updates the list of the skill's namespace. Returns the namespaces whose lists may be
    /// written differently.
    fn update_namespace(
        &mut self,
        skill: SkillRef,
        change: RankChange,
        is_prefix: bool,
        names: NamespaceNames<'_>,
    ) -> Vec<u32> {
        let Some(mut namespaces) = self.namespaces.take() else {
            self.namespaces = self.namespace_cutoffs(is_prefix, names);
            return self.namespaces.as_ref().map_or(Vec::new(), |namespaces| namespaces.listed().to_vec());
        };
        let namespace = skill.namespace;
        let was_listed = !namespaces.listed().is_empty();
        let skills = in_namespace(&self.skills, namespace);
        let is_removed = namespaces.set_listed(namespace, !skills.is_empty(), names);
        let mut cutoffs = namespaces.get(namespace);
        let is_changed = cutoffs.update(change, skills, max_postings_in_namespace(is_prefix));
        namespaces.set(namespace, cutoffs);
        let is_long = self.len() > MAX_CANDIDATES;
        let is_listed = is_long && !namespaces.listed().is_empty();
        let changed = match (was_listed, is_listed) {
            (true, true) if is_changed => vec![namespace],
            (true, true) | (false, false) => Vec::new(),
            // All lists are new, or removed.
            (true, false) | (false, true) => {
                namespaces.order.iter().copied().chain(is_removed.then_some(namespace)).collect()
            }
        };
        self.namespaces = is_long.then_some(namespaces);
        changed
    }
}

/// A posting of the written skills, which are by id in all namespaces.
fn without_namespace(rank: Rank) -> PackedPosting {
    PackedPosting::new(SkillRef { id: rank.id(), namespace: 0 }, rank.impact())
}

fn in_namespace(skills: &[PackedPosting], namespace: u32) -> &[PackedPosting] {
    let start = skills.partition_point(|posting| posting.namespace() < namespace);
    let count = skills[start..].partition_point(|posting| posting.namespace() == namespace);
    &skills[start..start + count]
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;

    use super::*;
    use crate::search::format::posting::written_df;

    type Skills = BTreeMap<(u32, u64), u8>;
    type Written = BTreeMap<Option<u32>, (u64, BTreeSet<Rank>, BTreeSet<Rank>)>;

    fn names() -> Vec<Arc<str>> {
        ["gamma", "alpha", "beta"].map(Arc::from).to_vec()
    }

    /// The lists of all namespaces and of each, found by sorting: `df`, candidates and postings.
    fn written(skills: &Skills, is_prefix: bool) -> Written {
        let all = skills.iter().map(|((namespace, id), impact)| (*namespace, Rank::of(*id, *impact)));
        let all: Vec<(u32, Rank)> = all.collect();
        let of = |namespace: Option<u32>, max: usize| {
            let inside = all.iter().filter(|(of, _)| namespace.is_none_or(|namespace| *of == namespace));
            let ranks: BTreeSet<Rank> = inside.map(|(_, rank)| *rank).collect();
            let first = |max: usize| ranks.iter().take(max).copied().collect();
            (namespace, (written_df(ranks.len(), max), first(MAX_CANDIDATES), first(max)))
        };
        let namespaces: BTreeSet<u32> = all.iter().map(|(namespace, _)| *namespace).collect();
        let is_listed = all.len() > MAX_CANDIDATES && namespaces.len() > 1;
        let namespaces = namespaces.into_iter().filter(|_| is_listed);
        let scoped = namespaces.map(|namespace| of(Some(namespace), max_postings_in_namespace(is_prefix)));
        scoped.chain([of(None, max_postings(is_prefix))]).collect()
    }

    /// The names of the namespaces with lists, from a name on.
    fn from(list: &PostingList, names: &[Arc<str>], from: &str) -> Vec<String> {
        list.by_namespace(names, from.as_bytes()).map(|(name, _)| name.to_owned()).collect()
    }

    /// [`written`] as a [`PostingList`] has it.
    fn listed(list: &PostingList, is_prefix: bool) -> Written {
        let of = |namespace, WrittenList { count, skills, cutoffs }: WrittenList<'_>, max| {
            let ranks: BTreeSet<Rank> = skills.iter().map(|posting| posting.rank()).collect();
            let until = |cutoff: Rank| ranks.iter().copied().filter(|rank| *rank <= cutoff).collect();
            (namespace, (written_df(count, max), until(cutoffs.candidates), until(cutoffs.postings)))
        };
        let names = names();
        let number = |name: &str| names.iter().position(|known| &**known == name).map(|at| at as u32);
        let scoped = list.by_namespace(&names, b"");
        let scoped =
            scoped.map(|(name, listed)| of(number(name), listed, max_postings_in_namespace(is_prefix)));
        scoped.chain([of(None, list.in_all(), max_postings(is_prefix))]).collect()
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(192))]

        #[test]
        fn list_after_every_change_equals_the_sorted_one_and_reports_what_changed(
            // Around each size at which the written form changes, for a word or a prefix:
            // 160, 161 and 500 skills, 501 to 1,218 (where `log` changes), 1,001, 1,500.
            (is_prefix, first, others) in proptest::sample::select(vec![
                (true, 2, 0), (true, 158, 0), (true, 157, 2), (true, 160, 1), (true, 161, 1), (true, 159, 1),
                (true, 498, 1), (true, 501, 0), (true, 501, 2), (true, 1_217, 1), (true, 1_500, 2),
                (true, 1_200, 298), (false, 160, 1), (false, 1_000, 1), (false, 1_002, 1),
            ]),
            steps in proptest::collection::vec(
                (0u32..3, 0u64..8, proptest::option::weighted(0.2, 0u64..1_600), proptest::option::of(1u8..5)),
                1..40,
            ),
        ) {
            let skill = |number: u64| ((u32::from(number >= first), number), (number * 7 % 4 + 1) as u8);
            let mut skills: Skills = (0..first + others).map(skill).collect();
            let packed = |(place, impact): (&(u32, u64), &u8)| {
                PackedPosting::new(SkillRef { namespace: place.0, id: place.1 }, *impact)
            };
            let (names, all) = (names(), skills.iter().map(packed).collect());
            let mut list = PostingList::of(all, is_prefix, &names);
            for (namespace, near, any, impact) in steps {
                let id = any.unwrap_or((first + others + near).saturating_sub(4));
                // A skill is in one namespace.
                let namespace = (0..3).find(|one| skills.contains_key(&(*one, id))).unwrap_or(namespace);
                let before = written(&skills, is_prefix);
                let is_put_again = impact.is_some() && skills.get(&(namespace, id)).copied() == impact;
                match impact {
                    Some(impact) => skills.insert((namespace, id), impact),
                    None => skills.remove(&(namespace, id)),
                };
                let effect = list.set(SkillRef { namespace, id }, impact, is_prefix, &names);
                let after = written(&skills, is_prefix);
                proptest::prop_assert_eq!(&listed(&list, is_prefix), &after);
                proptest::prop_assert_eq!(list.len(), skills.len());
                for namespace in [None, Some(0), Some(1), Some(2)] {
                    let is_reported = namespace.map_or(effect.is_changed, |one| effect.namespaces.contains(&one));
                    let is_different = before.get(&namespace) != after.get(&namespace);
                    proptest::prop_assert!(is_reported == is_different || is_reported && is_put_again);
                }
                let in_order = from(&list, &names, "");
                proptest::prop_assert!(in_order.is_sorted());
                for (at, name) in in_order.iter().enumerate() {
                    proptest::prop_assert_eq!(&from(&list, &names, name), &in_order[at..]);
                    proptest::prop_assert_eq!(&from(&list, &names, &format!("{name}a")), &in_order[at + 1..]);
                }
            }
        }
    }
}

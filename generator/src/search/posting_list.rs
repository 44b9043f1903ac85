//! The skills under one key, and where its lists in the files are cut.

use super::edge::{Step, edges as edges_of};
use super::edges::{Edges, is_other_df};
use super::packed::{Member, Packed, Rank};
use super::piece::{BEST, SHOWN, most, most_in_namespace};
use super::scopes::{Names, Scopes};

/// The skills under one key.
#[derive(Debug)]
pub(super) struct PostingList {
    /// By the numbers of their namespaces, then by id.
    skills: Vec<Packed>,
    /// Those that have a posting in the files, by id, where not all have.
    head: Option<Vec<Packed>>,
    edges: Edges,
    /// The last one that an answer with a file of its own shows, if it is by this list.
    shown: Rank,
    /// Where there are more than have cards.
    scopes: Option<Box<Scopes>>,
}

/// Those in one namespace, or in all of them, and what the files have of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed<'a> {
    /// How many there are.
    pub count: usize,
    /// At least those that the files have: each namespace's by id, or all by id, and then
    /// without their namespaces.
    pub skills: &'a [Packed],
    pub edges: Edges,
}

/// What a change of one skill under a key does to the files.
#[derive(Debug, Default)]
pub(super) struct Effect {
    /// Whether what they say of the key may have become something else.
    pub is_seen: bool,
    /// The namespaces of which that is so of the key with the namespace.
    pub namespaces: Vec<u32>,
    /// Other skills that have lost their posting by it, or got one, or are among the
    /// best no more, or are now.
    pub moved: [Option<u64>; 2],
}

/// Where a skill stands in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Standing {
    pub impact: u8,
    /// Whether it has a card by it.
    pub is_best: bool,
    /// Whether it is among the first that an answer shows.
    pub is_shown: bool,
}

impl Default for PostingList {
    fn default() -> Self {
        let (skills, edges) = (Vec::new(), Edges::default());
        Self { skills, head: None, edges, shown: Rank::END, scopes: None }
    }
}

impl Effect {
    /// Takes in that a skill's card is another, where it has one: in all namespaces,
    /// and in its own.
    pub fn shown_otherwise(&mut self, [is_best, is_best_inside]: [bool; 2], member: Member) {
        self.is_seen |= is_best;
        if is_best_inside && !self.namespaces.contains(&member.namespace) {
            self.namespaces.push(member.namespace);
        }
    }
}

impl PostingList {
    /// Those of all skills at once, in any order.
    pub fn of(mut skills: Vec<Packed>, is_prefix: bool, names: Names<'_>) -> Self {
        skills.sort_unstable();
        // Lists that have grown one by one have room for as many again.
        skills.shrink_to_fit();
        let edges = Edges::of(&skills, most(is_prefix));
        let [shown] = edges_of(&skills, [SHOWN]);
        let mut list = Self { skills, head: None, edges, shown, scopes: None };
        list.make_head();
        list.scopes = list.scopes_of(is_prefix, names);
        list
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.skills.len()
    }

    /// What the files have of it.
    pub fn listed(&self) -> Listed<'_> {
        let skills = self.head.as_deref().unwrap_or(&self.skills);
        Listed { count: self.len(), skills, edges: self.edges }
    }

    /// What they have of it by namespace, by name, from the name `from` on: nothing
    /// where all that is found has a card, or is in one namespace.
    pub fn by_namespace<'a>(
        &'a self,
        names: Names<'a>,
        from: &[u8],
    ) -> impl Iterator<Item = (&'a str, Listed<'a>)> + use<'a> {
        let order = self.scopes.as_deref().map_or(&[][..], Scopes::listed);
        let start = order.partition_point(|number| names[*number as usize].as_bytes() < from);
        order[start..].iter().map(move |number| (&*names[*number as usize], self.inside(*number)))
    }

    /// The skills of one namespace.
    fn inside(&self, namespace: u32) -> Listed<'_> {
        let edges = self.scopes.as_ref().map(|scopes| scopes.edges(namespace));
        let skills = inside(&self.skills, namespace);
        Listed { count: skills.len(), skills, edges: edges.unwrap_or_default() }
    }

    fn scopes_of(&self, is_prefix: bool, names: Names<'_>) -> Option<Box<Scopes>> {
        if self.len() <= BEST {
            return None;
        }
        let mut scopes = Scopes::default();
        for inside in self.skills.chunk_by(|one, other| one.namespace() == other.namespace()) {
            let number = inside[0].namespace();
            scopes.order.push(number);
            scopes.keep(number, Edges::of(inside, most_in_namespace(is_prefix)));
        }
        scopes.order.sort_unstable_by_key(|number| &*names[*number as usize]);
        Some(scopes.into())
    }

    fn find(&self, member: Member) -> Result<usize, usize> {
        self.skills.binary_search_by_key(&member.place(), |packed| packed.member().place())
    }

    /// Whether a skill that is in it has a card by it, in all namespaces and in its own.
    pub fn is_best(&self, member: Member) -> [bool; 2] {
        let rank = || self.find(member).ok().map(|at| self.skills[at].rank());
        let is_before = |edge: Rank| edge == Rank::END || rank().is_some_and(|rank| rank <= edge);
        let scopes = self.scopes.as_ref().filter(|scopes| !scopes.listed().is_empty());
        let best = scopes.map(|scopes| scopes.edges(member.namespace).best);
        [is_before(self.edges.best), best.is_some_and(is_before)]
    }

    /// Where a skill stands. None where it is not in it.
    pub fn standing(&self, member: Member) -> Option<Standing> {
        let packed = self.skills[self.find(member).ok()?];
        let is_before = |edge: Rank| packed.rank() <= edge;
        let (is_best, is_shown) = (is_before(self.edges.best), is_before(self.shown));
        Some(Standing { impact: packed.impact(), is_best, is_shown })
    }

    /// The impact of the last one that an answer shows. None where it shows all.
    pub fn least_shown(&self) -> Option<u8> {
        (self.shown != Rank::END).then(|| self.shown.impact())
    }

    /// Gives a skill this impact, or takes it away.
    pub fn set(&mut self, member: Member, impact: Option<u8>, is_prefix: bool, names: Names<'_>) -> Effect {
        let new = impact.map(|impact| Packed::new(member, impact));
        let old = match (self.find(member), new) {
            (Ok(at), Some(new)) => Some(std::mem::replace(&mut self.skills[at], new)),
            (Ok(at), None) => Some(self.skills.remove(at)),
            (Err(at), Some(new)) => {
                self.skills.insert(at, new);
                None
            }
            (Err(_), None) => None,
        };
        let step = Step { old: old.map(Packed::rank), new: new.map(Packed::rank) };
        let crossing = step.take(&mut self.edges.last, &self.skills, most(is_prefix));
        self.follow_head(step, crossing.moved);
        // What stands before these edges stands before that one.
        let first = self.head.as_deref().unwrap_or(&self.skills);
        step.take(&mut self.shown, first, SHOWN);
        let best = step.take(&mut self.edges.best, first, BEST);
        let is_seen = crossing.is_before || is_other_df(step, self.skills.len(), most(is_prefix));
        let moved = [best.moved, crossing.moved];
        let namespaces = self.set_inside(member, step, is_prefix, names);
        Effect { is_seen, namespaces, moved }
    }

    /// Finds those that have a posting.
    fn make_head(&mut self) {
        let last = self.edges.last;
        self.head = (last != Rank::END).then(|| {
            let ranks = self.skills.iter().map(|packed| packed.rank()).filter(|rank| *rank <= last);
            let mut head: Vec<_> = ranks.map(in_head).collect();
            head.sort_unstable();
            head
        });
    }

    /// Takes them along with one skill, where their edge is taken along already and `other`
    /// has come over it.
    fn follow_head(&mut self, step: Step, other: Option<u64>) {
        let last = self.edges.last;
        let Some(head) = self.head.as_mut().filter(|_| last != Rank::END) else {
            return self.make_head();
        };
        let find = |head: &[Packed], id: u64| head.binary_search_by_key(&id, |packed| packed.id());
        for id in step.old.map(Rank::id).into_iter().chain(other) {
            if let Ok(at) = find(head, id) {
                head.remove(at);
            }
        }
        // One that came in stands last.
        let came = other.filter(|other| *other == last.id()).map(|_| last);
        for rank in step.new.into_iter().chain(came).filter(|rank| *rank <= last) {
            if let Err(at) = find(head, rank.id()) {
                head.insert(at, in_head(rank));
            }
        }
    }

    /// Takes that in by namespace. Returns those whose lists may be others.
    fn set_inside(&mut self, member: Member, step: Step, is_prefix: bool, names: Names<'_>) -> Vec<u32> {
        let Some(mut scopes) = self.scopes.take() else {
            self.scopes = self.scopes_of(is_prefix, names);
            return self.scopes.as_ref().map_or(Vec::new(), |scopes| scopes.listed().to_vec());
        };
        let namespace = member.namespace;
        let was_listed = !scopes.listed().is_empty();
        let skills = inside(&self.skills, namespace);
        let gone = scopes.place(namespace, !skills.is_empty(), names);
        let mut edges = scopes.edges(namespace);
        let (_, is_seen) = edges.follow(step, skills, most_in_namespace(is_prefix));
        scopes.keep(namespace, edges);
        let is_long = self.len() > BEST;
        let is_listed = is_long && !scopes.listed().is_empty();
        let touched = match (was_listed, is_listed) {
            (true, true) if is_seen => vec![namespace],
            (true, true) | (false, false) => Vec::new(),
            // All of them come, or go.
            (true, false) | (false, true) => scopes.order.iter().copied().chain(gone).collect(),
        };
        self.scopes = is_long.then_some(scopes);
        touched
    }
}

/// A skill that has a posting, whatever its namespace: so they are by id.
fn in_head(rank: Rank) -> Packed {
    Packed::new(Member { id: rank.id(), namespace: 0 }, rank.impact())
}

/// Those of one namespace.
fn inside(skills: &[Packed], namespace: u32) -> &[Packed] {
    let start = skills.partition_point(|packed| packed.namespace() < namespace);
    let count = skills[start..].partition_point(|packed| packed.namespace() == namespace);
    &skills[start..start + count]
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;

    use super::*;
    use crate::search::piece::written_df;

    type Skills = BTreeMap<(u32, u64), u8>;
    type Written = BTreeMap<Option<u32>, (u64, BTreeSet<Rank>, BTreeSet<Rank>)>;

    fn names() -> Vec<Arc<str>> {
        ["gamma", "alpha", "beta"].map(Arc::from).to_vec()
    }

    /// What the files say of all, and of each namespace: found by sorting.
    fn written(skills: &Skills, is_prefix: bool) -> Written {
        let all = skills.iter().map(|((namespace, id), impact)| (*namespace, Rank::of(*id, *impact)));
        let all: Vec<(u32, Rank)> = all.collect();
        let of = |namespace: Option<u32>, most: usize| {
            let inside = all.iter().filter(|(of, _)| namespace.is_none_or(|namespace| *of == namespace));
            let ranks: BTreeSet<Rank> = inside.map(|(_, rank)| *rank).collect();
            let first = |most: usize| ranks.iter().take(most).copied().collect();
            (namespace, (written_df(ranks.len(), most), first(BEST), first(most)))
        };
        let namespaces: BTreeSet<u32> = all.iter().map(|(namespace, _)| *namespace).collect();
        let is_listed = all.len() > BEST && namespaces.len() > 1;
        let namespaces = namespaces.into_iter().filter(|_| is_listed);
        let scoped = namespaces.map(|namespace| of(Some(namespace), most_in_namespace(is_prefix)));
        scoped.chain([of(None, most(is_prefix))]).collect()
    }

    /// What a list says of the namespaces from a name on.
    fn from(list: &PostingList, names: &[Arc<str>], from: &str) -> Vec<String> {
        list.by_namespace(names, from.as_bytes()).map(|(name, _)| name.to_owned()).collect()
    }

    /// The same as [`written`], by the list.
    fn listed(list: &PostingList, is_prefix: bool) -> Written {
        let of = |namespace, Listed { count, skills, edges }: Listed<'_>, most| {
            let ranks: BTreeSet<Rank> = skills.iter().map(|packed| packed.rank()).collect();
            let until = |edge: Rank| ranks.iter().copied().filter(|rank| *rank <= edge).collect();
            (namespace, (written_df(count, most), until(edges.best), until(edges.last)))
        };
        let names = names();
        let number = |name: &str| names.iter().position(|known| &**known == name).map(|at| at as u32);
        let scoped = list.by_namespace(&names, b"");
        let scoped = scoped.map(|(name, listed)| of(number(name), listed, most_in_namespace(is_prefix)));
        scoped.chain([of(None, list.listed(), most(is_prefix))]).collect()
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(192))]

        #[test]
        fn a_list_follows_every_step_and_tells_what_is_seen(
            // Beside each number at which something else is written, of a word or a prefix:
            // 160, 161 and 500 skills, 501 to 1,218 (where `L` is another), 1,001, 1,500.
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
                Packed::new(Member { namespace: place.0, id: place.1 }, *impact)
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
                let effect = list.set(Member { namespace, id }, impact, is_prefix, &names);
                let after = written(&skills, is_prefix);
                proptest::prop_assert_eq!(&listed(&list, is_prefix), &after);
                proptest::prop_assert_eq!(list.len(), skills.len());
                let (before_all, after_all) = (&before[&None], &after[&None]);
                for ((before, after), moved) in
                    [(&before_all.1, &after_all.1), (&before_all.2, &after_all.2)].into_iter().zip(effect.moved)
                {
                    let others = before.symmetric_difference(after).map(|rank| rank.id());
                    let others: BTreeSet<u64> = others.filter(|other| *other != id).collect();
                    proptest::prop_assert_eq!(others, moved.into_iter().collect());
                }
                let shown = after_all.2.iter().filter(|rank| **rank <= list.shown).count();
                proptest::prop_assert_eq!(shown, skills.len().min(SHOWN));
                let least = after_all.2.iter().nth(SHOWN - 1).filter(|_| skills.len() > SHOWN);
                proptest::prop_assert_eq!(list.least_shown(), least.map(|rank| rank.impact()));
                for namespace in [None, Some(0), Some(1), Some(2)] {
                    let is_told = namespace.map_or(effect.is_seen, |one| effect.namespaces.contains(&one));
                    let is_another = before.get(&namespace) != after.get(&namespace);
                    proptest::prop_assert!(is_told == is_another || is_told && is_put_again);
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

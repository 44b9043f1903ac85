//! The live skills in an index: what each is found by, and shown as.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use registry::public::Skill;

use super::block::{Shown, Sources};
use super::found_by::{is_title_of, keys};
use super::moved::Moved;
use super::packed::{MOST_NAMESPACES, Member};
use super::piece::{Card, base, in_namespace, prefix_of};
use super::posting_list::{Effect, PostingList};
use super::postings::{KeyNumber, Postings};
use super::scopes::Names;

/// The live skills.
#[derive(Default)]
pub(super) struct Members {
    pub postings: Postings,
    shown: HashMap<u64, Shown>,
    /// The keys of each.
    keys: HashMap<u64, Box<[(KeyNumber, u8)]>>,
    /// All namespaces that were ever met, by their numbers, and the other way round.
    namespaces: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

/// So many skills are read at once, so that what is read of them is not all in
/// memory.
const BATCH: usize = 4096;

impl Members {
    /// Those that are given, by id.
    pub fn of(live: &[&Skill]) -> Self {
        let mut members = Self::default();
        for skill in live {
            let shown = members.show(skill);
            members.shown.insert(skill.id.0, shown);
        }
        let shown = &members.shown;
        let member = |id| Member { id, namespace: shown.get(&id).map_or(0, |shown| shown.namespace) };
        let keyed = keys_of_many(live).map(|(id, keys)| (member(id), keys));
        let of_skill = &mut members.keys;
        members.postings = Postings::of(keyed, &members.namespaces, |id, keys| {
            of_skill.insert(id, keys);
        });
        members
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.shown.len() as u64
    }

    /// Whether too many namespaces were met for
    /// [`Packed`](super::packed::Packed) to number more.
    pub fn is_worn_out(&self) -> bool {
        self.namespaces.len() >= MOST_NAMESPACES
    }

    /// Whether a skill is one.
    pub fn has(&self, id: u64) -> bool {
        self.shown.contains_key(&id)
    }

    /// What pieces are made of.
    pub fn sources(&self) -> Sources<'_> {
        Sources { postings: &self.postings, shown: &self.shown, namespaces: &self.namespaces }
    }

    /// What stands for a skill under its keys. None where it is none of them.
    pub fn member(&self, id: u64) -> Option<Member> {
        self.shown.get(&id).map(|shown| Member { id, namespace: shown.namespace })
    }

    /// Whether a skill is among the best of a word, and of its prefix.
    pub fn is_best(&self, id: u64, word: &[u8]) -> [bool; 2] {
        let Some(member) = self.member(id) else { return [false; 2] };
        let is_best = |key: &[u8]| {
            let standing = self.postings.get(key).and_then(|list| list.standing(member));
            standing.is_some_and(|standing| standing.is_best)
        };
        [is_best(word), is_best(&prefix_of(word))]
    }

    /// What the pieces show of a skill.
    pub fn card(&self, id: u64) -> Option<Card<'_>> {
        Card::decode(id, &self.shown.get(&id)?.card).ok()
    }

    /// The keys that lead to a skill, in order, with all skills under them.
    pub fn keys(&self, id: u64) -> impl Iterator<Item = (&Arc<[u8]>, &PostingList)> {
        let keys = self.keys.get(&id).into_iter().flatten();
        keys.map(|(number, _)| (self.postings.key(*number), self.postings.list(*number)))
    }

    fn show(&mut self, skill: &Skill) -> Shown {
        let coordinate = &skill.coordinate;
        let slug = coordinate.to_string();
        let name = skill.latest().map_or("", |face| &*face.name);
        let name = if is_title_of(name, coordinate.slug.as_str()) { "" } else { name };
        let card = Card { id: skill.id.0, slug: &slug, name }.encode();
        let namespace = coordinate.namespace.as_str();
        let number = match self.numbers.get(namespace) {
            Some(number) => *number,
            None => {
                let (name, number) = (Arc::<str>::from(namespace), self.namespaces.len() as u32);
                self.namespaces.push(Arc::clone(&name));
                self.numbers.insert(name, number);
                number
            }
        };
        Shown { card: card.into(), namespace: number }
    }

    /// Takes in what a skill is now: None where it is not live.
    pub fn update(&mut self, id: u64, live: Option<&Skill>, touched: &mut Touched) {
        let new_shown = live.map(|skill| self.show(skill));
        let new_keys = live.and_then(keys).unwrap_or_default();
        let old_keys = self.keys.remove(&id).unwrap_or_default();
        let old_shown = self.shown.remove(&id);
        let is_shown_so = old_shown == new_shown;
        let namespace = |shown: &Option<Shown>| shown.as_ref().map_or(0, |shown| shown.namespace);
        let [old_member, member] =
            [&old_shown, &new_shown].map(|shown| Member { id, namespace: namespace(shown) });
        let names: Names<'_> = &self.namespaces;
        let mut kept = BTreeMap::new();
        for (number, impact) in &old_keys {
            let key = Arc::clone(self.postings.key(*number));
            let is_there = |_: &&u8| old_member.namespace == member.namespace;
            let new = new_keys.get(&*key).filter(is_there);
            let mut effect = match new {
                Some(new) if new == impact => Effect::default(),
                Some(new) => self.postings.put(*number, member, *new, names),
                None => self.postings.remove(*number, old_member, names),
            };
            if new.is_some() {
                if !is_shown_so {
                    effect.shown_otherwise(self.postings.list(*number).is_best(member), member);
                }
                kept.insert(Arc::clone(&key), *number);
            }
            touched.take(&key, effect, names, new != Some(impact));
        }
        let keys = new_keys.into_iter().map(|(key, impact)| {
            let number = kept.get(key.as_slice()).copied().unwrap_or_else(|| {
                let number = self.postings.number(&key);
                touched.take(&key, self.postings.put(number, member, impact, names), names, true);
                number
            });
            (number, impact)
        });
        let keys: Box<[_]> = keys.collect();
        if let Some(shown) = new_shown {
            self.keys.insert(id, keys);
            self.shown.insert(id, shown);
        }
    }
}

/// What a change of skills touches.
#[derive(Default)]
pub(super) struct Touched {
    /// The words that other skills have than before, or with another impact.
    pub counted: BTreeSet<Arc<[u8]>>,
    /// The keys whose lists in the files, or the cards by them, are others; a word
    /// stands for its own and its prefix's.
    pub seen: BTreeSet<Arc<[u8]>>,
    /// Other skills that have moved by it.
    pub moved: Moved,
}

impl Touched {
    fn take(&mut self, key: &[u8], effect: Effect, names: Names<'_>, is_counted: bool) {
        let word = base(key);
        let note = |keys: &mut BTreeSet<Arc<[u8]>>, key: &[u8]| {
            if !keys.contains(key) {
                keys.insert(key.into());
            }
        };
        if is_counted {
            note(&mut self.counted, word);
        }
        if effect.is_seen {
            note(&mut self.seen, word);
        }
        for namespace in effect.namespaces {
            note(&mut self.seen, &in_namespace(key, &names[namespace as usize]));
        }
        self.moved.take(key, effect.moved);
    }
}

/// The keys of many skills, in their order, found out by two threads.
fn keys_of_many<'a>(skills: &'a [&'a Skill]) -> impl Iterator<Item = (u64, BTreeMap<Vec<u8>, u8>)> + 'a {
    let read = |some: &[&Skill]| -> Vec<_> {
        some.iter().filter_map(|skill| Some((skill.id.0, keys(skill)?))).collect()
    };
    skills.chunks(BATCH).flat_map(move |batch| {
        let (one, other) = batch.split_at(batch.len() / 2);
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().spawn_scoped(scope, || read(other));
            let mut keyed = read(one);
            // Without a second thread the first one does it all.
            let others = thread.ok().and_then(|thread| thread.join().ok());
            keyed.extend(others.unwrap_or_else(|| read(other)));
            keyed
        })
    })
}

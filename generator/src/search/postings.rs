//! All keys of an index and the skills under them.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use super::edge::{Step, edges};
use super::packed::{Member, Packed, Rank};
use super::piece::{BEST, MOST_OF_PREFIX, MOST_POSTINGS, PREFIX, base, most_in_namespace, written_df};

/// The number of a key while it has skills.
pub(super) type KeyNumber = u32;

#[derive(Debug)]
struct Slot {
    key: Arc<[u8]>,
    /// By id.
    postings: Vec<Packed>,
    /// Behind its best, and behind all that have a posting in the files.
    edges: [Rank; 2],
}

/// The skills under a key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed<'a> {
    /// By id.
    pub skills: &'a [Packed],
    /// The last one that has a card.
    pub best: Rank,
    /// The last one that has a posting in the files.
    pub last: Rank,
}

impl Default for Listed<'_> {
    fn default() -> Self {
        Self { skills: &[], best: Rank::END, last: Rank::END }
    }
}

impl<'a> Listed<'a> {
    /// Those of a list with so many postings at most.
    pub fn of(skills: &'a [Packed], most: usize) -> Self {
        let [best, last] = edges(skills, [BEST, most]);
        Self { skills, best, last }
    }
}

/// What a change of one skill under a key does to the files.
#[derive(Debug, Default)]
pub(super) struct Effect {
    /// Whether what the files say of the key may have become something else.
    pub is_seen: bool,
    /// Another skill that has lost its posting by it, or got one.
    pub moved: Option<u64>,
}

impl Slot {
    fn new(key: Arc<[u8]>) -> Self {
        Self { key, postings: Vec::new(), edges: [Rank::END; 2] }
    }

    fn listed(&self) -> Listed<'_> {
        let [best, last] = self.edges;
        Listed { skills: &self.postings, best, last }
    }

    /// Behind how many skills the edges are.
    fn most(&self) -> [usize; 2] {
        [BEST, if self.key.ends_with(&[PREFIX]) { MOST_OF_PREFIX } else { MOST_POSTINGS }]
    }

    /// Puts a skill at a place, or takes it away.
    fn set(&mut self, id: u64, new: Option<Packed>) -> Effect {
        let before = self.postings.len();
        let old = match (self.postings.binary_search_by_key(&id, |packed| packed.id()), new) {
            (Ok(at), Some(new)) => Some(std::mem::replace(&mut self.postings[at], new)),
            (Ok(at), None) => Some(self.postings.remove(at)),
            (Err(at), Some(new)) => {
                self.postings.insert(at, new);
                None
            }
            (Err(_), None) => None,
        };
        let step = Step { old: old.map(Packed::rank), new: new.map(Packed::rank) };
        let [best, most] = self.most();
        let [behind_best, behind_all] = &mut self.edges;
        step.take(behind_best, &self.postings, best);
        let crossing = step.take(behind_all, &self.postings, most);
        let df = |skills: usize| written_df(skills, most);
        let is_seen = crossing.is_before
            || df(before) != df(self.postings.len())
            || before.max(self.postings.len()) > BEST && self.is_seen_in_namespace(old, new);
        Effect { is_seen, moved: crossing.moved }
    }

    /// Whether such a change is seen in the list of the skill's own namespace.
    fn is_seen_in_namespace(&self, old: Option<Packed>, new: Option<Packed>) -> bool {
        let Some(one) = new.or(old) else { return false };
        let most = most_in_namespace(self.key.ends_with(&[PREFIX]));
        let is_other = |packed: &&Packed| packed.namespace() == one.namespace() && packed.id() != one.id();
        // How many others there are, and how many stand before it.
        let (mut others, mut before) = (0, [0usize; 2]);
        let ranks = [old, new].map(|packed| packed.map(Packed::rank));
        for packed in self.postings.iter().filter(is_other) {
            others += 1;
            let rank = packed.rank();
            for (count, own) in before.iter_mut().zip(ranks) {
                *count += usize::from(own.is_some_and(|own| rank < own));
            }
        }
        let is_before = |own: Option<Rank>, count: usize| own.is_some() && count < most;
        let df = |own: Option<Rank>| written_df(others + usize::from(own.is_some()), most);
        let [was, is] = ranks;
        is_before(was, before[0]) || is_before(is, before[1]) || df(was) != df(is)
    }
}

/// The keys, each found by its bytes and by a number.
#[derive(Debug, Default)]
pub(super) struct Postings {
    keys: BTreeMap<Arc<[u8]>, KeyNumber>,
    slots: Vec<Slot>,
    free: Vec<KeyNumber>,
}

impl Postings {
    /// Those of many skills at once, given by id, each with its keys. `kept` is
    /// told the numbers of each skill's keys.
    pub fn of(
        skills: impl Iterator<Item = (Member, BTreeMap<Vec<u8>, u8>)>,
        mut kept: impl FnMut(u64, Box<[(KeyNumber, u8)]>),
    ) -> Self {
        let mut numbers = HashMap::<Arc<[u8]>, KeyNumber>::new();
        let mut slots = Vec::<Slot>::new();
        for (member, keys) in skills {
            let numbered = keys.into_iter().map(|(key, impact)| {
                let number = match numbers.get(key.as_slice()) {
                    Some(number) => *number,
                    None => {
                        let key: Arc<[u8]> = key.into();
                        let number = slots.len() as KeyNumber;
                        slots.push(Slot::new(Arc::clone(&key)));
                        numbers.insert(key, number);
                        number
                    }
                };
                slots[number as usize].postings.push(Packed::new(member, impact));
                (number, impact)
            });
            kept(member.id, numbered.collect());
        }
        // Lists that have grown one by one have room for as many again.
        for slot in &mut slots {
            slot.postings.shrink_to_fit();
            slot.edges = edges(&slot.postings, slot.most());
        }
        Self { keys: numbers.into_iter().collect(), slots, free: Vec::new() }
    }

    /// The number of a key, which is to get a skill.
    pub fn number(&mut self, key: &[u8]) -> KeyNumber {
        match self.keys.get(key) {
            Some(number) => *number,
            None => self.add(key.into()),
        }
    }

    fn add(&mut self, key: Arc<[u8]>) -> KeyNumber {
        let slot = Slot::new(Arc::clone(&key));
        let number = match self.free.pop() {
            Some(number) => {
                self.slots[number as usize] = slot;
                number
            }
            None => {
                self.slots.push(slot);
                (self.slots.len() - 1) as KeyNumber
            }
        };
        self.keys.insert(key, number);
        number
    }

    /// Puts a skill under a key, or puts it there with another impact.
    pub fn put(&mut self, number: KeyNumber, member: Member, impact: u8) -> Effect {
        self.slots[number as usize].set(member.id, Some(Packed::new(member, impact)))
    }

    /// Takes a skill out from under a key, which is gone when it has no skills left.
    pub fn remove(&mut self, number: KeyNumber, id: u64) -> Effect {
        let slot = &mut self.slots[number as usize];
        let effect = slot.set(id, None);
        if slot.postings.is_empty() {
            slot.postings = Vec::new();
            self.keys.remove(&slot.key);
            self.free.push(number);
        }
        effect
    }

    /// Whether a skill that is under a key is among its best.
    pub fn is_best(&self, number: KeyNumber, id: u64) -> bool {
        let Slot { postings, edges: [best, _], .. } = &self.slots[number as usize];
        *best == Rank::END
            || postings
                .binary_search_by_key(&id, |packed| packed.id())
                .is_ok_and(|at| postings[at].rank() <= *best)
    }

    /// A key by its number.
    pub fn key(&self, number: KeyNumber) -> &Arc<[u8]> {
        &self.slots[number as usize].key
    }

    /// The skills under a key, by id.
    pub fn under(&self, key: &[u8]) -> &[Packed] {
        self.keys.get(key).map_or(&[], |number| &self.slots[*number as usize].postings)
    }

    /// The skills under a word and under its prefix.
    pub fn of_word(&self, word: &[u8]) -> (&[Packed], &[Packed]) {
        (self.under(word), self.under(&[word, &[PREFIX]].concat()))
    }

    /// How many skills have a word, or a word that begins with it: the larger
    /// number.
    pub fn count(&self, word: &[u8]) -> usize {
        let (own, prefix) = self.of_word(word);
        own.len().max(prefix.len())
    }

    /// The keys from `start` on and before `end`, in order, each with its skills.
    pub fn range(&self, start: &[u8], end: Option<&[u8]>) -> impl Iterator<Item = (&Arc<[u8]>, &[Packed])> {
        self.slots(start, end).map(|slot| (&slot.key, slot.postings.as_slice()))
    }

    fn slots(&self, start: &[u8], end: Option<&[u8]>) -> impl Iterator<Item = &Slot> {
        let end = end.map_or(Bound::Unbounded, Bound::Excluded);
        let keys = self.keys.range::<[u8], _>((Bound::Included(start), end));
        keys.map(|(_, number)| &self.slots[*number as usize])
    }

    /// The same by words: each with the skills under it and under its prefix.
    pub fn words<'a>(
        &'a self,
        start: &[u8],
        end: Option<&[u8]>,
    ) -> impl Iterator<Item = (&'a [u8], [Listed<'a>; 2])> {
        let mut slots = self.slots(start, end).peekable();
        std::iter::from_fn(move || {
            let slot = slots.next()?;
            let word = base(&slot.key);
            if word.len() < slot.key.len() {
                return Some((word, [Listed::default(), slot.listed()]));
            }
            let prefix = slots.next_if(|next| base(&next.key) == word);
            Some((word, [slot.listed(), prefix.map_or(Listed::default(), Slot::listed)]))
        })
    }
}

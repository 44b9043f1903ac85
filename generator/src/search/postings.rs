//! All keys of an index and the skills under them.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use super::piece::{PREFIX, Posting, base};

/// The number of a key while it has skills.
pub(super) type KeyNumber = u32;

/// A skill under a key: id, number of its namespace and impact, from the high
/// bits to the low ones, so that they sort by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Packed(u64);

/// What is put under keys: a skill's id, which is the number of a journal's row
/// and far below 2^38, and the number of its namespace, below 2^20.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub id: u64,
    pub namespace: u32,
}

impl Packed {
    fn new(member: Member, impact: u8) -> Self {
        Self((member.id << 26) | (u64::from(member.namespace & 0xf_ffff) << 6) | u64::from(impact & 63))
    }

    pub fn posting(self) -> Posting {
        Posting { id: self.id(), impact: (self.0 & 63) as u8 }
    }

    pub fn namespace(self) -> u32 {
        (self.0 >> 6) as u32 & 0xf_ffff
    }

    fn id(self) -> u64 {
        self.0 >> 26
    }
}

#[derive(Debug)]
struct Slot {
    key: Arc<[u8]>,
    /// By id.
    postings: Vec<Packed>,
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
                        slots.push(Slot { key: Arc::clone(&key), postings: Vec::new() });
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
        slots.iter_mut().for_each(|slot| slot.postings.shrink_to_fit());
        Self { keys: numbers.into_iter().collect(), slots, free: Vec::new() }
    }

    /// Puts a skill under a key. Returns the key's number.
    pub fn insert(&mut self, key: &[u8], member: Member, impact: u8) -> KeyNumber {
        let number = match self.keys.get(key) {
            Some(number) => *number,
            None => self.add(key.into()),
        };
        let postings = &mut self.slots[number as usize].postings;
        let packed = Packed::new(member, impact);
        match postings.binary_search_by_key(&member.id, |packed| packed.id()) {
            Ok(at) => postings[at] = packed,
            Err(at) => postings.insert(at, packed),
        }
        number
    }

    fn add(&mut self, key: Arc<[u8]>) -> KeyNumber {
        let slot = Slot { key: Arc::clone(&key), postings: Vec::new() };
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

    /// Takes a skill out from under a key. Returns the key; it is gone when it
    /// has no skills left.
    pub fn remove(&mut self, number: KeyNumber, id: u64) -> Arc<[u8]> {
        let slot = &mut self.slots[number as usize];
        if let Ok(at) = slot.postings.binary_search_by_key(&id, |packed| packed.id()) {
            slot.postings.remove(at);
        }
        let key = Arc::clone(&slot.key);
        if slot.postings.is_empty() {
            slot.postings = Vec::new();
            self.keys.remove(&key);
            self.free.push(number);
        }
        key
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
        let end = end.map_or(Bound::Unbounded, Bound::Excluded);
        let keys = self.keys.range::<[u8], _>((Bound::Included(start), end));
        keys.map(|(key, number)| (key, self.slots[*number as usize].postings.as_slice()))
    }

    /// The same by words: each with the skills under it and under its prefix.
    pub fn words<'a>(
        &'a self,
        start: &[u8],
        end: Option<&[u8]>,
    ) -> impl Iterator<Item = (&'a [u8], &'a [Packed], &'a [Packed])> {
        let mut keys = self.range(start, end).peekable();
        std::iter::from_fn(move || {
            let (key, skills) = keys.next()?;
            let word = base(key);
            if word.len() < key.len() {
                return Some((word, &[][..], skills));
            }
            let prefix = keys.next_if(|(next, _)| base(next) == word);
            Some((word, skills, prefix.map_or(&[][..], |(_, skills)| skills)))
        })
    }
}

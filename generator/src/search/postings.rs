//! All keys of an index and the skills under them.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use super::packed::{Member, Packed};
use super::piece::{PREFIX, base, prefix_of};
use super::posting_list::{Effect, PostingList};
use super::scopes::Names;

/// The number of a key while it has skills.
pub(super) type KeyNumber = u32;

#[derive(Debug)]
struct Slot {
    key: Arc<[u8]>,
    list: PostingList,
}

impl Slot {
    fn is_prefix(&self) -> bool {
        is_prefix(&self.key)
    }
}

fn is_prefix(key: &[u8]) -> bool {
    key.ends_with(&[PREFIX])
}

/// A word's keys: it and its prefix. At least one of them has skills.
pub(super) struct Keys<'a> {
    pub word: &'a [u8],
    pub own: Option<&'a PostingList>,
    pub prefix: Option<&'a PostingList>,
}

impl Keys<'_> {
    /// The first one of them.
    pub fn first(&self) -> Box<[u8]> {
        if self.own.is_some() { self.word.into() } else { prefix_of(self.word).into() }
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
    /// Those of many skills at once, each with its keys. `kept` is
    /// told the numbers of each skill's keys.
    pub fn of(
        skills: impl Iterator<Item = (Member, BTreeMap<Vec<u8>, u8>)>,
        names: Names<'_>,
        mut kept: impl FnMut(u64, Box<[(KeyNumber, u8)]>),
    ) -> Self {
        let mut numbers = HashMap::<Arc<[u8]>, KeyNumber>::new();
        let mut lists = Vec::<(Arc<[u8]>, Vec<Packed>)>::new();
        for (member, keys) in skills {
            let numbered = keys.into_iter().map(|(key, impact)| {
                let number = match numbers.get(key.as_slice()) {
                    Some(number) => *number,
                    None => {
                        let key: Arc<[u8]> = key.into();
                        let number = lists.len() as KeyNumber;
                        lists.push((Arc::clone(&key), Vec::new()));
                        numbers.insert(key, number);
                        number
                    }
                };
                lists[number as usize].1.push(Packed::new(member, impact));
                (number, impact)
            });
            kept(member.id, numbered.collect());
        }
        let slot = |(key, skills): (Arc<[u8]>, _)| {
            let list = PostingList::of(skills, is_prefix(&key), names);
            Slot { key, list }
        };
        let slots = lists.into_iter().map(slot).collect();
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
        let slot = Slot { key: Arc::clone(&key), list: PostingList::default() };
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
    pub fn put(&mut self, number: KeyNumber, member: Member, impact: u8, names: Names<'_>) -> Effect {
        let slot = &mut self.slots[number as usize];
        slot.list.set(member, Some(impact), slot.is_prefix(), names)
    }

    /// Takes a skill out from under a key, which is gone when it has no skills left.
    pub fn remove(&mut self, number: KeyNumber, member: Member, names: Names<'_>) -> Effect {
        let slot = &mut self.slots[number as usize];
        let effect = slot.list.set(member, None, slot.is_prefix(), names);
        if slot.list.len() == 0 {
            slot.list = PostingList::default();
            self.keys.remove(&slot.key);
            self.free.push(number);
        }
        effect
    }

    /// The skills under a key.
    pub fn list(&self, number: KeyNumber) -> &PostingList {
        &self.slots[number as usize].list
    }

    /// A key by its number.
    pub fn key(&self, number: KeyNumber) -> &Arc<[u8]> {
        &self.slots[number as usize].key
    }

    /// The skills under a key. None where there are none.
    pub fn get(&self, key: &[u8]) -> Option<&PostingList> {
        self.keys.get(key).map(|number| self.list(*number))
    }

    /// How many they are.
    pub fn under(&self, key: &[u8]) -> usize {
        self.get(key).map_or(0, PostingList::len)
    }

    /// How many have a word, and a word that begins with it.
    pub fn of_word(&self, word: &[u8]) -> [usize; 2] {
        [self.under(word), self.under(&prefix_of(word))]
    }

    /// The larger number of the two.
    pub fn count(&self, word: &[u8]) -> usize {
        self.of_word(word).into_iter().max().unwrap_or_default()
    }

    /// Whether there is a word, or a prefix.
    pub fn has(&self, word: &[u8]) -> bool {
        self.count(word) > 0
    }

    /// The words from `start` on and before `end`, in order.
    pub fn words<'a>(&'a self, start: &[u8], end: Option<&[u8]>) -> impl Iterator<Item = Keys<'a>> + use<'a> {
        let end = end.map_or(Bound::Unbounded, Bound::Excluded);
        let keys = self.keys.range::<[u8], _>((Bound::Included(start), end));
        let mut slots = keys.map(|(_, number)| &self.slots[*number as usize]).peekable();
        std::iter::from_fn(move || {
            let slot = slots.next()?;
            let word = base(&slot.key);
            if slot.is_prefix() {
                return Some(Keys { word, own: None, prefix: Some(&slot.list) });
            }
            let prefix = slots.next_if(|next| base(&next.key) == word);
            Some(Keys { word, own: Some(&slot.list), prefix: prefix.map(|slot| &slot.list) })
        })
    }
}

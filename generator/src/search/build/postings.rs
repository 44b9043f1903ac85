//! All keys of an index and the skills under them.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use super::namespace_cutoffs::NamespaceNames;
use super::packed_posting::{PackedPosting, SkillRef};
use super::posting_list::{ListEffect, PostingList};
use crate::search::format::keys::{base, is_prefix, prefix_of};

/// The number of a key. It is valid while the key has skills.
pub type KeyNumber = u32;

#[derive(Debug)]
struct Slot {
    key: Arc<[u8]>,
    list: PostingList,
}

/// The lists of a word and of its prefix, at least one of which has skills.
pub struct WordKeys<'a> {
    pub word: &'a [u8],
    pub own: Option<&'a PostingList>,
    pub prefix: Option<&'a PostingList>,
}

impl WordKeys<'_> {
    /// The first key of the two.
    pub fn first(&self) -> Box<[u8]> {
        if self.own.is_some() { self.word.into() } else { prefix_of(self.word).into() }
    }
}

/// The keys, found by their bytes or by a number.
#[derive(Debug, Default)]
pub struct Postings {
    keys: BTreeMap<Arc<[u8]>, KeyNumber>,
    slots: Vec<Slot>,
    free: Vec<KeyNumber>,
}

impl Postings {
    /// The keys of many skills at once. `numbered` gets the key numbers and impacts of each
    /// skill.
    pub fn of(
        skills: impl Iterator<Item = (SkillRef, BTreeMap<Vec<u8>, u8>)>,
        names: NamespaceNames<'_>,
        mut numbered: impl FnMut(u64, Box<[(KeyNumber, u8)]>),
    ) -> Self {
        let mut numbers = HashMap::<Arc<[u8]>, KeyNumber>::new();
        let mut lists = Vec::<(Arc<[u8]>, Vec<PackedPosting>)>::new();
        for (skill, keys) in skills {
            let keys = keys.into_iter().map(|(key, impact)| {
                let number = numbers.get(key.as_slice()).copied().unwrap_or_else(|| {
                    let key: Arc<[u8]> = key.into();
                    let number = lists.len() as KeyNumber;
                    lists.push((Arc::clone(&key), Vec::new()));
                    numbers.insert(key, number);
                    number
                });
                lists[number as usize].1.push(PackedPosting::new(skill, impact));
                (number, impact)
            });
            numbered(skill.id, keys.collect());
        }
        let slot = |(key, skills): (Arc<[u8]>, _)| {
            let list = PostingList::of(skills, is_prefix(&key), names);
            Slot { key, list }
        };
        let slots = lists.into_iter().map(slot).collect();
        Self { keys: numbers.into_iter().collect(), slots, free: Vec::new() }
    }

    /// The number of a key. A new key has no skills yet, and must get one.
    pub fn number(&mut self, key: &[u8]) -> KeyNumber {
        if let Some(number) = self.keys.get(key) {
            return *number;
        }
        let key: Arc<[u8]> = key.into();
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

    /// Puts a skill under a key, or changes its impact there.
    pub fn put(
        &mut self,
        number: KeyNumber,
        skill: SkillRef,
        impact: u8,
        names: NamespaceNames<'_>,
    ) -> ListEffect {
        let slot = &mut self.slots[number as usize];
        slot.list.set(skill, Some(impact), is_prefix(&slot.key), names)
    }

    /// Removes a skill from a key, and the key after its last skill.
    pub fn remove(&mut self, number: KeyNumber, skill: SkillRef, names: NamespaceNames<'_>) -> ListEffect {
        let slot = &mut self.slots[number as usize];
        let effect = slot.list.set(skill, None, is_prefix(&slot.key), names);
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

    /// The key with a number.
    pub fn key(&self, number: KeyNumber) -> &Arc<[u8]> {
        &self.slots[number as usize].key
    }

    /// The skills under a key. None if the index lacks the key.
    pub fn get(&self, key: &[u8]) -> Option<&PostingList> {
        self.keys.get(key).map(|number| self.list(*number))
    }

    /// Number of skills under a key.
    pub fn count(&self, key: &[u8]) -> usize {
        self.get(key).map_or(0, PostingList::len)
    }

    /// Whether the index has a word or its prefix.
    pub fn has(&self, word: &[u8]) -> bool {
        self.count(word) > 0 || self.count(&prefix_of(word)) > 0
    }

    /// The words from `start` on and before `end`, in order.
    pub fn words<'a>(
        &'a self,
        start: &[u8],
        end: Option<&[u8]>,
    ) -> impl Iterator<Item = WordKeys<'a>> + use<'a> {
        let end = end.map_or(Bound::Unbounded, Bound::Excluded);
        let keys = self.keys.range::<[u8], _>((Bound::Included(start), end));
        let mut slots = keys.map(|(_, number)| &self.slots[*number as usize]).peekable();
        std::iter::from_fn(move || {
            let slot = slots.next()?;
            let word = base(&slot.key);
            if is_prefix(&slot.key) {
                return Some(WordKeys { word, own: None, prefix: Some(&slot.list) });
            }
            let prefix = slots.next_if(|next| base(&next.key) == word);
            Some(WordKeys { word, own: Some(&slot.list), prefix: prefix.map(|slot| &slot.list) })
        })
    }
}

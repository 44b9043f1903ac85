//! All keys of an index and the skills under them.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use super::cutoff::Limits;
use super::key_group::KeyGroup;
use super::posting_list::PostingList;
use crate::search::format::keys::group_of;
use crate::search::format::posting::Posting;

/// The number of a key. It is valid while the key has skills.
pub type KeyNumber = u32;

#[derive(Debug)]
struct Slot {
    key: Arc<[u8]>,
    list: PostingList,
}

/// The keys, found by their bytes or by a number.
#[derive(Debug, Default)]
pub struct Postings {
    keys: BTreeMap<Arc<[u8]>, KeyNumber>,
    slots: Vec<Slot>,
    free: Vec<KeyNumber>,
}

impl Postings {
    /// The keys of many skills at once. `numbered` gets the key numbers of each skill.
    pub fn of(
        skills: impl Iterator<Item = (u64, BTreeMap<Vec<u8>, u8>)>,
        mut numbered: impl FnMut(u64, Box<[KeyNumber]>),
    ) -> Self {
        let mut numbers = HashMap::<Arc<[u8]>, KeyNumber>::new();
        let mut lists = Vec::<(Arc<[u8]>, Vec<Posting>)>::new();
        for (skill, keys) in skills {
            let keys = keys.into_iter().map(|(key, impact)| {
                let number = numbers.get(key.as_slice()).copied().unwrap_or_else(|| {
                    let key: Arc<[u8]> = key.into();
                    let number = lists.len() as KeyNumber;
                    lists.push((Arc::clone(&key), Vec::new()));
                    numbers.insert(key, number);
                    number
                });
                lists[number as usize].1.push(Posting::new(skill, impact));
                number
            });
            numbered(skill, keys.collect());
        }
        let slot = |(key, skills): (Arc<[u8]>, _)| {
            let list = PostingList::of(skills, Limits::of(&key));
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

    /// Puts a skill under a key, or changes its impact there. Returns whether the key is written
    /// differently.
    pub fn put(&mut self, number: KeyNumber, skill: u64, impact: u8) -> bool {
        let slot = &mut self.slots[number as usize];
        slot.list.set(skill, Some(impact), Limits::of(&slot.key))
    }

    /// Removes a skill from a key, and the key after its last skill. Returns whether the key is
    /// written differently.
    pub fn remove(&mut self, number: KeyNumber, skill: u64) -> bool {
        let slot = &mut self.slots[number as usize];
        let is_changed = slot.list.set(skill, None, Limits::of(&slot.key));
        if slot.list.len() == 0 {
            slot.list = PostingList::default();
            self.keys.remove(&slot.key);
            self.free.push(number);
        }
        is_changed
    }

    /// The skills under a key.
    pub fn list(&self, number: KeyNumber) -> &PostingList {
        &self.slots[number as usize].list
    }

    /// The key with a number.
    pub fn key(&self, number: KeyNumber) -> &Arc<[u8]> {
        &self.slots[number as usize].key
    }

    /// Number of skills under a key.
    pub fn count(&self, key: &[u8]) -> usize {
        self.keys.get(key).map_or(0, |number| self.list(*number).len())
    }

    /// The middle one of the sorted keys. Empty without any.
    pub fn middle(&self) -> &[u8] {
        self.keys.keys().nth(self.keys.len() / 2).map_or(&[], |key| key)
    }

    /// Whether the index has any key of a group.
    pub fn has_group(&self, group: &[u8]) -> bool {
        self.groups(group, None).next().is_some_and(|first| first.name() == group)
    }

    /// The groups from `start` on and before `end`, in order.
    pub fn groups<'a>(
        &'a self,
        start: &[u8],
        end: Option<&[u8]>,
    ) -> impl Iterator<Item = KeyGroup<'a>> + use<'a> {
        let end = end.map_or(Bound::Unbounded, Bound::Excluded);
        let keys = self.keys.range::<[u8], _>((Bound::Included(start), end));
        let mut slots = keys.map(|(_, number)| &self.slots[*number as usize]).peekable();
        std::iter::from_fn(move || {
            let first = slots.next()?;
            let name = group_of(&first.key);
            let mut lists = vec![(&*first.key, &first.list)];
            while let Some(next) = slots.next_if(|next| group_of(&next.key) == name) {
                lists.push((&next.key, &next.list));
            }
            Some(KeyGroup::new(lists))
        })
    }
}

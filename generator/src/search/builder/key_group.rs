//! Groups of keys that are always written to one piece together.

use super::posting_list::PostingList;
use super::word_vectors::vector;
use crate::search::format::keys::{Key, group_of, is_body};
use crate::search::format::meaning::WordVector;
use crate::search::format::posting::{Posting, encode_list, max_postings, written_df};

/// The impact from which a word gives its skills cards with details. Words of the name and
/// keywords have it, and few others.
const IMPORTANT: u8 = 32;

/// Whether a key gives a card with details to a skill that has it with this impact.
pub fn gives_details(key: &[u8], impact: u8) -> bool {
    impact >= IMPORTANT && matches!(Key::decode(key), Some(Key::Word(_)))
}

/// The keys of a group, in order, with the skills under each.
pub struct KeyGroup<'a> {
    lists: Vec<(&'a [u8], &'a PostingList)>,
}

/// A group as it is written.
pub struct EncodedGroup {
    /// In order, with encoded lists, and the vector of the root last.
    pub keys: Vec<(Box<[u8]>, Vec<u8>)>,
    /// The ids of the candidates, and whether their cards have details.
    pub cards: Vec<(u64, bool)>,
}

impl<'a> KeyGroup<'a> {
    /// A group of some keys: one or more, in order.
    pub fn new(lists: Vec<(&'a [u8], &'a PostingList)>) -> Self {
        Self { lists }
    }

    /// What its keys have in common.
    pub fn name(&self) -> &'a [u8] {
        self.lists.first().map_or(&[], |(key, _)| group_of(key))
    }

    /// Its words, each with the number of skills that have it.
    pub fn words(&self) -> impl Iterator<Item = (&'a str, usize)> {
        let words = self.lists.iter().map(|(key, list)| (Key::decode(key), list.len()));
        words.filter_map(|(key, count)| match key {
            Some(Key::Word(word)) => Some((word, count)),
            _ => None,
        })
    }

    /// The sum of the `df` of its words, as they are written.
    pub fn df(&self) -> u64 {
        let words = self.lists.iter().filter(|(key, _)| matches!(Key::decode(key), Some(Key::Word(_))));
        words.map(|(key, list)| written_df(list.len(), max_postings(key))).sum()
    }

    /// A lower limit of its size in bytes: one for each posting.
    pub fn min_size(&self) -> usize {
        self.lists.iter().map(|(_, list)| list.written().len()).sum()
    }

    /// Encodes the group.
    pub fn encode(&self) -> EncodedGroup {
        let mut group = EncodedGroup { keys: Vec::new(), cards: Vec::new() };
        for (key, list) in &self.lists {
            let written = list.written();
            let gives_card = |posting: &&Posting| !is_body(key) && list.gives_card(posting.rank());
            let candidates = written.iter().filter(gives_card);
            let card = |posting: &Posting| (posting.id(), gives_details(key, posting.impact()));
            group.cards.extend(candidates.map(card));
            let df = written_df(list.len(), max_postings(key));
            group.keys.push(((*key).into(), encode_list(df, written)));
        }
        let root = str::from_utf8(self.name()).unwrap_or_default();
        if let Some(WordVector(bytes)) = vector(root) {
            group.keys.push((Key::Vector(root).encode().into(), bytes.into()));
        }
        group
    }
}

impl EncodedGroup {
    /// Size of its keys and lists in a piece, in bytes.
    pub fn size_of_keys(&self) -> usize {
        self.keys.iter().map(|(key, list)| key.len() + list.len() + 4).sum()
    }
}

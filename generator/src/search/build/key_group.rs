//! Groups of keys that are always written to one piece together.

use std::collections::HashMap;

use super::namespace_cutoffs::NamespaceNames;
use super::packed_posting::{PackedPosting, Rank};
use super::posting_list::{PostingList, WrittenList};
use super::postings::{Postings, WordKeys};
use crate::search::format::keys::{PREFIX, SCOPED, SCOPED_PREFIX, base, prefix_of};
use crate::search::format::posting::{encode_list, max_postings, max_postings_in_namespace, written_df};

/// The card of a skill, and the number of its namespace.
#[derive(PartialEq)]
pub struct StoredCard {
    pub bytes: Box<[u8]>,
    pub namespace: u32,
}

/// All that pieces are made of.
#[derive(Clone, Copy)]
pub struct PieceInput<'a> {
    pub postings: &'a Postings,
    pub cards: &'a HashMap<u64, StoredCard>,
    pub namespaces: NamespaceNames<'a>,
}

/// The key of a word with that of its prefix, or one key of a namespace.
pub enum KeyGroup<'a> {
    Word(WordKeys<'a>),
    InNamespace { key: Box<[u8]>, list: WrittenList<'a>, is_prefix: bool },
}

/// A group as it is written.
pub struct EncodedGroup<'a> {
    /// In order, with encoded lists.
    pub keys: Vec<(Box<[u8]>, Vec<u8>)>,
    /// The ids and encoded cards of the candidates.
    pub cards: Vec<(u64, &'a [u8])>,
    /// Whether its keys have a namespace.
    pub is_scoped: bool,
}

/// Sorts groups by the first key of each. A word's group may start with either key.
pub fn group_start(first: &[u8]) -> &[u8] {
    first.strip_suffix(&[PREFIX]).unwrap_or(first)
}

impl<'a> PieceInput<'a> {
    /// The groups of the words before `end`, in order, from the one that has the key `from`.
    pub fn groups(self, from: &[u8], end: Option<&[u8]>) -> impl Iterator<Item = KeyGroup<'a>> + use<'a> {
        let (word, rest) = from.split_at(base(from).len());
        let words = self.postings.words(word, end);
        let (word, rest) = (word.to_vec(), rest.to_vec());
        words.flat_map(move |keys| {
            let rest = if keys.word == word { rest.as_slice() } else { &[] };
            let [own, prefix] = [(keys.own, SCOPED), (keys.prefix, SCOPED_PREFIX)]
                .map(|(list, separator)| self.by_namespace(keys.word, list, separator, rest));
            let of_word = matches!(rest, [] | [PREFIX]).then_some(KeyGroup::Word(keys));
            of_word.into_iter().chain(own).chain(prefix)
        })
    }

    /// The groups of a word's or prefix's namespaces, from the key `word` + `rest` on.
    fn by_namespace(
        self,
        word: &'a [u8],
        list: Option<&'a PostingList>,
        separator: u8,
        rest: &[u8],
    ) -> impl Iterator<Item = KeyGroup<'a>> + use<'a> {
        let (list, from): (_, &[u8]) = match rest.split_first() {
            Some((first, _)) if *first > separator => (None, &[]),
            Some((first, namespace)) if *first == separator => (list, namespace),
            _ => (list, &[]),
        };
        let lists = list.map(|list| list.by_namespace(self.namespaces, from));
        lists.into_iter().flatten().map(move |(namespace, list)| KeyGroup::InNamespace {
            key: [word, &[separator], namespace.as_bytes()].concat().into(),
            list,
            is_prefix: separator == SCOPED_PREFIX,
        })
    }
}

impl KeyGroup<'_> {
    /// The first of its keys.
    pub fn first(&self) -> Box<[u8]> {
        match self {
            Self::Word(keys) => keys.first(),
            Self::InNamespace { key, .. } => key.clone(),
        }
    }

    /// A lower limit of its size in bytes: one for each posting.
    pub fn min_size(&self) -> usize {
        match self {
            Self::Word(keys) => {
                let count = |list: Option<&PostingList>| list.map_or(0, PostingList::len);
                count(keys.own).min(max_postings(false)) + count(keys.prefix).min(max_postings(true))
            }
            Self::InNamespace { list, is_prefix, .. } => {
                list.skills.len().min(max_postings_in_namespace(*is_prefix))
            }
        }
    }

    /// Encodes the group.
    pub fn encode<'a>(&self, cards: &'a HashMap<u64, StoredCard>) -> EncodedGroup<'a> {
        let is_scoped = matches!(self, Self::InNamespace { .. });
        let mut group = EncodedGroup { keys: Vec::new(), cards: Vec::new(), is_scoped };
        match self {
            Self::Word(WordKeys { word, own, prefix }) => {
                if let Some(own) = own {
                    group.add((*word).into(), own.in_all(), max_postings(false), cards);
                }
                if let Some(prefix) = prefix {
                    group.add(prefix_of(word).into(), prefix.in_all(), max_postings(true), cards);
                }
            }
            Self::InNamespace { key, list, is_prefix } => {
                group.add(key.clone(), *list, max_postings_in_namespace(*is_prefix), cards);
            }
        }
        group
    }
}

impl<'a> EncodedGroup<'a> {
    /// Size of its keys and lists in a piece, in bytes.
    pub fn size_of_keys(&self) -> usize {
        self.keys.iter().map(|(key, list)| key.len() + list.len() + 4).sum()
    }

    fn add(
        &mut self,
        key: Box<[u8]>,
        WrittenList { count, skills, cutoffs }: WrittenList<'_>,
        max: usize,
        cards: &'a HashMap<u64, StoredCard>,
    ) {
        let until = |cutoff: Rank| move |posting: &&PackedPosting| posting.rank() <= cutoff;
        let mut written: Vec<_> = skills.iter().filter(until(cutoffs.postings)).copied().collect();
        // The skills of each namespace are by id already.
        written.sort_by_key(|posting| posting.id());
        self.cards.extend(written.iter().filter(until(cutoffs.candidates)).map(|posting| {
            let card = cards.get(&posting.id()).map_or(&[][..], |card| &card.bytes);
            (posting.id(), card)
        }));
        let postings = written.iter().map(|posting| posting.posting());
        self.keys.push((key, encode_list(written_df(count, max), written.len(), postings)));
    }
}

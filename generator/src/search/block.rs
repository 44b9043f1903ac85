//! Lists of the index as they are written: those that stand in one piece.

use std::collections::HashMap;

use super::packed::{Packed, Rank};
use super::piece::{PREFIX, SCOPED, SCOPED_PREFIX, base, encode_list, most, most_in_namespace, written_df};
use super::posting_list::{Listed, PostingList};
use super::postings::{Keys, Postings};
use super::scopes::Names;

/// What the pieces say of a skill.
#[derive(PartialEq)]
pub(super) struct Shown {
    /// The bytes of its card.
    pub card: Box<[u8]>,
    pub namespace: u32,
}

/// All that pieces are made of.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub postings: &'a Postings,
    pub shown: &'a HashMap<u64, Shown>,
    pub namespaces: Names<'a>,
}

/// What is in one piece as a whole: a word's own key with that of its prefix, or one
/// key with a namespace.
pub(super) enum Unit<'a> {
    Head(Keys<'a>),
    Scoped { key: Box<[u8]>, listed: Listed<'a>, is_prefix: bool },
}

/// The same as it is written.
pub(super) struct Block<'a> {
    /// In order, with the bytes of their lists.
    pub keys: Vec<(Box<[u8]>, Vec<u8>)>,
    /// The skills that need a card, with its bytes.
    pub cards: Vec<(u64, &'a [u8])>,
    /// Whether its keys have a namespace.
    pub is_scoped: bool,
}

/// What stands for a piece's first key in the order of units: the word for its head.
pub(super) fn place(first: &[u8]) -> &[u8] {
    first.strip_suffix(&[PREFIX]).unwrap_or(first)
}

impl<'a> Sources<'a> {
    /// The units from the key `from` on, of words before `end`, in order. Where `from`
    /// is a key of a word's head, all of the word's.
    pub fn units(self, from: &[u8], end: Option<&[u8]>) -> impl Iterator<Item = Unit<'a>> + use<'a> {
        let (word, rest) = from.split_at(base(from).len());
        let words = self.postings.words(word, end);
        let (word, rest) = (word.to_vec(), rest.to_vec());
        words.flat_map(move |keys| {
            let rest = if keys.word == word { rest.as_slice() } else { &[] };
            let [own, prefix] = [(keys.own, SCOPED), (keys.prefix, SCOPED_PREFIX)]
                .map(|(list, mark)| self.scoped(keys.word, list, mark, rest));
            let head = matches!(rest, [] | [PREFIX]).then_some(Unit::Head(keys));
            head.into_iter().chain(own).chain(prefix)
        })
    }

    /// Those of a word that have a namespace, or of its prefix: from `rest` on, which is
    /// what a key has behind the word.
    fn scoped(
        self,
        word: &'a [u8],
        list: Option<&'a PostingList>,
        mark: u8,
        rest: &[u8],
    ) -> impl Iterator<Item = Unit<'a>> + use<'a> {
        let (list, from): (_, &[u8]) = match rest.split_first() {
            Some((first, _)) if *first > mark => (None, &[]),
            Some((first, namespace)) if *first == mark => (list, namespace),
            _ => (list, &[]),
        };
        let lists = list.map(|list| list.by_namespace(self.namespaces, from));
        lists.into_iter().flatten().map(move |(namespace, listed)| Unit::Scoped {
            key: [word, &[mark], namespace.as_bytes()].concat().into(),
            listed,
            is_prefix: mark == SCOPED_PREFIX,
        })
    }
}

impl Unit<'_> {
    /// The first of its keys.
    pub fn first(&self) -> Box<[u8]> {
        match self {
            Self::Head(keys) => keys.first(),
            Self::Scoped { key, .. } => key.clone(),
        }
    }

    /// How many bytes it has at least: one a posting.
    pub fn least(&self) -> usize {
        match self {
            Self::Head(keys) => {
                let len = |list: Option<&PostingList>| list.map_or(0, PostingList::len);
                len(keys.own).min(most(false)) + len(keys.prefix).min(most(true))
            }
            Self::Scoped { listed, is_prefix, .. } => listed.skills.len().min(most_in_namespace(*is_prefix)),
        }
    }

    /// It as it is written.
    pub fn block<'a>(&self, shown: &'a HashMap<u64, Shown>) -> Block<'a> {
        match self {
            Self::Head(keys) => {
                let mut block = Block { keys: Vec::new(), cards: Vec::new(), is_scoped: false };
                for (list, mark) in [(keys.own, &[][..]), (keys.prefix, &[PREFIX][..])] {
                    if let Some(list) = list {
                        let key = [keys.word, mark].concat().into();
                        block.add(key, list.listed(), most(!mark.is_empty()), shown);
                    }
                }
                block
            }
            Self::Scoped { key, listed, is_prefix } => {
                let mut block = Block { keys: Vec::new(), cards: Vec::new(), is_scoped: true };
                block.add(key.clone(), *listed, most_in_namespace(*is_prefix), shown);
                block
            }
        }
    }
}

impl<'a> Block<'a> {
    /// The first of its keys.
    pub fn first(&self) -> &[u8] {
        self.keys.first().map_or(&[], |(key, _)| key)
    }

    /// What its keys and lists take in a piece, in bytes.
    pub fn size_of_keys(&self) -> usize {
        self.keys.iter().map(|(key, list)| key.len() + list.len() + 4).sum()
    }

    fn add(
        &mut self,
        key: Box<[u8]>,
        Listed { count, skills, edges }: Listed<'_>,
        most: usize,
        shown: &'a HashMap<u64, Shown>,
    ) {
        let until = |edge: Rank| move |packed: &&Packed| packed.rank() <= edge;
        let mut listing: Vec<Packed> = skills.iter().filter(until(edges.last)).copied().collect();
        // By id already in each namespace.
        listing.sort_by_key(|packed| packed.id());
        self.cards.extend(listing.iter().filter(until(edges.best)).map(|packed| {
            let card = shown.get(&packed.id()).map_or(&[][..], |shown| &shown.card);
            (packed.id(), card)
        }));
        let postings = listing.iter().map(|packed| packed.posting());
        self.keys.push((key, encode_list(written_df(count, most), listing.len(), postings)));
    }
}

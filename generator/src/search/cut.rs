//! Where the sorted keys are cut into pieces.
//!
//! The cut depends on the keys alone, and a change moves it only nearby: some
//! words, chosen by a hash, always begin a piece, and so a new **stretch**; in a
//! stretch a piece ends where it would grow too large.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::piece::{
    BEST, List, MOST_OF_PREFIX, MOST_POSTINGS, PREFIX, Posting, SCOPED, SCOPED_PREFIX, base, best, encode,
};
use super::postings::{Packed, Postings};

/// Of so many words one begins a stretch.
const WORDS: u64 = 256;

/// A piece is not made larger than this, in bytes, unless by what cannot be
/// divided. A cold query of two words reads two, beside the manifest.
const LARGEST: usize = 24 * 1024;

/// The same for a piece of keys with a namespace alone. Larger ones cost who asks
/// in a namespace; more of them cost everybody, for the manifest lists them all.
const LARGEST_SCOPED: usize = 128 * 1024;

/// Whether a word always begins a piece: by its FNV-1a hash of 64 bits.
pub(super) fn begins_stretch(word: &[u8]) -> bool {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = word.iter().fold(0xcbf2_9ce4_8422_2325, step);
    // The low bits of this hash are those of the last letters.
    (hash >> 32) % WORDS == 0
}

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
    /// By their numbers.
    pub namespaces: &'a [Arc<str>],
}

/// Keys that stand in one piece, in order, with the bytes of their lists, and
/// the skills that need a card.
#[derive(Default)]
struct Block {
    keys: Vec<(Box<[u8]>, Vec<u8>)>,
    cards: Vec<u64>,
}

/// A piece.
pub(super) struct Made {
    pub first: Arc<[u8]>,
    pub bytes: Vec<u8>,
    /// The first key behind it. None where it is the last piece.
    pub next: Option<Box<[u8]>>,
}

/// Makes pieces one after the other.
pub(super) struct Cutter<'a> {
    sources: Sources<'a>,
    /// The rest of a word that was divided.
    left: std::vec::IntoIter<Block>,
}

impl<'a> Cutter<'a> {
    pub fn new(sources: Sources<'a>) -> Self {
        Self { sources, left: Vec::new().into_iter() }
    }

    /// The piece that begins with the key `from`, or with the first one behind
    /// it. None where there is none before `end`.
    pub fn piece(&mut self, from: &[u8], end: Option<&[u8]>) -> Option<Made> {
        let mut open = Open::new(self.sources.shown);
        let left = std::mem::take(&mut self.left);
        // What is left of a word is of use only to who goes on there.
        let left: Vec<_> = left.skip_while(|block| block.first() != from).collect();
        let start = match left.is_empty() {
            true => base(from).to_vec(),
            // The words behind the divided one begin behind all its keys.
            false => [base(from), &[SCOPED_PREFIX + 1]].concat(),
        };
        let is_first = |word: &[u8], open: &Open<'_>| open.keys.is_empty() || !begins_stretch(word);
        let mut next = None;
        let mut divided = Vec::new();
        let words = self.sources.postings.words(&start, end);
        let blocks = words.map(|(word, own, prefix)| (word, blocks(word, own, prefix, &self.sources)));
        let all = [(None, left)].into_iter().chain(blocks.map(|(word, blocks)| (Some(word), blocks)));
        for (word, blocks) in all {
            if word.is_some_and(|word| !is_first(word, &open)) {
                next = blocks.first().map(|block| block.first().into());
                break;
            }
            for block in blocks.into_iter().filter(|block| block.first() >= from) {
                if next.is_some() || !open.takes(&block) {
                    next.get_or_insert_with(|| block.first().into());
                    divided.push(block);
                } else {
                    open.push(block);
                }
            }
            if next.is_some() {
                break;
            }
        }
        self.left = divided.into_iter();
        open.close(next)
    }
}

/// All keys of a word: it and its prefix together, then each with a namespace.
fn blocks(word: &[u8], own: &[Packed], prefix: &[Packed], sources: &Sources<'_>) -> Vec<Block> {
    let mut head = Block::default();
    let mut scoped = Vec::new();
    let both =
        [(own, &[][..], SCOPED, MOST_POSTINGS), (prefix, &[PREFIX][..], SCOPED_PREFIX, MOST_OF_PREFIX)];
    for (skills, mark, scope, most) in both.into_iter().filter(|(skills, ..)| !skills.is_empty()) {
        if skills.len() > BEST {
            for (namespace, inside) in by_namespace(skills, sources.namespaces) {
                let mut block = Block::default();
                block.add([word, &[scope], namespace.as_bytes()].concat(), &inside, most);
                scoped.push(block);
            }
        }
        let all: Vec<_> = skills.iter().map(|packed| packed.posting()).collect();
        head.add([word, mark].concat(), &all, most);
    }
    scoped.insert(0, head);
    scoped
}

/// Skills by their namespaces; none where all are of one.
fn by_namespace<'a>(skills: &[Packed], namespaces: &'a [Arc<str>]) -> BTreeMap<&'a str, Vec<Posting>> {
    let first = skills.first().map(|packed| packed.namespace());
    if skills.iter().all(|packed| Some(packed.namespace()) == first) {
        return BTreeMap::new();
    }
    let mut inside = HashMap::<u32, Vec<Posting>>::new();
    for packed in skills {
        inside.entry(packed.namespace()).or_default().push(packed.posting());
    }
    let name = |number: u32| namespaces.get(number as usize).map_or("", |name| &**name);
    inside.into_iter().map(|(number, postings)| (name(number), postings)).collect()
}

impl Block {
    fn first(&self) -> &[u8] {
        self.keys.first().map_or(&[], |(key, _)| key)
    }

    /// Whether its keys have a namespace.
    fn is_scoped(&self) -> bool {
        self.first().iter().any(|byte| matches!(*byte, SCOPED | SCOPED_PREFIX))
    }

    fn add(&mut self, key: Vec<u8>, skills: &[Posting], most: usize) {
        let postings: Vec<_> = best(skills, most).collect();
        self.cards.extend(best(&postings, BEST).map(|posting| posting.id));
        let list = List { df: skills.len() as u64, postings };
        self.keys.push((key.into(), list.encode()));
    }
}

/// The piece that is being filled.
struct Open<'a> {
    shown: &'a HashMap<u64, Shown>,
    keys: Vec<(Box<[u8]>, Vec<u8>)>,
    cards: BTreeMap<u64, &'a [u8]>,
    size: usize,
    /// Whether all its keys have a namespace.
    is_scoped: bool,
}

impl<'a> Open<'a> {
    fn new(shown: &'a HashMap<u64, Shown>) -> Self {
        Self { shown, keys: Vec::new(), cards: BTreeMap::new(), size: 0, is_scoped: true }
    }

    fn card(&self, id: u64) -> &'a [u8] {
        self.shown.get(&id).map_or(&[], |shown| &shown.card)
    }

    /// Whether it may grow by these keys.
    fn takes(&self, block: &Block) -> bool {
        if self.keys.is_empty() {
            return true;
        }
        let largest = if self.is_scoped && block.is_scoped() { LARGEST_SCOPED } else { LARGEST };
        let size = self.size + size_of_keys(block);
        let new = || block.cards.iter().filter(|id| !self.cards.contains_key(id));
        size <= largest && size + new().map(|id| self.card(*id).len() + 2).sum::<usize>() <= largest
    }

    fn push(&mut self, block: Block) {
        self.is_scoped &= block.is_scoped();
        for id in &block.cards {
            let card = self.card(*id);
            if self.cards.insert(*id, card).is_none() {
                self.size += card.len() + 2;
            }
        }
        self.size += size_of_keys(&block);
        self.keys.extend(block.keys);
    }

    fn close(self, next: Option<Box<[u8]>>) -> Option<Made> {
        let (first, _) = self.keys.first()?;
        let cards = self.cards.iter().map(|(id, card)| (*id, *card));
        let keys = self.keys.iter().map(|(key, list)| (&**key, list.as_slice()));
        Some(Made { first: Arc::from(&**first), bytes: encode(cards, keys), next })
    }
}

fn size_of_keys(block: &Block) -> usize {
    block.keys.iter().map(|(key, list)| key.len() + list.len() + 4).sum()
}

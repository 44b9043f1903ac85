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
const WORDS: u64 = 64;

/// A piece is not made larger than this, in bytes, unless by what cannot be
/// divided. A cold query of two words reads two, beside the manifest.
const LARGEST: usize = 16 * 1024;

/// Whether a word always begins a piece: by its FNV-1a hash of 64 bits.
pub(super) fn begins_stretch(word: &[u8]) -> bool {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = word.iter().fold(0xcbf2_9ce4_8422_2325, step);
    // The low bits of this hash are those of the last letters.
    (hash >> 32) % WORDS == 0
}

/// What the pieces say of skills.
pub(super) struct Shown {
    /// The bytes of its card.
    pub card: Box<[u8]>,
    pub namespace: Arc<str>,
}

/// Keys that stand in one piece, in order, with the bytes of their lists, and
/// the skills that need a card.
struct Block {
    keys: Vec<(Box<[u8]>, Vec<u8>)>,
    cards: Vec<u64>,
}

/// A piece's first key and its bytes.
pub(super) type Made = (Arc<[u8]>, Vec<u8>);

/// The pieces of the keys from `start` on and before `end`, which are stretches.
pub(super) fn pieces(
    postings: &Postings,
    shown: &HashMap<u64, Shown>,
    (start, end): (&[u8], Option<&[u8]>),
) -> Vec<Made> {
    let mut made = Vec::new();
    let mut open = Open::empty(shown);
    let mut keys = postings.range(start, end).peekable();
    while let Some((key, skills)) = keys.next() {
        let word = base(key);
        let prefix = keys.next_if(|(next, _)| base(next) == word).map(|(_, skills)| skills);
        let (own, prefix) = if key.len() == word.len() { (skills, prefix) } else { (&[][..], Some(skills)) };
        if begins_stretch(word) {
            open.close(&mut made);
        }
        for block in blocks(word, own, prefix.unwrap_or_default(), shown) {
            open.push(block, &mut made);
        }
    }
    open.close(&mut made);
    made
}

/// All keys of a word: it and its prefix together, then each with a namespace.
fn blocks(word: &[u8], own: &[Packed], prefix: &[Packed], shown: &HashMap<u64, Shown>) -> Vec<Block> {
    let mut head = Block { keys: Vec::new(), cards: Vec::new() };
    let mut scoped = Vec::new();
    let both =
        [(own, &[][..], SCOPED, MOST_POSTINGS), (prefix, &[PREFIX][..], SCOPED_PREFIX, MOST_OF_PREFIX)];
    for (skills, mark, scope, most) in both.into_iter().filter(|(skills, ..)| !skills.is_empty()) {
        let all: Vec<_> = skills.iter().map(|packed| packed.posting()).collect();
        if all.len() > BEST {
            for (namespace, inside) in by_namespace(&all, shown) {
                let mut block = Block { keys: Vec::new(), cards: Vec::new() };
                block.add([word, &[scope], namespace.as_bytes()].concat(), &inside, most);
                scoped.push(block);
            }
        }
        head.add([word, mark].concat(), &all, most);
    }
    scoped.insert(0, head);
    scoped
}

/// Skills by their namespaces; none where all are of one.
fn by_namespace<'a>(all: &[Posting], shown: &'a HashMap<u64, Shown>) -> BTreeMap<&'a str, Vec<Posting>> {
    let mut inside = BTreeMap::<&str, Vec<Posting>>::new();
    for posting in all {
        if let Some(skill) = shown.get(&posting.id) {
            inside.entry(&skill.namespace).or_default().push(*posting);
        }
    }
    if inside.len() == 1 { BTreeMap::new() } else { inside }
}

impl Block {
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
}

impl<'a> Open<'a> {
    fn empty(shown: &'a HashMap<u64, Shown>) -> Self {
        Self { shown, keys: Vec::new(), cards: BTreeMap::new(), size: 0 }
    }

    fn push(&mut self, block: Block, made: &mut Vec<Made>) {
        let card = |id: &u64| self.shown.get(id).map_or(&[][..], |shown| &shown.card);
        let keys: usize = block.keys.iter().map(|(key, list)| key.len() + list.len() + 4).sum();
        let new = block.cards.iter().filter(|id| !self.cards.contains_key(id));
        let cards: usize = new.map(|id| card(id).len() + 2).sum();
        if self.size > 0 && self.size + keys + cards > LARGEST {
            self.close(made);
        }
        for id in &block.cards {
            let card = self.shown.get(id).map_or(&[][..], |shown| &shown.card);
            if self.cards.insert(*id, card).is_none() {
                self.size += card.len() + 2;
            }
        }
        self.size += keys;
        self.keys.extend(block.keys);
    }

    fn close(&mut self, made: &mut Vec<Made>) {
        let Some((first, _)) = self.keys.first() else { return };
        let cards = self.cards.iter().map(|(id, card)| (*id, *card));
        let keys = self.keys.iter().map(|(key, list)| (&**key, list.as_slice()));
        made.push((Arc::from(&**first), encode(cards, keys)));
        *self = Self::empty(self.shown);
    }
}

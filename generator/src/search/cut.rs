//! Where the sorted keys are cut into pieces.
//!
//! The cut depends on what the pieces hold alone, and a change moves it only nearby:
//! some words, chosen by a hash, always begin a piece, and so a new **stretch**; in a
//! stretch a piece ends where it would grow too large.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::block::{Block, Sources, Unit};
use super::piece::encode;

/// Of so many words one begins a stretch.
const WORDS: u64 = 256;

/// A piece is not made larger than this, in bytes, unless by what cannot be
/// divided. A cold query of two words reads two, beside the manifest.
const LARGEST: usize = 24 * 1024;

/// The same for a piece of keys with a namespace alone. Larger ones cost whoever publishes,
/// who writes one for each common word; more of them cost everybody, for the manifest lists them all.
const LARGEST_SCOPED: usize = 32 * 1024;

/// Whether a word always begins a piece: by its FNV-1a hash of 64 bits.
pub(super) fn begins_stretch(word: &[u8]) -> bool {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = word.iter().fold(0xcbf2_9ce4_8422_2325, step);
    // The low bits of this hash are those of the last letters.
    (hash >> 32) % WORDS == 0
}

/// A piece.
pub(super) struct Made {
    pub first: Arc<[u8]>,
    pub bytes: Vec<u8>,
    pub room: Room,
    /// The first key behind it. None where it is the last piece.
    pub next: Option<Box<[u8]>>,
}

/// What a piece has room for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// What its bytes were taken for where it was cut.
    size: usize,
    /// Whether all its keys have a namespace.
    is_scoped: bool,
}

impl Room {
    /// Whether a unit begins a piece behind such a one in any case, as far as that can
    /// be told without writing it.
    pub fn is_too_small(&self, unit: &Unit<'_>) -> bool {
        match unit {
            Unit::Head(keys) => begins_stretch(keys.word) || self.size + unit.least() > LARGEST,
            Unit::Scoped { .. } => self.size + unit.least() > self.largest(true),
        }
    }

    /// How large the piece may be with what comes next.
    fn largest(&self, is_next_scoped: bool) -> usize {
        if self.is_scoped && is_next_scoped { LARGEST_SCOPED } else { LARGEST }
    }
}

/// Makes pieces one after the other.
pub(super) struct Cutter<'a> {
    sources: Sources<'a>,
    /// What did not fit into the last one.
    left: Option<Block<'a>>,
}

impl<'a> Cutter<'a> {
    pub fn new(sources: Sources<'a>) -> Self {
        Self { sources, left: None }
    }

    /// The piece of the first units from the key `from` on ([`Sources::units`]). None
    /// where there are none before the word `end`.
    pub fn piece(&mut self, from: &[u8], end: Option<&[u8]>) -> Option<Made> {
        let mut open = Open::new();
        for unit in self.sources.units(from, end) {
            let first = unit.first();
            if !open.keys.is_empty() && open.room.is_too_small(&unit) {
                return open.close(Some(first));
            }
            let left = self.left.take().filter(|left| *left.first() == *first);
            let block = left.unwrap_or_else(|| unit.block(self.sources.shown));
            if !open.takes(&block) {
                self.left = Some(block);
                return open.close(Some(first));
            }
            open.push(block);
        }
        open.close(None)
    }
}

/// The piece that is being filled.
struct Open<'a> {
    keys: Vec<(Box<[u8]>, Vec<u8>)>,
    cards: BTreeMap<u64, &'a [u8]>,
    room: Room,
}

impl<'a> Open<'a> {
    fn new() -> Self {
        Self { keys: Vec::new(), cards: BTreeMap::new(), room: Room { size: 0, is_scoped: true } }
    }

    /// Whether it may grow by these keys.
    fn takes(&self, block: &Block<'_>) -> bool {
        if self.keys.is_empty() {
            return true;
        }
        let largest = self.room.largest(block.is_scoped);
        let size = self.room.size + block.size_of_keys();
        let new = || block.cards.iter().filter(|(id, _)| !self.cards.contains_key(id));
        size <= largest && size + new().map(|(_, card)| card.len() + 2).sum::<usize>() <= largest
    }

    fn push(&mut self, block: Block<'a>) {
        self.room.is_scoped &= block.is_scoped;
        for (id, card) in &block.cards {
            if self.cards.insert(*id, card).is_none() {
                self.room.size += card.len() + 2;
            }
        }
        self.room.size += block.size_of_keys();
        self.keys.extend(block.keys);
    }

    fn close(self, next: Option<Box<[u8]>>) -> Option<Made> {
        let (first, _) = self.keys.first()?;
        let cards = self.cards.iter().map(|(id, card)| (*id, *card));
        let keys = self.keys.iter().map(|(key, list)| (&**key, list.as_slice()));
        Some(Made { first: Arc::from(&**first), bytes: encode(cards, keys), room: self.room, next })
    }
}

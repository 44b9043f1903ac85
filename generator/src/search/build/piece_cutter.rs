//! Cuts the sorted keys into pieces.
//!
//! Where pieces end depends only on what they hold, and a change moves it only nearby. Some
//! words, chosen by a hash, always start a piece, and with it a new **chunk**. Within a
//! chunk, a piece ends where it would become too large.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::key_group::{EncodedGroup, KeyGroup, PieceInput};
use crate::search::format::piece::encode;

/// One of so many words starts a chunk.
const WORDS_PER_CHUNK: u64 = 256;

/// Largest size of a piece, in bytes, unless a single group is larger. A cold query of two
/// words reads two pieces, and the manifest.
const MAX_SIZE: usize = 24 * 1024;

/// Largest size of a piece whose keys all have a namespace. With larger ones a publish costs
/// more, because it writes one for each common word. With smaller ones every reader pays,
/// because the manifest lists them all.
const MAX_SCOPED_SIZE: usize = 32 * 1024;

/// Whether a word starts a chunk: by its 64-bit FNV-1a hash.
pub fn starts_chunk(word: &[u8]) -> bool {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = word.iter().fold(0xcbf2_9ce4_8422_2325, step);
    // The low bits of this hash depend on the last letters alone.
    (hash >> 32) % WORDS_PER_CHUNK == 0
}

/// A piece that was cut.
pub struct CutPiece {
    pub first: Arc<[u8]>,
    pub bytes: Vec<u8>,
    pub fill: Fill,
    /// The first key after it. None for the last piece.
    pub next: Option<Box<[u8]>>,
}

/// How full a piece is.
#[derive(Debug, Clone, Copy)]
pub struct Fill {
    /// Its size as estimated while it was cut.
    size: usize,
    /// Whether all its keys have a namespace.
    is_scoped: bool,
}

impl Fill {
    /// Whether a group surely starts the next piece, as far as that is known without
    /// encoding it.
    pub fn is_too_full_for(&self, group: &KeyGroup<'_>) -> bool {
        match group {
            KeyGroup::Word(keys) => starts_chunk(keys.word) || self.size + group.min_size() > MAX_SIZE,
            KeyGroup::InNamespace { .. } => self.size + group.min_size() > self.max_size(true),
        }
    }

    /// Largest size of the piece with the next group in it.
    fn max_size(&self, is_next_scoped: bool) -> usize {
        if self.is_scoped && is_next_scoped { MAX_SCOPED_SIZE } else { MAX_SIZE }
    }
}

/// Cuts pieces one after the other.
pub struct PieceCutter<'a> {
    input: PieceInput<'a>,
    /// The encoded group that did not fit into the last piece, and its first key.
    left: Option<(Box<[u8]>, EncodedGroup<'a>)>,
}

impl<'a> PieceCutter<'a> {
    pub fn new(input: PieceInput<'a>) -> Self {
        Self { input, left: None }
    }

    /// Cuts the piece that starts with the group of the key `from`. None if there are no
    /// groups before the word `end`.
    pub fn cut(&mut self, from: &[u8], end: Option<&[u8]>) -> Option<CutPiece> {
        let mut piece = OpenPiece::new();
        for group in self.input.groups(from, end) {
            let first = group.first();
            if !piece.keys.is_empty() && piece.fill.is_too_full_for(&group) {
                return piece.close(Some(first));
            }
            let left = self.left.take().filter(|(key, _)| *key == first);
            let encoded = left.map_or_else(|| group.encode(self.input.cards), |(_, encoded)| encoded);
            if !piece.has_room_for(&encoded) {
                self.left = Some((first.clone(), encoded));
                return piece.close(Some(first));
            }
            piece.push(encoded);
        }
        piece.close(None)
    }
}

/// A piece that is being filled.
struct OpenPiece<'a> {
    keys: Vec<(Box<[u8]>, Vec<u8>)>,
    cards: BTreeMap<u64, &'a [u8]>,
    fill: Fill,
}

impl<'a> OpenPiece<'a> {
    fn new() -> Self {
        Self { keys: Vec::new(), cards: BTreeMap::new(), fill: Fill { size: 0, is_scoped: true } }
    }

    fn has_room_for(&self, group: &EncodedGroup<'_>) -> bool {
        if self.keys.is_empty() {
            return true;
        }
        let max = self.fill.max_size(group.is_scoped);
        let size = self.fill.size + group.size_of_keys();
        let new_cards = || group.cards.iter().filter(|(id, _)| !self.cards.contains_key(id));
        size <= max && size + new_cards().map(|(_, card)| card.len() + 2).sum::<usize>() <= max
    }

    fn push(&mut self, group: EncodedGroup<'a>) {
        self.fill.is_scoped &= group.is_scoped;
        for (id, card) in &group.cards {
            if self.cards.insert(*id, card).is_none() {
                self.fill.size += card.len() + 2;
            }
        }
        self.fill.size += group.size_of_keys();
        self.keys.extend(group.keys);
    }

    fn close(self, next: Option<Box<[u8]>>) -> Option<CutPiece> {
        let (first, _) = self.keys.first()?;
        let cards = self.cards.iter().map(|(id, card)| (*id, *card));
        let keys = self.keys.iter().map(|(key, list)| (&**key, list.as_slice()));
        Some(CutPiece { first: Arc::from(&**first), bytes: encode(cards, keys), fill: self.fill, next })
    }
}

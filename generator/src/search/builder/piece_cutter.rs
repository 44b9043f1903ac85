//! Cuts the sorted keys into pieces.
//!
//! Where pieces end depends only on what they hold, and a change moves it only nearby. Some
//! groups, chosen by a hash of their names, always start a piece, and with it a new **chunk**.
//! Within a chunk, a piece ends where it would become too large.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::key_group::{EncodedGroup, KeyGroup};
use super::piece_input::PieceInput;
use crate::search::format::piece::encode;

/// One of so many groups starts a chunk.
const GROUPS_PER_CHUNK: u64 = 256;

/// Largest size of a piece before it is compressed, in bytes, unless a single group is larger. A
/// cold query of three words reads three pieces, and the manifest.
const MAX_SIZE: usize = 64 * 1024;

/// Whether a group starts a chunk: by the 64-bit FNV-1a hash of its name.
pub fn starts_chunk(group: &[u8]) -> bool {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = group.iter().fold(0xcbf2_9ce4_8422_2325, step);
    // The low bits of this hash depend on the last letters alone.
    (hash >> 32) % GROUPS_PER_CHUNK == 0
}

/// A piece that was cut.
pub struct CutPiece {
    /// The name of its first group.
    pub first: Arc<[u8]>,
    pub content: Vec<u8>,
    /// Its size as estimated while it was cut.
    pub size: usize,
    /// The first group after it. None for the last piece.
    pub next: Option<Box<[u8]>>,
}

/// Whether a group surely starts the next piece after one of this size, as far as that is known
/// without encoding it.
pub fn is_too_full_for(size: usize, group: &KeyGroup<'_>) -> bool {
    starts_chunk(group.name()) || size + group.min_size() > MAX_SIZE
}

/// Cuts pieces one after the other.
pub struct PieceCutter<'a> {
    input: PieceInput<'a>,
    /// The name of the group that did not fit into the last piece, and the group as it is written.
    left: Option<(Box<[u8]>, EncodedGroup)>,
}

impl<'a> PieceCutter<'a> {
    pub fn new(input: PieceInput<'a>) -> Self {
        Self { input, left: None }
    }

    /// Cuts the piece that starts with the group `from`. None if there are no groups before the
    /// group `end`.
    pub fn cut(&mut self, from: &[u8], end: Option<&[u8]>) -> Option<CutPiece> {
        let mut piece = OpenPiece::new(self.input);
        for group in self.input.postings.groups(from, end) {
            let name = group.name();
            if !piece.keys.is_empty() && is_too_full_for(piece.size, &group) {
                return piece.close(Some(name.into()));
            }
            let left = self.left.take().filter(|(left, _)| **left == *name);
            let encoded = left.map_or_else(|| group.encode(), |(_, encoded)| encoded);
            if !piece.has_room_for(&encoded) {
                self.left = Some((name.into(), encoded));
                return piece.close(Some(name.into()));
            }
            piece.push(name, encoded);
        }
        piece.close(None)
    }
}

/// A piece that is being filled.
struct OpenPiece<'a> {
    input: PieceInput<'a>,
    first: Box<[u8]>,
    keys: Vec<(Box<[u8]>, Vec<u8>)>,
    /// The skills with cards, and whether these have details.
    cards: BTreeMap<u64, bool>,
    size: usize,
}

impl<'a> OpenPiece<'a> {
    fn new(input: PieceInput<'a>) -> Self {
        Self { input, first: Box::default(), keys: Vec::new(), cards: BTreeMap::new(), size: 0 }
    }

    fn size_of_card(&self, id: u64, has_details: bool) -> usize {
        self.input.cards.get(&id).map_or(0, |card| card.size(has_details) + 2)
    }

    fn has_room_for(&self, group: &EncodedGroup) -> bool {
        let mut size = self.size + group.size_of_keys();
        for (id, has_details) in &group.cards {
            let known = self.cards.get(id);
            if known.is_none_or(|known| !known && *has_details) {
                size += self.size_of_card(*id, *has_details);
            }
        }
        self.keys.is_empty() || size <= MAX_SIZE
    }

    fn push(&mut self, name: &[u8], group: EncodedGroup) {
        if self.keys.is_empty() {
            self.first = name.into();
        }
        for (id, has_details) in &group.cards {
            let known = self.cards.get(id).copied();
            if known.is_none_or(|known| !known && *has_details) {
                self.cards.insert(*id, *has_details);
                self.size += self.size_of_card(*id, *has_details);
            }
        }
        self.size += group.size_of_keys();
        self.keys.extend(group.keys);
    }

    fn close(self, next: Option<Box<[u8]>>) -> Option<CutPiece> {
        if self.keys.is_empty() {
            return None;
        }
        let bytes = |(id, has_details): (&u64, &bool)| {
            (*id, self.input.cards.get(id).map_or_else(Vec::new, |card| card.bytes(*has_details)))
        };
        let cards: Vec<_> = self.cards.iter().map(bytes).collect();
        let cards = cards.iter().map(|(id, card)| (*id, card.as_slice()));
        let keys = self.keys.iter().map(|(key, list)| (&**key, list.as_slice()));
        Some(CutPiece { first: self.first.into(), content: encode(cards, keys), size: self.size, next })
    }
}

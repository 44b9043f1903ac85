//! What pieces are made of.

use std::collections::HashMap;

use super::postings::Postings;
use crate::search::format::piece::Card;

/// The card of a skill, with and without details.
#[derive(Debug)]
pub struct StoredCard {
    with_details: Box<[u8]>,
    /// Length of the part before the details.
    short: usize,
}

/// All that pieces are made of.
#[derive(Clone, Copy)]
pub struct PieceInput<'a> {
    pub postings: &'a Postings,
    pub cards: &'a HashMap<u64, StoredCard>,
}

impl StoredCard {
    pub fn new(card: &Card<'_>) -> Self {
        let short = Card { details: None, ..*card }.encode().len() - 1;
        Self { with_details: card.encode().into(), short }
    }

    /// Whether a piece shows the same of two cards.
    pub fn is_same(&self, other: &Self, has_details: bool) -> bool {
        let part = |card: &Self| if has_details { card.with_details.len() } else { card.short };
        self.with_details[..part(self)] == other.with_details[..part(other)]
    }

    /// The encoded card.
    pub fn bytes(&self, has_details: bool) -> Vec<u8> {
        if has_details {
            self.with_details.to_vec()
        } else {
            [&self.with_details[..self.short], &[0]].concat()
        }
    }

    /// Number of bytes of the encoded card.
    pub fn size(&self, has_details: bool) -> usize {
        if has_details { self.with_details.len() } else { self.short + 1 }
    }
}

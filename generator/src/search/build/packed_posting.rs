//! A skill under a key, packed into one number.

use crate::search::format::posting::Posting;

/// A [`Posting`] in one number, so that sorting is fast: id and impact, from the high bits to the
/// low ones. The id is a revision and must be below 2^58; the impact is 1 to 63.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackedPosting(u64);

/// Position of a skill in a list: larger impacts first, ties by id. The best rank is the
/// smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(u64);

const IMPACT_BITS: u32 = 6;
const ID_BITS: u32 = 64 - IMPACT_BITS;
/// The largest impact, and the mask of its bits.
const MAX_IMPACT: u8 = (1 << IMPACT_BITS) - 1;

impl PackedPosting {
    pub fn new(id: u64, impact: u8) -> Self {
        Self((id << IMPACT_BITS) | u64::from(impact & MAX_IMPACT))
    }

    pub fn posting(self) -> Posting {
        Posting { id: self.id(), impact: self.impact() }
    }

    pub fn id(self) -> u64 {
        self.0 >> IMPACT_BITS
    }

    pub fn impact(self) -> u8 {
        self.0 as u8 & MAX_IMPACT
    }

    pub fn rank(self) -> Rank {
        Rank::of(self.id(), self.impact())
    }
}

impl Rank {
    /// After every skill.
    pub const END: Self = Self(u64::MAX);

    pub fn of(id: u64, impact: u8) -> Self {
        Self((u64::from(MAX_IMPACT - (impact & MAX_IMPACT)) << ID_BITS) | (id & ((1 << ID_BITS) - 1)))
    }

    pub fn posting(self) -> PackedPosting {
        PackedPosting::new(self.id(), MAX_IMPACT - (self.0 >> ID_BITS) as u8)
    }

    pub fn id(self) -> u64 {
        self.0 & ((1 << ID_BITS) - 1)
    }
}

//! The order in which a list gives its skills postings and cards in the files.

use crate::search::format::posting::{MAX_IMPACT, Posting};

/// Position of a skill in a list: larger impacts first, ties by id. The best rank is the
/// smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(u64);

const ID_BITS: u32 = u64::BITS - MAX_IMPACT.count_ones();

impl Posting {
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

    pub fn posting(self) -> Posting {
        Posting::new(self.id(), MAX_IMPACT - (self.0 >> ID_BITS) as u8)
    }

    pub fn id(self) -> u64 {
        self.0 & ((1 << ID_BITS) - 1)
    }
}

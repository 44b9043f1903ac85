//! A skill under a key, in one number.

use super::piece::Posting;

/// What is put under keys: a skill's id, which is the number of a journal's row
/// and far below 2^38, and the number of its namespace, below 2^20.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub id: u64,
    pub namespace: u32,
}

/// A skill under a key: id, number of its namespace and impact, from the high
/// bits to the low ones, so that they sort by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Packed(u64);

/// Where a skill stands in a list: by impact, the largest first, then by id. The
/// best is the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(u64);

/// How many bits an id has.
const ID: u32 = 38;

impl Packed {
    pub fn new(member: Member, impact: u8) -> Self {
        Self((member.id << 26) | (u64::from(member.namespace & 0xf_ffff) << 6) | u64::from(impact & 63))
    }

    pub fn posting(self) -> Posting {
        Posting { id: self.id(), impact: self.impact() }
    }

    pub fn namespace(self) -> u32 {
        (self.0 >> 6) as u32 & 0xf_ffff
    }

    pub fn id(self) -> u64 {
        self.0 >> 26
    }

    pub fn impact(self) -> u8 {
        (self.0 & 63) as u8
    }

    pub fn rank(self) -> Rank {
        Rank((u64::from(63 - self.impact()) << ID) | self.id())
    }
}

impl Rank {
    /// Behind every skill.
    pub const END: Self = Self(u64::MAX);

    /// The skill that has it.
    pub fn id(self) -> u64 {
        self.0 & ((1 << ID) - 1)
    }
}

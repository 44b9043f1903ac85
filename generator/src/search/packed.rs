//! A skill under a key, in one number.

use super::piece::Posting;

/// What is put under keys: a skill's id, which is the number of a journal's row
/// and far below 2^38, and the number of its namespace, below 2^20.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub id: u64,
    pub namespace: u32,
}

/// A skill under a key: number of its namespace, id and impact, from the high
/// bits to the low ones, so that those of one namespace stand together, by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Packed(u64);

/// Where a skill stands in a list: by impact, the largest first, then by id. The
/// best is the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(u64);

/// How many bits the number of a namespace has.
const NAMESPACE: u32 = 20;

/// So many namespaces may be met before a change is taken in; there is room for as many
/// again, for those that it brings.
pub(super) const MOST_NAMESPACES: usize = 1 << (NAMESPACE - 1);

/// How many bits an id has.
const ID: u32 = 38;

/// How many bits an impact has.
const IMPACT: u32 = 6;

impl Packed {
    pub fn new(member: Member, impact: u8) -> Self {
        let Member { id, namespace } = member;
        let place = (u64::from(namespace & ((1 << NAMESPACE) - 1)) << ID) | (id & ((1 << ID) - 1));
        Self((place << IMPACT) | u64::from(impact & 63))
    }

    pub fn posting(self) -> Posting {
        Posting { id: self.id(), impact: self.impact() }
    }

    pub fn member(self) -> Member {
        Member { id: self.id(), namespace: self.namespace() }
    }

    pub fn namespace(self) -> u32 {
        (self.0 >> (ID + IMPACT)) as u32
    }

    pub fn id(self) -> u64 {
        (self.0 >> IMPACT) & ((1 << ID) - 1)
    }

    pub fn impact(self) -> u8 {
        (self.0 & 63) as u8
    }

    pub fn rank(self) -> Rank {
        Rank::of(self.id(), self.impact())
    }
}

impl Member {
    /// What sorts members as [`Packed`] does.
    pub fn place(self) -> (u32, u64) {
        (self.namespace, self.id)
    }
}

impl Rank {
    /// Behind every skill.
    pub const END: Self = Self(u64::MAX);

    pub fn of(id: u64, impact: u8) -> Self {
        Self((u64::from(63 - (impact & 63)) << ID) | (id & ((1 << ID) - 1)))
    }

    /// The impact that it has.
    pub fn impact(self) -> u8 {
        63 - ((self.0 >> ID) & 63) as u8
    }

    /// The skill that has it.
    pub fn id(self) -> u64 {
        self.0 & ((1 << ID) - 1)
    }
}

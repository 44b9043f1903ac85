//! A skill under a key, packed into one number.

use crate::search::format::posting::Posting;

/// A skill as lists know it.
#[derive(Debug, Clone, Copy)]
pub struct SkillRef {
    /// The number of a row of the journal, far below 2^38.
    pub id: u64,
    /// The number of its namespace, below 2^20.
    pub namespace: u32,
}

/// A skill under a key: number of its namespace, id and impact, from the high bits to the
/// low ones. So a sorted list has the skills of a namespace together, by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackedPosting(u64);

/// Position of a skill in a list: larger impacts first, ties by id. The best rank is the
/// smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(u64);

const NAMESPACE_BITS: u32 = 20;
const ID_BITS: u32 = 38;
const IMPACT_BITS: u32 = 6;

/// Number of namespaces after which the index is rebuilt. One update may add as many
/// again before that is noticed, so half of the numbers are left for it.
pub const MAX_NAMESPACES: usize = 1 << (NAMESPACE_BITS - 1);

impl PackedPosting {
    pub fn new(skill: SkillRef, impact: u8) -> Self {
        let SkillRef { id, namespace } = skill;
        let namespace = u64::from(namespace & ((1 << NAMESPACE_BITS) - 1));
        let skill = (namespace << ID_BITS) | (id & ((1 << ID_BITS) - 1));
        Self((skill << IMPACT_BITS) | u64::from(impact & 63))
    }

    pub fn posting(self) -> Posting {
        Posting { id: self.id(), impact: self.impact() }
    }

    pub fn skill(self) -> SkillRef {
        SkillRef { id: self.id(), namespace: self.namespace() }
    }

    pub fn namespace(self) -> u32 {
        (self.0 >> (ID_BITS + IMPACT_BITS)) as u32
    }

    pub fn id(self) -> u64 {
        (self.0 >> IMPACT_BITS) & ((1 << ID_BITS) - 1)
    }

    pub fn impact(self) -> u8 {
        (self.0 & 63) as u8
    }

    pub fn rank(self) -> Rank {
        Rank::of(self.id(), self.impact())
    }
}

impl SkillRef {
    /// Sorts skills as [`PackedPosting`] does.
    pub fn sort_key(self) -> (u32, u64) {
        (self.namespace, self.id)
    }
}

impl Rank {
    /// After every skill.
    pub const END: Self = Self(u64::MAX);

    pub fn of(id: u64, impact: u8) -> Self {
        Self((u64::from(63 - (impact & 63)) << ID_BITS) | (id & ((1 << ID_BITS) - 1)))
    }

    pub fn impact(self) -> u8 {
        63 - ((self.0 >> ID_BITS) & 63) as u8
    }

    pub fn id(self) -> u64 {
        self.0 & ((1 << ID_BITS) - 1)
    }
}

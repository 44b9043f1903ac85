//! A skill under a key, packed into one number.

use crate::search::format::posting::Posting;

/// A skill as lists know it.
#[derive(Debug, Clone, Copy)]
pub struct SkillRef {
    /// The id of the skill, which is a revision. Must be below 2^38: higher bits are cut off.
    pub id: u64,
    /// The number that `LiveSkills` gave its namespace, below 2^20. It is only in memory and
    /// never reused.
    pub namespace: u32,
}

/// A `Posting` with its namespace, in one number, so that sorting is fast: namespace, id and
/// impact, from the high bits to the low ones. A sorted list has the skills of a namespace
/// together, by id. The impact is the weight of the key in the skill, 1 to 63.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackedPosting(u64);

/// Position of a skill in a list: larger impacts first, ties by id. The best rank is the
/// smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(u64);

const NAMESPACE_BITS: u32 = 20;
const ID_BITS: u32 = 38;
const IMPACT_BITS: u32 = 6;

/// The largest impact, and the mask of its bits.
const MAX_IMPACT: u8 = (1 << IMPACT_BITS) - 1;

/// When so many numbers are given, the index is rebuilt and they start again at 0. It is
/// half of all numbers, because the check comes after an update, which may give many.
pub const MAX_NAMESPACES: usize = 1 << (NAMESPACE_BITS - 1);

impl PackedPosting {
    pub fn new(skill: SkillRef, impact: u8) -> Self {
        let SkillRef { id, namespace } = skill;
        let namespace = u64::from(namespace & ((1 << NAMESPACE_BITS) - 1));
        let skill = (namespace << ID_BITS) | (id & ((1 << ID_BITS) - 1));
        Self((skill << IMPACT_BITS) | u64::from(impact & MAX_IMPACT))
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
        self.0 as u8 & MAX_IMPACT
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
        Self((u64::from(MAX_IMPACT - (impact & MAX_IMPACT)) << ID_BITS) | (id & ((1 << ID_BITS) - 1)))
    }

    pub fn impact(self) -> u8 {
        MAX_IMPACT - ((self.0 >> ID_BITS) as u8 & MAX_IMPACT)
    }

    pub fn id(self) -> u64 {
        self.0 & ((1 << ID_BITS) - 1)
    }
}

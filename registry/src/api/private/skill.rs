//! Skills, as their authors and readers see them.

use serde::{Deserialize, Serialize};

use crate::api::public::SkillSummary;
use crate::names::{Coordinate, Namespace, Slug};
use crate::public::{Hundredths, Id, Person};
use crate::time::Timestamp;

/// A skill that the caller has starred.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StarredSkill<'a> {
    /// The skill, with its live counters.
    #[serde(flatten)]
    pub summary: SkillSummary<'a>,
    /// The time of the star.
    pub starred_at: Option<Timestamp>,
}

/// A skill to the caller.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct SkillToCaller {
    /// Whether the caller has starred the skill.
    pub starred: bool,
    /// The caller's rating.
    pub score: Option<Score>,
    /// Whether the caller may move its tags and yank its versions.
    pub manages: bool,
}

/// The number of versions of a skill, as its submitter may know it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OwnCounts {
    /// Published and not yanked.
    pub published: u64,
    /// Submitted by the caller and not decided.
    pub pending_review: u64,
    /// Submitted by the caller and rejected.
    pub rejected: u64,
    /// Yanked.
    pub yanked: u64,
}

/// A skill that the caller owns or has submitted.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct OwnSkill<'a> {
    /// The skill, with its live counters.
    #[serde(flatten)]
    pub summary: SkillSummary<'a>,
    /// The number of its versions.
    pub counts: OwnCounts,
}

/// A skill that is offered to another author.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Transfer"))]
pub struct TransferRecord {
    pub id: Id,
    pub namespace: Namespace,
    pub slug: Slug,
    pub from: Person,
    pub to: Person,
    pub message: Option<String>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

impl TransferRecord {
    /// The full name of the skill.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone(), self.slug.clone())
    }
}

/// The stars of a skill, after the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Starred {
    /// Whether the caller has starred the skill.
    pub starred: bool,
    /// The number of stars.
    pub star_count: u64,
}

/// A rating: 1 to 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Score(pub(crate) u8);

impl TryFrom<u8> for Score {
    type Error = &'static str;

    fn try_from(score: u8) -> Result<Self, Self::Error> {
        if (1..=5).contains(&score) { Ok(Self(score)) } else { Err("it is a whole number from 1 to 5") }
    }
}

impl From<Score> for u8 {
    fn from(score: Score) -> Self {
        score.0
    }
}

/// The rating of a skill, after the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Rated {
    /// The caller's rating.
    pub score: Score,
    /// The mean of all ratings.
    pub rating_average: Option<Hundredths>,
    /// The number of ratings.
    pub rating_count: u64,
}

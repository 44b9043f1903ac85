//! Reviews.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::api::public::{ScanFinding, VerdictRecord};
use crate::names::{Coordinate, Digest, Handle, Namespace, Slug, TagName, Version};
use crate::package::{FileRecord, Finding};
use crate::public::{Id, Person, PromotionSource, PublicProvenance};
use crate::roles::words;
use crate::time::Timestamp;

/// The state of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ReviewStatus {
    /// The review waits for a decision.
    Pending,
    /// The version became public.
    Approved,
    /// The version did not become public.
    Rejected,
    /// The submitter took it back, or a newer submission replaced it.
    Withdrawn,
}

/// The kind of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ReviewKind {
    /// A version was submitted.
    Publish,
    /// A version of a team's skill would be copied into `global`.
    Promotion,
}

words!(
    ReviewStatus,
    "status of a review",
    Pending = "pending",
    Approved = "approved",
    Rejected = "rejected",
    Withdrawn = "withdrawn"
);
words!(ReviewKind, "kind of review", Publish = "publish", Promotion = "promotion");

/// A submission for review.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Review"))]
pub struct ReviewRecord<'a> {
    pub id: Id,
    pub kind: ReviewKind,
    pub status: ReviewStatus,
    pub namespace: Cow<'a, Namespace>,
    pub slug: Cow<'a, Slug>,
    pub version: Cow<'a, Version>,
    pub skill_id: Id,
    pub sha256: Digest,
    pub source: Option<Cow<'a, PromotionSource>>,
    pub submitted_by: Person,
    pub submitted_at: Timestamp,
    pub decided_by: Option<Person>,
    pub decided_at: Option<Timestamp>,
    pub comment: Option<Cow<'a, str>>,
    /// Submitter and author, as far as their accounts are disabled. An approval needs
    /// `acceptDisabled` then.
    pub disabled_accounts: Vec<Cow<'a, Handle>>,
    /// The newest verdict of each scanner. An approval publishes the version in spite of them.
    #[serde(default)]
    pub verdicts: Vec<VerdictRecord>,
}

impl ReviewRecord<'_> {
    /// The full name of the skill.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone().into_owned(), self.slug.clone().into_owned())
    }
}

/// A scanner that has no verdict about a submission.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct Unanswered {
    pub scanner: String,
    /// Why its last run gave no verdict. None: it has not run yet.
    pub why: Option<String>,
}

/// A tag that an approval sets.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReviewTag<'a> {
    pub name: Cow<'a, TagName>,
    /// The version that the tag points to now. None: it does not exist.
    pub current_version: Option<Version>,
}

/// A review with everything that an approval makes public.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReviewDetail<'a> {
    #[serde(flatten)]
    pub review: ReviewRecord<'a>,
    pub changelog: Cow<'a, str>,
    /// The job that submitted it, or the source that it was taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Cow<'a, PublicProvenance>>,
    pub tags: Vec<ReviewTag<'a>>,
    pub files: Cow<'a, [FileRecord]>,
    pub metadata: Cow<'a, serde_json::Map<String, serde_json::Value>>,
    pub warnings: Cow<'a, [Finding]>,
    /// What the newest verdicts found.
    #[serde(default)]
    pub findings: Vec<ScanFinding>,
    /// The scanners of the settings that have not answered, each with the reason.
    #[serde(default)]
    pub unanswered: Vec<Unanswered>,
    /// Other names that readers could take its name for: `@namespace`, `@namespace/slug`, or
    /// the name of a reserved namespace.
    pub looks_like: Vec<String>,
}

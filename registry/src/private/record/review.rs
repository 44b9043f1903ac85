//! Records of reviews.

use serde::Serialize;

use crate::catalog::Catalog;
use crate::names::{Digest, Namespace, Slug, Version};
use crate::package::{FileRecord, Finding};
use crate::private::{Review, ReviewKind, ReviewStatus};
use crate::public::{Contents, Id, Person, PromotionSource};
use crate::time::Timestamp;

/// A submission for review.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Review"))]
pub struct ReviewRecord<'a> {
    id: Id,
    kind: ReviewKind,
    status: ReviewStatus,
    namespace: &'a Namespace,
    slug: &'a Slug,
    version: &'a Version,
    skill_id: Id,
    sha256: Digest,
    source: Option<&'a PromotionSource>,
    submitted_by: Person,
    submitted_at: Timestamp,
    decided_by: Option<Person>,
    decided_at: Option<Timestamp>,
    comment: Option<&'a str>,
}

impl<'a> ReviewRecord<'a> {
    /// The record of a review. `skillId` of a promotion is the id of its source.
    pub fn new(catalog: Catalog<'_>, review: &'a Review) -> Self {
        let (source_skill, source) = review.source.as_ref().map(|(id, origin)| (*id, origin)).unzip();
        Self {
            id: review.id,
            kind: review.kind,
            status: review.status,
            namespace: &review.coordinate.namespace,
            slug: &review.coordinate.slug,
            version: &review.version,
            skill_id: source_skill.unwrap_or(review.skill_id),
            sha256: review.sha256,
            source,
            submitted_by: catalog.person(&review.submitted_by),
            submitted_at: review.submitted_at,
            decided_by: review.decided.as_ref().map(|decided| catalog.person(&decided.by)),
            decided_at: review.decided.as_ref().map(|decided| decided.at),
            comment: review.comment.as_deref(),
        }
    }
}

/// A review with the submitted content.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct ReviewDetail<'a> {
    #[serde(flatten)]
    review: ReviewRecord<'a>,
    files: &'a [FileRecord],
    metadata: &'a serde_json::Map<String, serde_json::Value>,
    warnings: &'a [Finding],
}

impl<'a> ReviewDetail<'a> {
    /// The record of a review and of its content, with all warnings.
    pub fn new(catalog: Catalog<'_>, review: &'a Review, contents: &'a Contents) -> Self {
        let Contents { metadata, warnings, files } = contents;
        Self { review: ReviewRecord::new(catalog, review), files, metadata, warnings }
    }
}

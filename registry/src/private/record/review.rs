//! Records of reviews.

use serde::Serialize;

use crate::catalog::Catalog;
use crate::names::{Digest, Handle, Namespace, Slug, TagName, Version};
use crate::package::{FileRecord, Finding};
use crate::private::{Review, ReviewKind, ReviewStatus, Submission};
use crate::public::{Contents, Id, Person, PromotionSource, Published};
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
    /// Submitter and author, as far as their accounts are disabled. An approval needs
    /// `acceptDisabled` then.
    disabled_accounts: Vec<&'a Handle>,
}

impl<'a> ReviewRecord<'a> {
    /// The record of a review. `skillId` of a promotion is the id of its source.
    pub fn new(catalog: Catalog<'a>, review: &'a Review) -> Self {
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
            disabled_accounts: catalog.disabled_accounts(review),
        }
    }
}

/// A tag that an approval sets.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct ReviewTag<'a> {
    name: &'a TagName,
    /// The version that the tag points to now. None: it does not exist.
    current_version: Option<Version>,
}

/// A review with everything that an approval makes public.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReviewDetail<'a> {
    #[serde(flatten)]
    review: ReviewRecord<'a>,
    changelog: &'a str,
    tags: Vec<ReviewTag<'a>>,
    files: &'a [FileRecord],
    metadata: &'a serde_json::Map<String, serde_json::Value>,
    warnings: &'a [Finding],
    /// Other names that readers could take its name for: `@namespace`, `@namespace/slug`, or
    /// the name of a reserved namespace.
    looks_like: Vec<String>,
}

impl<'a> ReviewDetail<'a> {
    /// The record of a review and of its submission, with all warnings.
    pub fn new(catalog: Catalog<'a>, review: &'a Review, submission: &'a Submission) -> Self {
        let Submission { published: Published { changelog, tags, .. }, contents } = submission;
        let skill = catalog.public.skill(&review.coordinate);
        let current = |name| skill.and_then(|skill| skill.tags.get(name)).map(|tag| tag.version.clone());
        let tags = tags.iter().map(|name| ReviewTag { name, current_version: current(name) }).collect();
        let Contents { metadata, warnings, files } = contents;
        let source = review.source.as_ref().and_then(|(id, _)| catalog.public.name_of(*id));
        let looks_like = catalog.look_alikes(&review.coordinate, source);
        Self {
            review: ReviewRecord::new(catalog, review),
            changelog,
            tags,
            files,
            metadata,
            warnings,
            looks_like,
        }
    }
}

//! Reviews of versions.

use serde::{Deserialize, Serialize};

use super::{ReviewKind, ReviewStatus};
use crate::journal::Revision;
use crate::names::{Coordinate, Digest, Handle, Version};
use crate::public::{Contents, Id, PromotionSource, Published, VerdictEntry};
use crate::time::Timestamp;

/// The decision of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The version became public.
    Approved,
    /// The version did not become public.
    Rejected,
}

/// A request to copy a public version into `global`. The large part of the
/// version is in the row that published it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Promotion {
    /// The id of the source skill.
    pub source_skill: Id,
    /// The row that published the source version.
    pub source_revision: Revision,
    /// The person who requested it.
    pub requested_by: Handle,
    /// The comment of that person.
    pub comment: Option<String>,
    /// The publication, if it is approved. It names the source.
    pub published: Published,
}

/// A version submitted for review: everything that becomes public on approval,
/// and the warnings that only the submitter and reviewers see.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Submission {
    /// The publication, if it is approved.
    pub published: Published,
    /// The files, front matter and warnings, including those about secrets.
    pub contents: Contents,
}

/// The person who decided a review, and the time.
#[derive(Debug, Clone)]
pub struct Decided {
    /// The person.
    pub by: Handle,
    /// The time.
    pub at: Timestamp,
}

/// A review. Its file list is in the row of its id, or in the row of its source.
#[derive(Debug, Clone)]
pub struct Review {
    /// The id: the revision of the row that created it.
    pub id: Id,
    /// The kind.
    pub kind: ReviewKind,
    /// The state.
    pub status: ReviewStatus,
    /// The full name of the skill.
    pub coordinate: Coordinate,
    /// The id of the skill.
    pub skill_id: Id,
    /// The id of the version.
    pub version_id: Id,
    /// The version.
    pub version: Version,
    /// The digest of the package.
    pub sha256: Digest,
    /// The size of the package in bytes.
    pub package_size: u64,
    /// The digest of the content.
    pub content_digest: Digest,
    /// The author of the skill, if this becomes its first version.
    pub author: Handle,
    /// The source of a promotion: skill id, name and version.
    pub source: Option<(Id, PromotionSource)>,
    /// The person who submitted it.
    pub submitted_by: Handle,
    /// The time of the submission.
    pub submitted_at: Timestamp,
    /// The person who decided, and the time.
    pub decided: Option<Decided>,
    /// The comment of the decision, or else of the promotion request.
    pub comment: Option<String>,
    /// The newest verdict of each scanner.
    pub verdicts: Vec<VerdictEntry>,
}

impl Review {
    pub(super) fn new(id: Id, at: Timestamp, kind: ReviewKind, published: Published) -> Self {
        Self {
            id,
            kind,
            status: ReviewStatus::Pending,
            coordinate: published.coordinate(),
            skill_id: published.skill_id,
            version_id: published.version_id,
            version: published.version,
            sha256: published.sha256,
            package_size: published.package_size,
            content_digest: published.content_digest,
            author: published.author.handle,
            source: None,
            submitted_by: published.published_by.handle,
            submitted_at: at,
            decided: None,
            comment: None,
            verdicts: published
                .verdicts
                .into_iter()
                .map(|summary| VerdictEntry { summary, at, revision: id.0 })
                .collect(),
        }
    }

    /// The review of a promotion.
    pub(super) fn of_promotion(id: Id, at: Timestamp, promotion: Promotion) -> Self {
        let Promotion { source_skill, requested_by, comment, published, .. } = promotion;
        let source = published.promoted_from.clone().map(|origin| (source_skill, origin));
        let review = Self::new(id, at, ReviewKind::Promotion, published);
        Self { source, submitted_by: requested_by, comment, ..review }
    }

    /// Whether it is not decided yet.
    pub fn is_pending(&self) -> bool {
        self.status == ReviewStatus::Pending
    }
}

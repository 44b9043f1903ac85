//! Versions that wait for approval.

use serde::{Deserialize, Serialize};

use crate::journal::Revision;
use crate::names::{Coordinate, Digest, Handle, Version};
use crate::public::{Contents, Id, PromotionSource, Published};
use crate::time::Timestamp;

/// Where a review stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ReviewStatus {
    /// Nobody has decided.
    Pending,
    /// It became public.
    Approved,
    /// It did not.
    Rejected,
    /// A newer submission took its place.
    Withdrawn,
}

/// How a review ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It became public.
    Approved,
    /// It did not.
    Rejected,
}

/// What a review is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ReviewKind {
    /// A version was handed in.
    Publish,
    /// A version of a team's skill is to be copied into `global`.
    Promotion,
}

/// A public version that is to be copied into `global`. What is large about it
/// is in the row that published it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Promotion {
    /// The id of the skill that it comes from.
    pub source_skill: Id,
    /// The row that published the version there.
    pub source_revision: Revision,
    /// Who asks for it.
    pub requested_by: Handle,
    /// Why, in their words.
    pub comment: Option<String>,
    /// What would be published; it names the source.
    pub published: Published,
}

/// A version handed in for review: all that becomes public on approval, and
/// the warnings that only publisher and reviewers see.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Submission {
    /// What would be published.
    pub published: Published,
    /// Its files, front matter and warnings (those about secrets too).
    pub contents: Contents,
}

/// A review in memory. The file list is in the row of its id, or of its source.
#[derive(Debug, Clone)]
pub struct Review {
    /// Its id, which is the row that made it.
    pub id: Id,
    /// What it is about.
    pub kind: ReviewKind,
    /// Where it stands.
    pub status: ReviewStatus,
    /// The full name of the skill that the version would be one of.
    pub coordinate: Coordinate,
    /// The id of that skill.
    pub skill_id: Id,
    /// The version's id.
    pub version_id: Id,
    /// The version.
    pub version: Version,
    /// Digest of the package.
    pub sha256: Digest,
    /// Bytes of the package.
    pub package_size: u64,
    /// Digest of the content.
    pub content_digest: Digest,
    /// Whose skill it would be, if it were its first version.
    pub author: Handle,
    /// Where a promotion comes from: skill id, name and version.
    pub source: Option<(Id, PromotionSource)>,
    /// Who handed it in.
    pub submitted_by: Handle,
    /// When.
    pub submitted_at: Timestamp,
    /// Who decided, and when.
    pub decided: Option<(Handle, Timestamp)>,
    /// The words of who decided, else of who asked for a promotion.
    pub comment: Option<String>,
}

impl Review {
    fn new(id: Id, at: Timestamp, kind: ReviewKind, published: Published) -> Self {
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
        }
    }

    /// The review of a submission.
    pub(super) fn of_submission(id: Id, at: Timestamp, submission: Submission) -> Self {
        Self::new(id, at, ReviewKind::Publish, submission.published)
    }

    /// The review of a promotion.
    pub(super) fn of_promotion(id: Id, at: Timestamp, promotion: Promotion) -> Self {
        let Promotion { source_skill, requested_by, comment, published, .. } = promotion;
        let source = published.promoted_from.clone().map(|origin| (source_skill, origin));
        let review = Self::new(id, at, ReviewKind::Promotion, published);
        Self { source, submitted_by: requested_by, comment, ..review }
    }

    /// Whether nobody has decided yet.
    pub fn is_pending(&self) -> bool {
        self.status == ReviewStatus::Pending
    }
}

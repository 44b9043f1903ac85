//! Versions that wait for approval.

use serde::{Deserialize, Serialize};

use crate::journal::Row;
use crate::names::{Coordinate, Digest, Handle, Version};
use crate::public::{Contents, Id, Published};
use crate::time::Timestamp;

/// Where a review stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

/// A review in memory. The file list is in the row of its id.
#[derive(Debug, Clone)]
pub struct Review {
    /// Its id, which is the row that made it.
    pub id: Id,
    /// Where it stands.
    pub status: ReviewStatus,
    /// The skill's full name.
    pub coordinate: Coordinate,
    /// The skill's id.
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
    /// Who handed it in.
    pub submitted_by: Handle,
    /// When.
    pub submitted_at: Timestamp,
}

/// Reads a submission back out of its row.
pub fn submission_contents(row: &Row) -> Option<Submission> {
    let decoded = super::decode(row).ok()?;
    decoded.changes.into_iter().find_map(|change| match change {
        super::PrivateChange::Submitted(submission) => Some(*submission),
        _ => None,
    })
}

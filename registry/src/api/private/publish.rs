//! Answers to publications.

use serde::{Deserialize, Serialize};

use crate::names::{Coordinate, Digest, Namespace, Version};
use crate::package::Finding;
use crate::public::Id;

/// The response to a publication.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "PublishAnswer"))]
pub struct PublishReply {
    /// The slug if the request had a namespace, else the canonical slug.
    #[cfg_attr(feature = "openapi", schemars(with = "Coordinate"))]
    pub slug: String,
    pub version: Version,
    pub status: PublishStatus,
    pub namespace: Namespace,
    pub canonical_slug: Coordinate,
    pub skill_id: Id,
    pub version_id: Id,
    pub sha256: Digest,
    pub file_count: u64,
    pub unpacked_size: u64,
    pub package_size: u64,
    pub review_id: Option<Id>,
    pub warnings: Vec<Finding>,
    /// Whether anything is written. In a dry run: whether it would be.
    #[serde(skip)]
    pub is_new: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", schemars(rename = "PublishStatus"))]
pub enum PublishStatus {
    Published,
    PendingReview,
}

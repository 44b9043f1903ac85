//! A version that became public, and its large half.

use serde::{Deserialize, Serialize};

use super::row::DecodeError;
use super::{Id, Person};
use crate::journal::PublicRow;
use crate::names::{Coordinate, Digest, Namespace, Slug, TagName, Version};
use crate::package::{FileRecord, Finding, Fingerprints};
use crate::time::Timestamp;

/// Which version a promoted skill was copied from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PromotionSource {
    /// The source's namespace.
    pub namespace: Namespace,
    /// The source's slug.
    pub slug: Slug,
    /// The copied version.
    pub version: Version,
}

impl PromotionSource {
    /// The source's full name.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone(), self.slug.clone())
    }
}

/// A version became public. It carries all that its documents show, so that
/// whoever replays it needs nothing else but the package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Published {
    /// The skill's id, given at its first submission.
    pub skill_id: Id,
    /// The version's id, given at its submission.
    pub version_id: Id,
    /// Whose skill it is.
    pub namespace: Namespace,
    /// Its name there.
    pub slug: Slug,
    /// The version.
    pub version: Version,
    /// Who published the skill first.
    pub author: Person,
    /// Who published this version.
    pub published_by: Person,
    /// The name to show.
    pub name: String,
    /// One paragraph, 1 to 1024 characters.
    pub description: String,
    /// At most 32 of at most 64 characters.
    pub keywords: Vec<String>,
    /// The headings of the text of SKILL.md, for search: at most 64 of at most
    /// 128 characters, together at most 2 KiB. Rows of schema 1 have none.
    #[serde(default)]
    pub headings: Vec<String>,
    /// As the front matter says it.
    pub license: Option<String>,
    /// An http(s) URL.
    pub homepage: Option<String>,
    /// What changed; may be empty.
    pub changelog: String,
    /// Tags that point to this version from now on.
    pub tags: Vec<TagName>,
    /// Where a promoted skill came from.
    pub promoted_from: Option<PromotionSource>,
    /// When an imported version was published originally.
    pub source_published_at: Option<Timestamp>,
    /// Files in the package.
    pub file_count: u64,
    /// Bytes of all files.
    pub unpacked_size: u64,
    /// Bytes of the canonical archive.
    pub package_size: u64,
    /// Digest of the canonical archive.
    pub sha256: Digest,
    /// Digest of the content, whatever the archive.
    pub content_digest: Digest,
    /// The content fingerprints that third-party clients compute.
    pub fingerprints: Fingerprints,
}

impl Published {
    /// The skill's full name.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone(), self.slug.clone())
    }
}

/// The large half of a publication: in the row, not in memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Contents {
    /// The front matter as JSON.
    pub metadata: serde_json::Map<String, serde_json::Value>,
    /// What was odd about the package, without anything about secrets.
    pub warnings: Vec<Finding>,
    /// The files, sorted by the bytes of their paths.
    pub files: Vec<FileRecord>,
}

impl Contents {
    /// Reads the large half out of a `published` row.
    pub fn decode(row: &PublicRow) -> Result<Self, DecodeError> {
        serde_json::from_str(&row.json).map_err(|cause| DecodeError { revision: row.revision, cause })
    }
}

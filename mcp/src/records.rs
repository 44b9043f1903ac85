//! The documents of a registry, with the fields that an MCP server uses. Other fields are ignored.

use std::collections::BTreeMap;

use registry::names::{Coordinate, Digest, Namespace, Slug, TagName, Version};
use registry::package::FileRecord;
use registry::public::{NamespaceStatus, Person, Revision};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// A version and its front matter.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionRecord {
    /// The namespace of the skill.
    pub namespace: Namespace,
    /// The name of the skill in its namespace.
    pub slug: Slug,
    /// The version number.
    pub version: Version,
    /// The time of publication, RFC 3339.
    pub published_at: String,
    /// The number of files.
    pub file_count: u64,
    /// The size of all files in bytes.
    pub unpacked_size: u64,
    /// The size of the package in bytes.
    pub package_size: u64,
    /// The digest of the package.
    pub sha256: Digest,
    /// The digest of the content.
    pub content_digest: Digest,
    /// The front matter.
    pub metadata: Map<String, Value>,
    /// The number of its leaf in the transparency log.
    #[serde(default)]
    pub log_index: Option<u64>,
}

impl VersionRecord {
    /// The full name of the skill.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone(), self.slug.clone())
    }
}

/// The version that a name resolves to.
#[derive(Debug, Deserialize)]
pub(crate) struct ResolvedRecord {
    pub version: Version,
    pub sha256: Digest,
}

/// The list of a version's files.
#[derive(Debug, Deserialize)]
pub(crate) struct FileList {
    pub items: Vec<FileRecord>,
}

/// A skill.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SkillRecord {
    pub name: String,
    pub description: String,
    pub author: Person,
    pub keywords: Vec<String>,
    pub tags: BTreeMap<TagName, Version>,
    #[serde(default)]
    pub license: Option<String>,
    #[serde(default)]
    pub homepage: Option<String>,
    pub download_count: u64,
    pub star_count: u64,
}

/// A namespace.
#[derive(Debug, Deserialize)]
pub(crate) struct NamespaceRecord {
    pub status: NamespaceStatus,
}

/// The state that the feed ends at.
#[derive(Debug, Deserialize)]
pub(crate) struct HeadRecord {
    pub pages: u64,
}

/// A page of the feed.
#[derive(Debug, Deserialize)]
pub(crate) struct FeedPage<'a> {
    #[serde(borrow)]
    pub changes: Vec<&'a RawValue>,
}

/// The number and kind of a row of the feed.
#[derive(Debug, Deserialize)]
pub(crate) struct FeedRow {
    pub revision: Revision,
    pub kind: String,
}

/// The best results of a search.
#[derive(Debug, Serialize, Deserialize)]
pub struct SearchResults {
    /// The found skills, best first.
    pub results: Vec<SearchResult>,
    /// The number of all found skills.
    pub total: u64,
}

/// A found skill.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    /// The full name.
    pub slug: Coordinate,
    /// The name for people.
    pub name: String,
    /// The description, or its start.
    pub description: String,
    /// The latest version.
    pub version: Option<Version>,
    /// The number of downloads, if it is known.
    pub download_count: Option<u64>,
    /// The number of stars, if it is known.
    pub star_count: Option<u64>,
}

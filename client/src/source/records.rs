//! The JSON records of the API, with the fields that the client uses. Other fields are
//! ignored.

use std::collections::BTreeMap;

use registry::names::{Coordinate, Digest, Namespace, Slug, TagName, Version};
use serde::{Deserialize, Serialize};

/// An author or publisher.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Author {
    /// The permanent name.
    pub handle: String,
    /// The name for people.
    pub display_name: String,
}

/// A skill, in its own document or in a list.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillRecord {
    /// The full name.
    pub canonical_slug: Coordinate,
    /// The name for people.
    pub name: String,
    /// The purpose of the skill.
    pub description: String,
    /// The user who published it first.
    pub author: Author,
    /// The latest version. None if all versions are yanked.
    pub version: Option<Version>,
    /// The version of each tag, except `latest`.
    pub tags: BTreeMap<TagName, Version>,
    /// The keywords.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// The number of downloads.
    pub download_count: u64,
    /// The number of stars.
    pub star_count: u64,
    /// The mean rating, 1 to 5.
    pub rating_average: Option<f64>,
    /// The number of ratings.
    pub rating_count: u64,
    /// The time of the first publication, RFC 3339.
    pub created_at: String,
    /// The time of the last change, RFC 3339.
    pub updated_at: String,
    /// The license. Missing in lists.
    #[serde(default)]
    pub license: Option<String>,
    /// The homepage. Missing in lists.
    #[serde(default)]
    pub homepage: Option<String>,
}

/// A version in the list of versions.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionRecord {
    /// The version number.
    pub version: Version,
    /// `published` or `yanked`.
    pub status: String,
    /// Why the version was yanked, if a reason was given.
    #[serde(default)]
    pub yank_reason: Option<String>,
    /// The time of publication, RFC 3339.
    pub published_at: String,
    /// The number of files.
    #[serde(default)]
    pub file_count: Option<u64>,
    /// The size of all files in bytes.
    #[serde(default)]
    pub unpacked_size: Option<u64>,
    /// The size of the package in bytes.
    pub package_size: u64,
    /// The digest of the package.
    pub sha256: Digest,
}

impl VersionRecord {
    /// Whether the version is yanked.
    pub fn is_yanked(&self) -> bool {
        self.status == "yanked"
    }
}

/// A file of a version.
#[derive(Debug, Clone, Deserialize)]
pub struct FileEntry {
    /// The path in the package.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// The digest of the content.
    pub sha256: Digest,
    /// Whether the file is executable.
    pub executable: bool,
}

/// A list, or a page of one.
#[derive(Debug, Clone, Deserialize)]
pub struct List<T> {
    /// The items of the page.
    pub items: Vec<T>,
    /// The number of items on all pages.
    pub total: u64,
}

/// The version that a reference resolves to.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resolved {
    /// The namespace of the skill.
    pub namespace: Namespace,
    /// The name in the namespace.
    pub slug: Slug,
    /// The version.
    pub version: Version,
    /// The requested tag.
    #[serde(default)]
    pub tag: Option<TagName>,
    /// The digest of the package.
    pub sha256: Digest,
    /// The digest of the content, as third-party clients compute it.
    pub fingerprint: Digest,
    /// The path of the package, relative to the registry.
    pub download_url: String,
}

impl Resolved {
    /// The full name of the skill.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone(), self.slug.clone())
    }
}

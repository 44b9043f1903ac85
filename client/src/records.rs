//! The records of the wire contract (section 2) as a client reads them: what it
//! shows, and no more; other fields may come and go.

use std::collections::BTreeMap;

use registry::names::{Coordinate, Digest, Namespace, Slug, TagName, Version};
use serde::{Deserialize, Serialize};

/// Who wrote or published something.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Author {
    /// The name that never changes.
    pub handle: String,
    /// The name for people.
    pub display_name: String,
}

/// A skill by itself, or in lists.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillRecord {
    /// The full name.
    pub canonical_slug: Coordinate,
    /// The name for people.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Who published it first.
    pub author: Author,
    /// The latest version; None where all are yanked.
    pub version: Option<Version>,
    /// Tags and the versions they point to, without `latest`.
    pub tags: BTreeMap<TagName, Version>,
    /// How often it was downloaded.
    pub download_count: u64,
    /// How many like it.
    pub star_count: u64,
    /// The mean of the ratings, 1 to 5.
    pub rating_average: Option<f64>,
    /// How many ratings there are.
    pub rating_count: u64,
    /// RFC 3339.
    pub created_at: String,
    /// RFC 3339.
    pub updated_at: String,
    /// Missing in lists.
    #[serde(default)]
    pub license: Option<String>,
    /// Missing in lists.
    #[serde(default)]
    pub homepage: Option<String>,
}

/// A version in the list of versions, or the latest one of a skill.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionRecord {
    /// Its number.
    pub version: Version,
    /// `published` or `yanked`.
    pub status: String,
    /// Why it was yanked, where somebody said so.
    #[serde(default)]
    pub yank_reason: Option<String>,
    /// RFC 3339.
    pub published_at: String,
    /// Bytes of the package.
    pub package_size: u64,
    /// Bytes of all its files.
    pub unpacked_size: u64,
    /// How many files it has.
    pub file_count: u64,
    /// Of the package.
    pub sha256: Digest,
}

impl VersionRecord {
    /// Whether it is not to be used any more.
    pub fn is_yanked(&self) -> bool {
        self.status == "yanked"
    }
}

/// A list that is not paged, or a page of one.
#[derive(Debug, Clone, Deserialize)]
pub struct List<T> {
    /// What is on the page.
    pub items: Vec<T>,
    /// How many there are on all pages.
    pub total: u64,
}

/// What a name stands for now.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resolved {
    /// Whose skill it is.
    pub namespace: Namespace,
    /// Its name there.
    pub slug: Slug,
    /// The version that is meant.
    pub version: Version,
    /// The tag that was asked for.
    pub tag: Option<TagName>,
    /// Of the package.
    pub sha256: Digest,
    /// Of the content, as third-party clients count it.
    pub fingerprint: Digest,
    /// Where the package is, relative to the registry.
    pub download_url: String,
}

impl Resolved {
    /// The skill's full name.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone(), self.slug.clone())
    }
}

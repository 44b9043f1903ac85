//! The records that only documents of the tree have. Field order is the
//! contract's.

use registry::journal::{Epoch, Revision};
use registry::names::{Coordinate, Digest, Namespace, Slug, TagName, Version};
use registry::package::Finding;
use registry::public::record::VersionRecord;
use registry::public::{Person, PublicCatalog, Skill};
use registry::time::Timestamp;
use serde::Serialize;

/// Where clients find the API.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Discovery {
    pub(super) api_base: &'static str,
}

/// A version by itself.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct VersionDetail<'a> {
    pub(super) namespace: &'a Namespace,
    pub(super) slug: &'a Slug,
    #[serde(flatten)]
    pub(super) record: VersionRecord<'a>,
    /// The front matter.
    pub(super) metadata: &'a serde_json::Map<String, serde_json::Value>,
    pub(super) warnings: &'a [Finding],
}

/// What a name stands for.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Resolved<'a> {
    pub(super) namespace: &'a Namespace,
    pub(super) slug: &'a Slug,
    pub(super) version: &'a Version,
    /// The tag that was asked for.
    pub(super) tag: Option<&'a TagName>,
    pub(super) sha256: Digest,
    pub(super) fingerprint: Digest,
    pub(super) download_url: String,
}

/// What a canonical slug stands for.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResolvedSlug<'a> {
    pub(super) slug: &'a Coordinate,
    pub(super) version: &'a Version,
    pub(super) download_url: String,
}

/// Up to where the tree is complete.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct Head<'a> {
    /// Which history this is.
    pub(super) epoch: &'a Epoch,
    pub(super) revision: Revision,
    pub(super) at: Timestamp,
    /// How many pages the feed has.
    pub(super) pages: u64,
    /// Of the last page.
    pub(super) sha256: Option<Digest>,
    pub(super) counters: CountersHead,
    /// The sha256 of the settings' document.
    pub(super) settings: Digest,
    /// The form in which this release writes documents.
    pub(super) format: u32,
}

/// Which counters are published.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct CountersHead {
    pub(super) generation: u64,
    /// Over the digests of all shards in their order.
    pub(super) sha256: Digest,
}

/// A page of what a query finds.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct SearchResults<'a> {
    pub(super) results: Vec<SearchResult<'a>>,
    /// How many skills it finds.
    pub(super) total: usize,
    /// The page, from 1.
    pub(super) page: u64,
    /// How many skills a full page has.
    pub(super) limit: u64,
}

/// A skill that was found.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SearchResult<'a> {
    /// The canonical one.
    slug: &'a Coordinate,
    name: &'a str,
    description: &'a str,
    author: Person,
    version: Option<&'a Version>,
    download_count: u64,
    star_count: u64,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl<'a> SearchResult<'a> {
    /// The record of a skill.
    pub(super) fn new(catalog: &PublicCatalog, skill: &'a Skill) -> Self {
        let shown = skill.display_version();
        Self {
            slug: &skill.coordinate,
            name: shown.map_or("", |version| &version.name),
            description: shown.map_or("", |version| &version.description),
            author: catalog.person(&skill.author),
            version: skill.latest().map(|latest| &latest.version),
            download_count: skill.counters.downloads,
            star_count: skill.counters.stars,
            created_at: skill.created_at,
            updated_at: skill.updated_at,
        }
    }
}

//! The records of documents that only a tree has. The contract fixes the order of fields.

use data_encoding::BASE64;
use registry::journal::{Epoch, Revision};
use registry::names::{Coordinate, Digest, Namespace, Slug, TagName, Version};
use registry::package::Finding;
use registry::public::record::{Page, VersionRecord};
use registry::public::{Person, PublicCatalog, Skill};
use registry::time::Timestamp;
use registry::transparency_log::{LogIndex, VerifierKey};
use serde::{Deserialize, Serialize};

use crate::settings::TreeSettings;

/// The base path of the API.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Discovery {
    api_base: String,
}

impl Discovery {
    pub(crate) fn new(settings: &TreeSettings) -> Self {
        Self { api_base: format!("{}/api/v1", settings.path()) }
    }
}

/// A page of a public list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "PublicPageOf{T}"))]
#[serde(rename_all = "camelCase")]
pub struct PublicPage<T> {
    #[serde(flatten)]
    pub(super) page: Page<T>,
    /// How many pages of this list are files. A host of files has no later ones; the server sends
    /// them. Absent if no page of this size and order is a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file_pages: Option<u64>,
}

/// A version with its front matter and warnings.
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
    /// The number of the version's leaf in the transparency log, from 0.
    #[serde(rename = "logIndex")]
    pub(super) log_index: Option<u64>,
}

/// The version that a name resolves to.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Resolved<'a> {
    pub(super) namespace: &'a Namespace,
    pub(super) slug: &'a Slug,
    pub(super) version: &'a Version,
    /// The requested tag.
    pub(super) tag: Option<&'a TagName>,
    pub(super) sha256: Digest,
    pub(super) fingerprint: Digest,
    pub(super) download_url: String,
}

/// The version that a canonical slug resolves to.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResolvedSlug<'a> {
    pub(super) slug: &'a Coordinate,
    pub(super) version: &'a Version,
    pub(super) download_url: String,
}

/// The revision up to which the tree is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct Head {
    /// Identifies the history. Revisions of different epochs cannot be compared.
    pub epoch: Epoch,
    pub(crate) revision: Revision,
    pub(crate) at: Timestamp,
    /// The number of pages of the feed.
    pub(crate) pages: u64,
    /// The sha256 of the last page.
    pub(crate) sha256: Option<Digest>,
    pub(crate) counters: CountersHead,
    /// The sha256 of the settings document.
    pub(crate) settings: Digest,
    pub(crate) log: LogHead,
    /// The format version in which this release writes documents.
    pub format: u32,
}

/// The published counters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct CountersHead {
    pub(crate) generation: u64,
    /// The sha256 over the digests of all shards, in order.
    pub(crate) sha256: Digest,
}

/// The transparency log of the rows up to the head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct LogHead {
    /// The number of its leaves.
    pub(crate) size: u64,
    /// The root of its Merkle tree, in base64.
    pub(crate) root: String,
}

impl LogHead {
    pub(super) fn of(log: &LogIndex) -> Self {
        Self { size: log.size(), root: BASE64.encode(&log.root().0) }
    }
}

/// The keys that sign the registry's checkpoints.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct RegistryKeys<'a> {
    /// The name of the registry in its checkpoints; null if it does not sign.
    pub(super) name: Option<&'a str>,
    pub(super) keys: Vec<RegistryKeyRecord<'a>>,
}

/// A key that signs or has signed the registry's checkpoints.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct RegistryKeyRecord<'a> {
    /// The verifier key, as in C2SP signed-note.
    #[cfg_attr(feature = "openapi", schemars(with = "String"))]
    pub(super) key: &'a VerifierKey,
    /// The time since which it signs no more; null while it signs.
    pub(super) retired: Option<Timestamp>,
}

/// A page of search results.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct SearchResults<'a> {
    pub(super) results: Vec<SearchResult<'a>>,
    /// The number of matching skills.
    pub(super) total: usize,
    /// The page number, from 1.
    pub(super) page: u64,
    /// The number of skills on a full page.
    pub(super) limit: u64,
}

/// A matching skill.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SearchResult<'a> {
    /// The canonical slug.
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

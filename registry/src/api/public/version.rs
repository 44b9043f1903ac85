//! Versions.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::AdvisoryNote;
use crate::names::{Coordinate, Digest, Namespace, Required, Slug, TagName, Version};
use crate::package::Finding;
use crate::package::portability::{CLIENTS, Portable};
use crate::public::{
    Id, Person, PublicCatalog, PublicProvenance, Skill, VerdictEntry, VerdictSummary, VersionEntry,
    VersionStatus,
};
use crate::time::Timestamp;

/// Whether a version is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VersionState {
    Published,
    /// Nothing resolves to it. It can still be downloaded.
    Yanked,
}

/// A version in a list.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Version"))]
pub struct VersionRecord<'a> {
    pub version: Cow<'a, Version>,
    pub version_id: Id,
    #[cfg_attr(feature = "openapi", schemars(with = "String", extend("enum" = ["published", "yanked"])))]
    pub status: VersionState,
    pub published_at: Timestamp,
    pub published_by: Person,
    pub changelog: Cow<'a, str>,
    pub file_count: u64,
    pub unpacked_size: u64,
    pub package_size: u64,
    pub sha256: Digest,
    pub content_digest: Digest,
    pub fingerprint: Digest,
    pub yank_reason: Option<Cow<'a, str>>,
    pub source_published_at: Option<Timestamp>,
    /// The job that published it, if a trusted publisher of a public repository did, or the source that it was taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Cow<'a, PublicProvenance>>,
    /// The sha256 of its attestation, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attestation_sha256: Option<Digest>,
    /// The advisories that hold for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advisories: Vec<AdvisoryNote<'a>>,
    /// The skills that it requires.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub requires: Cow<'a, [Required]>,
    /// The newest verdict of each scanner.
    #[serde(default)]
    pub verdicts: Vec<VerdictRecord>,
    pub download_url: String,
}

/// The newest verdict of a scanner about a version.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "Verdict"))]
#[serde(rename_all = "camelCase")]
pub struct VerdictRecord {
    #[serde(flatten)]
    pub summary: VerdictSummary,
    pub scanned_at: Timestamp,
}

impl From<&VerdictEntry> for VerdictRecord {
    fn from(entry: &VerdictEntry) -> Self {
        Self { summary: entry.summary.clone(), scanned_at: entry.at }
    }
}

/// What a scanner found in a version.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ScanFinding {
    /// The name of the scanner: `skillmirror` for the registry's own rules.
    pub scanner: Box<str>,
    #[serde(flatten)]
    pub finding: Finding,
}

/// The path of a version's package on the origin of a registry whose public URL has the path `base`.
pub fn download_url(base: &str, coordinate: &Coordinate, version: &Version) -> String {
    let Coordinate { namespace, slug } = coordinate;
    format!("{base}/api/v1/skills/{namespace}/{slug}/versions/{version}/download")
}

impl<'a> VersionRecord<'a> {
    /// The record of a version of a skill in a registry whose public URL has the path `base`.
    pub fn new(catalog: &'a PublicCatalog, skill: &Skill, entry: &'a VersionEntry, base: &str) -> Self {
        let (status, yank_reason) = match &entry.status {
            VersionStatus::Published => (VersionState::Published, None),
            VersionStatus::Yanked { reason } => (VersionState::Yanked, reason.as_deref()),
        };
        Self {
            version: Cow::Borrowed(&entry.version),
            version_id: entry.id,
            status,
            published_at: entry.published_at,
            published_by: catalog.person(&entry.published_by),
            changelog: (&*entry.changelog).into(),
            file_count: entry.file_count,
            unpacked_size: entry.unpacked_size,
            package_size: entry.package_size,
            sha256: entry.sha256,
            content_digest: entry.content_digest,
            fingerprint: entry.fingerprints.all,
            yank_reason: yank_reason.map(Cow::Borrowed),
            source_published_at: entry.source_published_at,
            provenance: entry.provenance.as_deref().map(Cow::Borrowed),
            attestation_sha256: entry.attestation.as_deref().copied(),
            advisories: AdvisoryNote::of(catalog, &skill.coordinate, &entry.version),
            requires: Cow::Borrowed(&entry.requires),
            verdicts: entry.verdicts.iter().map(VerdictRecord::from).collect(),
            download_url: download_url(base, &skill.coordinate, &entry.version),
        }
    }

    /// Whether the version is yanked.
    pub fn is_yanked(&self) -> bool {
        self.status == VersionState::Yanked
    }
}

/// A version with its front matter and warnings.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct VersionDetail<'a> {
    pub namespace: Cow<'a, Namespace>,
    pub slug: Cow<'a, Slug>,
    #[serde(flatten)]
    pub record: VersionRecord<'a>,
    /// The front matter.
    pub metadata: Cow<'a, serde_json::Map<String, serde_json::Value>>,
    pub warnings: Cow<'a, [Finding]>,
    /// What the newest verdicts found.
    #[serde(default)]
    pub findings: Vec<ScanFinding>,
    /// The clients that load the version, and those that refuse it. A new release of the registry may know more.
    #[serde(default)]
    pub portability: Option<Portability>,
    /// The number of the version's leaf in the transparency log, from 0.
    #[serde(rename = "logIndex")]
    pub log_index: Option<u64>,
}

impl VersionDetail<'_> {
    /// The full name of the skill.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone().into_owned(), self.slug.clone().into_owned())
    }
}

/// The clients that load a package, and those that refuse it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Portability {
    /// How many clients the registry knows.
    pub clients: usize,
    /// Those that do not load the package.
    pub not_loaded_by: Vec<NotLoaded>,
}

/// A client that does not load a package.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct NotLoaded {
    pub client: String,
    /// The release whose rules the registry knows.
    pub version: String,
    pub why: String,
}

impl Portability {
    /// Applies the rules of all known clients.
    pub fn of(package: Portable<'_>) -> Self {
        let refused = package.refusals().map(|(client, why)| NotLoaded {
            client: client.name.to_owned(),
            version: client.version.to_owned(),
            why,
        });
        Self { clients: CLIENTS.len(), not_loaded_by: refused.collect() }
    }
}

/// The version that a name resolves to.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Resolved<'a> {
    pub namespace: Cow<'a, Namespace>,
    pub slug: Cow<'a, Slug>,
    pub version: Cow<'a, Version>,
    /// The requested tag.
    pub tag: Option<Cow<'a, TagName>>,
    pub sha256: Digest,
    pub fingerprint: Digest,
    pub download_url: String,
}

impl Resolved<'_> {
    /// The full name of the skill.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone().into_owned(), self.slug.clone().into_owned())
    }
}

/// The version that a canonical slug resolves to.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResolvedSlug<'a> {
    pub slug: &'a Coordinate,
    pub version: &'a Version,
    pub download_url: String,
}

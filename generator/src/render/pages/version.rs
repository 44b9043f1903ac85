//! Versions of a skill on its page.

use registry::names::{Coordinate, Digest, TagName, Version};
use registry::public::{Person, PublicCatalog, Skill, VersionEntry, VersionStatus};
use registry::time::Timestamp;
use serde::Serialize;

use super::frame::{Frame, place};
use crate::address::Document;

/// A version.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct VersionRow {
    version: Version,
    status: &'static str,
    yank_reason: Option<String>,
    published_at: Timestamp,
    published_by: Person,
    changelog: String,
    sha256: Digest,
    content_digest: Digest,
    file_count: u64,
    package_size: u64,
    unpacked_size: u64,
    /// The package's file, from the page.
    package_href: String,
    /// The same, from the root of the site.
    package_path: String,
    /// The tags that point to it, `latest` among them.
    tags: Vec<TagName>,
}

impl VersionRow {
    pub(super) fn new(frame: &Frame, catalog: &PublicCatalog, skill: &Skill, entry: &VersionEntry) -> Self {
        let (status, yank_reason) = match &entry.status {
            VersionStatus::Published => ("published", None),
            VersionStatus::Yanked { reason } => ("yanked", reason.clone()),
        };
        let package = package(&skill.coordinate, &entry.version);
        Self {
            version: entry.version.clone(),
            status,
            yank_reason,
            published_at: entry.published_at,
            published_by: catalog.person(&entry.published_by),
            changelog: entry.changelog.to_string(),
            sha256: entry.sha256,
            content_digest: entry.content_digest,
            file_count: entry.file_count,
            package_size: entry.package_size,
            unpacked_size: entry.unpacked_size,
            package_href: frame.href(&package),
            package_path: place(&package),
            tags: tags(skill).filter(|tag| tag.version == entry.version).map(|tag| tag.name).collect(),
        }
    }
}

fn package(c: &Coordinate, version: &Version) -> Document {
    Document::Package(c.clone(), version.clone())
}

/// A tag and where it points.
#[derive(Debug, Clone, Serialize)]
pub(super) struct TagRow {
    name: TagName,
    version: Version,
}

/// All tags: `latest` first, where there is a latest version.
pub(super) fn tags(skill: &Skill) -> impl Iterator<Item = TagRow> {
    let row = |name: &TagName, version: &Version| TagRow { name: name.clone(), version: version.clone() };
    let latest = skill.latest().map(|entry| row(&TagName::latest(), &entry.version));
    latest.into_iter().chain(skill.tags.iter().map(move |(name, entry)| row(name, &entry.version)))
}

//! Versions and tags on a skill's page.

use registry::names::{TagName, Version};
use registry::public::record::VersionRecord;
use registry::public::{PublicCatalog, Skill, VersionEntry};
use serde::Serialize;
use serde_json::Value;

use super::frame::{Frame, path_from_root};
use super::owned;
use crate::address::Document;

/// A version of the skill.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct VersionRow {
    /// The version's [`VersionRecord`].
    #[serde(flatten)]
    record: Value,
    /// The package's file, relative to the page.
    package_href: String,
    /// The package's file, relative to the site's root.
    package_path: String,
    /// The tags that point to it, including `latest`.
    tags: Vec<TagName>,
}

impl VersionRow {
    pub(super) fn new(frame: &Frame, catalog: &PublicCatalog, skill: &Skill, entry: &VersionEntry) -> Self {
        let package = Document::Package(skill.coordinate.clone(), entry.version.clone());
        Self {
            record: owned(&VersionRecord::new(catalog, skill, entry)),
            package_href: frame.href(&package),
            package_path: path_from_root(&package),
            tags: tags(skill).filter(|tag| tag.version == entry.version).map(|tag| tag.name).collect(),
        }
    }
}

/// A tag and the version it points to.
#[derive(Debug, Clone, Serialize)]
pub(super) struct TagRow {
    name: TagName,
    version: Version,
}

/// All tags of a skill. `latest` comes first, if a version is not yanked.
pub(super) fn tags(skill: &Skill) -> impl Iterator<Item = TagRow> {
    let row = |name: &TagName, version: &Version| TagRow { name: name.clone(), version: version.clone() };
    let latest = skill.latest().map(|entry| row(&TagName::latest(), &entry.version));
    latest.into_iter().chain(skill.tags.iter().map(move |(name, entry)| row(name, &entry.version)))
}

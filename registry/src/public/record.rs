//! The records of the API that the public may see, made from the catalog. Their
//! fields are in the order of the API's contract.

use std::collections::BTreeMap;

use serde::Serialize;

mod page;

use super::{
    Counters, Id, NamespaceEntry, NamespaceState, Person, PromotionSource, PublicCatalog, Published, Skill,
    TagEntry, VersionEntry, VersionStatus,
};
use crate::names::{Coordinate, Digest, Namespace, Slug, TagName, Version};
use crate::time::Timestamp;

pub use page::{FullList, Page};

/// A skill in a list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SkillSummary<'a> {
    id: Id,
    namespace: &'a Namespace,
    slug: &'a Slug,
    canonical_slug: &'a Coordinate,
    name: &'a str,
    description: &'a str,
    author: Person,
    version: Option<&'a Version>,
    tags: BTreeMap<&'a TagName, &'a Version>,
    keywords: &'a [String],
    #[serde(flatten)]
    counters: Counters,
    created_at: Timestamp,
    updated_at: Timestamp,
    /// The original publication time of the shown version, if it was imported.
    source_published_at: Option<Timestamp>,
}

impl<'a> SkillSummary<'a> {
    /// The record of a skill.
    pub fn new(catalog: &PublicCatalog, skill: &'a Skill) -> Self {
        let shown = skill.display_version();
        Self {
            id: skill.id,
            namespace: &skill.coordinate.namespace,
            slug: &skill.coordinate.slug,
            canonical_slug: &skill.coordinate,
            name: shown.map_or("", |version| &version.name),
            description: shown.map_or("", |version| &version.description),
            author: catalog.person(&skill.author),
            version: skill.latest().map(|latest| &latest.version),
            tags: skill.tags.iter().map(|(tag, entry)| (tag, &entry.version)).collect(),
            keywords: shown.map_or(&[], |version| &version.keywords),
            counters: skill.counters,
            created_at: skill.created_at,
            updated_at: skill.updated_at,
            source_published_at: shown.and_then(|version| version.source_published_at),
        }
    }

    /// The record with other counters.
    pub fn counting(self, counters: Counters) -> Self {
        Self { counters, ..self }
    }

    /// The record of a skill without a public version, as it was last submitted.
    /// Only for people who may see the submission.
    pub fn unpublished(
        coordinate: &'a Coordinate,
        published: &'a Published,
        created_at: Timestamp,
        updated_at: Timestamp,
    ) -> Self {
        Self {
            id: published.skill_id,
            namespace: &coordinate.namespace,
            slug: &coordinate.slug,
            canonical_slug: coordinate,
            name: &published.name,
            description: &published.description,
            author: published.author.clone(),
            version: None,
            tags: BTreeMap::new(),
            keywords: &published.keywords,
            counters: Counters::default(),
            created_at,
            updated_at,
            source_published_at: published.source_published_at,
        }
    }
}

/// A skill.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Skill"))]
pub struct SkillDetail<'a> {
    #[serde(flatten)]
    summary: SkillSummary<'a>,
    license: Option<&'a str>,
    homepage: Option<&'a str>,
    latest: Option<VersionRecord<'a>>,
    promoted_from: Option<&'a PromotionSource>,
}

impl<'a> SkillDetail<'a> {
    /// The record of a skill in a registry whose public URL has the path `base`: empty, or with a slash at
    /// its start and none at its end.
    pub fn new(catalog: &PublicCatalog, skill: &'a Skill, base: &str) -> Self {
        let shown = skill.display_version();
        Self {
            summary: SkillSummary::new(catalog, skill),
            license: shown.and_then(|version| version.license.as_deref()),
            homepage: shown.and_then(|version| version.homepage.as_deref()),
            latest: skill.latest().map(|latest| VersionRecord::new(catalog, skill, latest, base)),
            promoted_from: skill.promoted_from.as_ref(),
        }
    }
}

/// A version in a list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Version"))]
pub struct VersionRecord<'a> {
    version: &'a Version,
    version_id: Id,
    #[cfg_attr(feature = "openapi", schemars(extend("enum" = ["published", "yanked"])))]
    status: &'static str,
    published_at: Timestamp,
    published_by: Person,
    changelog: &'a str,
    file_count: u64,
    unpacked_size: u64,
    package_size: u64,
    sha256: Digest,
    content_digest: Digest,
    fingerprint: Digest,
    yank_reason: Option<&'a str>,
    source_published_at: Option<Timestamp>,
    download_url: String,
}

/// The path of a version's package on the origin of a registry whose public URL has the path `base`.
pub fn download_url(base: &str, coordinate: &Coordinate, version: &Version) -> String {
    let Coordinate { namespace, slug } = coordinate;
    format!("{base}/api/v1/skills/{namespace}/{slug}/versions/{version}/download")
}

impl<'a> VersionRecord<'a> {
    /// The record of a version of a skill in a registry whose public URL has the path `base`.
    pub fn new(catalog: &PublicCatalog, skill: &Skill, entry: &'a VersionEntry, base: &str) -> Self {
        let (status, yank_reason) = match &entry.status {
            VersionStatus::Published => ("published", None),
            VersionStatus::Yanked { reason } => ("yanked", reason.as_deref()),
        };
        Self {
            version: &entry.version,
            version_id: entry.id,
            status,
            published_at: entry.published_at,
            published_by: catalog.person(&entry.published_by),
            changelog: &entry.changelog,
            file_count: entry.file_count,
            unpacked_size: entry.unpacked_size,
            package_size: entry.package_size,
            sha256: entry.sha256,
            content_digest: entry.content_digest,
            fingerprint: entry.fingerprints.all,
            yank_reason,
            source_published_at: entry.source_published_at,
            download_url: download_url(base, &skill.coordinate, &entry.version),
        }
    }
}

/// A tag.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Tag"))]
pub struct TagRecord {
    name: TagName,
    version: Version,
    reserved: bool,
    created_at: Timestamp,
    updated_at: Timestamp,
    updated_by: Option<Person>,
}

impl TagRecord {
    /// The record of a tag.
    pub fn new(catalog: &PublicCatalog, name: &TagName, entry: &TagEntry) -> Self {
        Self::of(name, entry, catalog.person(&entry.updated_by))
    }

    /// The record with a given person as the one who moved it last.
    pub fn of(name: &TagName, entry: &TagEntry, updated_by: Person) -> Self {
        Self {
            name: name.clone(),
            version: entry.version.clone(),
            reserved: false,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
            updated_by: Some(updated_by),
        }
    }

    /// The record of the reserved tag `latest`. It was created with the skill,
    /// and last moved when the version it names became public.
    pub fn latest(skill: &Skill) -> Option<Self> {
        skill.latest().map(|latest| Self {
            name: TagName::latest(),
            version: latest.version.clone(),
            reserved: true,
            created_at: skill.created_at,
            updated_at: latest.published_at,
            updated_by: None,
        })
    }
}

/// A namespace.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Namespace"))]
pub struct NamespaceRecord<'a> {
    #[serde(flatten)]
    state: &'a NamespaceState,
    skill_count: usize,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl<'a> NamespaceRecord<'a> {
    /// The record of a namespace.
    pub fn new(entry: &'a NamespaceEntry) -> Self {
        Self {
            state: &entry.state,
            skill_count: entry.skills().len(),
            created_at: entry.created_at,
            updated_at: entry.updated_at,
        }
    }
}

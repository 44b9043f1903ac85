//! Skills.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::VersionRecord;
use crate::names::{Coordinate, Namespace, Slug, TagName, Version};
use crate::public::{Counters, Id, Person, PromotionSource, PublicCatalog, Published, Skill};
use crate::time::Timestamp;

/// A skill in a list.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SkillSummary<'a> {
    pub id: Id,
    pub namespace: Cow<'a, Namespace>,
    pub slug: Cow<'a, Slug>,
    pub canonical_slug: Cow<'a, Coordinate>,
    pub name: Cow<'a, str>,
    pub description: Cow<'a, str>,
    pub author: Person,
    // None if all versions are yanked.
    pub version: Option<Cow<'a, Version>>,
    // All but `latest`.
    pub tags: BTreeMap<Cow<'a, TagName>, Cow<'a, Version>>,
    pub keywords: Cow<'a, [String]>,
    #[serde(flatten)]
    pub counters: Counters,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// The original publication time of the shown version, if it was imported.
    pub source_published_at: Option<Timestamp>,
}

impl<'a> SkillSummary<'a> {
    /// The record of a skill.
    pub fn new(catalog: &PublicCatalog, skill: &'a Skill) -> Self {
        let shown = skill.display_version();
        let tags = skill.tags.iter().map(|(tag, entry)| (Cow::Borrowed(tag), Cow::Borrowed(&entry.version)));
        Self {
            id: skill.id,
            namespace: Cow::Borrowed(&skill.coordinate.namespace),
            slug: Cow::Borrowed(&skill.coordinate.slug),
            canonical_slug: Cow::Borrowed(&skill.coordinate),
            name: shown.map_or("", |version| &version.name).into(),
            description: shown.map_or("", |version| &version.description).into(),
            author: catalog.person(&skill.author),
            version: skill.latest().map(|latest| Cow::Borrowed(&latest.version)),
            tags: tags.collect(),
            keywords: shown.map_or(&[][..], |version| &version.keywords).into(),
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
            namespace: Cow::Borrowed(&coordinate.namespace),
            slug: Cow::Borrowed(&coordinate.slug),
            canonical_slug: Cow::Borrowed(coordinate),
            name: (&*published.name).into(),
            description: (&*published.description).into(),
            author: published.author.clone(),
            version: None,
            tags: BTreeMap::new(),
            keywords: (&*published.keywords).into(),
            counters: Counters::default(),
            created_at,
            updated_at,
            source_published_at: published.source_published_at,
        }
    }
}

/// A skill.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Skill"))]
pub struct SkillDetail<'a> {
    #[serde(flatten)]
    pub summary: SkillSummary<'a>,
    pub license: Option<Cow<'a, str>>,
    pub homepage: Option<Cow<'a, str>>,
    pub latest: Option<VersionRecord<'a>>,
    pub promoted_from: Option<Cow<'a, PromotionSource>>,
}

impl<'a> SkillDetail<'a> {
    /// The record of a skill in a registry whose public URL has the path `base`: empty, or with a slash at
    /// its start and none at its end.
    pub fn new(catalog: &'a PublicCatalog, skill: &'a Skill, base: &str) -> Self {
        let shown = skill.display_version();
        Self {
            summary: SkillSummary::new(catalog, skill),
            license: shown.and_then(|version| version.license.as_deref()).map(Cow::Borrowed),
            homepage: shown.and_then(|version| version.homepage.as_deref()).map(Cow::Borrowed),
            latest: skill.latest().map(|latest| VersionRecord::new(catalog, skill, latest, base)),
            promoted_from: skill.promoted_from.as_ref().map(Cow::Borrowed),
        }
    }
}

//! Results of searches.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::names::{Coordinate, Version};
use crate::public::{Person, PublicCatalog, Skill};
use crate::time::Timestamp;

/// A page of search results.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct SearchResults<'a> {
    pub results: Vec<SearchResult<'a>>,
    /// The number of matching skills.
    pub total: usize,
    /// The page number, from 1.
    pub page: u64,
    /// The number of skills on a full page.
    pub limit: u64,
}

/// A matching skill.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SearchResult<'a> {
    /// The canonical slug.
    pub slug: Cow<'a, Coordinate>,
    pub name: Cow<'a, str>,
    pub description: Cow<'a, str>,
    pub author: Person,
    pub version: Option<Cow<'a, Version>>,
    pub download_count: u64,
    pub star_count: u64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl<'a> SearchResult<'a> {
    /// The record of a skill.
    pub fn new(catalog: &PublicCatalog, skill: &'a Skill) -> Self {
        let shown = skill.display_version();
        Self {
            slug: Cow::Borrowed(&skill.coordinate),
            name: shown.map_or("", |version| &version.name).into(),
            description: shown.map_or("", |version| &version.description).into(),
            author: catalog.person(&skill.author),
            version: skill.latest().map(|latest| Cow::Borrowed(&latest.version)),
            download_count: skill.counters.downloads,
            star_count: skill.counters.stars,
            created_at: skill.created_at,
            updated_at: skill.updated_at,
        }
    }
}

//! Tags.

use serde::{Deserialize, Serialize};

use crate::names::{TagName, Version};
use crate::public::{Person, PublicCatalog, Skill, TagEntry};
use crate::time::Timestamp;

/// A tag.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Tag"))]
pub struct TagRecord {
    pub name: TagName,
    pub version: Version,
    pub reserved: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    // None for `latest`, which nobody sets.
    pub updated_by: Option<Person>,
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

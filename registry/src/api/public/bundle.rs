//! Bundles.

use serde::{Deserialize, Serialize};

use crate::names::{BundleName, Required, Version};
use crate::public::{BundleEntry, PublicCatalog};
use crate::time::Timestamp;

/// A bundle, and the versions that it stands for today.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "Bundle"))]
#[serde(rename_all = "camelCase")]
pub struct BundleRecord {
    #[serde(flatten)]
    pub name: BundleName,
    pub title: String,
    pub description: String,
    pub members: Vec<BundleMember>,
    pub updated_at: Timestamp,
}

/// A skill of a bundle.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct BundleMember {
    #[serde(flatten)]
    pub required: Required,
    /// The version that the requirement means today. Null if there is none any more.
    pub version: Option<Version>,
}

impl BundleRecord {
    /// The record of a bundle.
    pub fn new(catalog: &PublicCatalog, entry: &BundleEntry) -> Self {
        let member = |required: &Required| {
            let skill = catalog.skill(&required.coordinate());
            let version = skill.and_then(|skill| skill.required(&required.requirement));
            BundleMember { required: required.clone(), version: version.map(|entry| entry.version.clone()) }
        };
        let bundle = entry.bundle.clone();
        Self {
            members: bundle.members.iter().map(member).collect(),
            name: bundle.name,
            title: bundle.title,
            description: bundle.description,
            updated_at: entry.updated_at,
        }
    }
}

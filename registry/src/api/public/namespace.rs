//! Namespaces.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::public::{NamespaceEntry, NamespaceState};
use crate::time::Timestamp;

/// A namespace.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Namespace"))]
pub struct NamespaceRecord<'a> {
    #[serde(flatten)]
    pub state: Cow<'a, NamespaceState>,
    pub skill_count: usize,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl<'a> NamespaceRecord<'a> {
    /// The record of a namespace.
    pub fn new(entry: &'a NamespaceEntry) -> Self {
        Self {
            state: Cow::Borrowed(&entry.state),
            skill_count: entry.skills().len(),
            created_at: entry.created_at,
            updated_at: entry.updated_at,
        }
    }
}

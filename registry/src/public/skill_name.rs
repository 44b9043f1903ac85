//! The names of skills in rows.

use serde::{Deserialize, Serialize};

use crate::names::{Coordinate, Namespace, Slug};

/// The name of a skill, in the JSON of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillName {
    /// The namespace.
    pub namespace: Namespace,
    /// The name in the namespace.
    pub slug: Slug,
}

impl From<&Coordinate> for SkillName {
    fn from(coordinate: &Coordinate) -> Self {
        Self { namespace: coordinate.namespace.clone(), slug: coordinate.slug.clone() }
    }
}

impl SkillName {
    /// The full name of the skill.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone(), self.slug.clone())
    }
}

//! An entry of a lock file, as it is written.

use std::collections::BTreeMap;

use registry::names::{Coordinate, Version};
use serde::Deserialize;

use super::LockedSkill;
use crate::skills::Needed;
use crate::{RegistryAddress, Requirement};

/// An entry of the file, before it is checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    name: String,
    path: String,
    requirement: Option<String>,
    #[serde(default)]
    pub(super) required_by: Vec<String>,
    version: String,
    registry: String,
    sha256: String,
    content_digest: String,
    pub(super) built_from: Option<String>,
}

impl Entry {
    pub(super) fn check(self) -> Result<LockedSkill, String> {
        let shown: String = self.name.chars().take(80).collect();
        let of = |why: &dyn std::fmt::Display| format!("the entry of `{}`: {why}", shown.escape_debug());
        let asked = self.requirement.as_deref().map(str::parse::<Requirement>).transpose();
        let asked = asked.map_err(|why| of(&why))?;
        let by = self.required_by.iter().map(|text| Needed::parse_text(text));
        let by: BTreeMap<_, _> =
            by.collect::<Result<_, _>>().map_err(|why| of(&format_args!("`required_by`: {why}")))?;
        if by.len() < self.required_by.len() {
            return Err(of(&"`required_by` names a skill twice"));
        }
        let Some(requirement) = asked.as_ref().or_else(|| by.values().next()).cloned() else {
            return Err(of(&"the field `requirement` is missing"));
        };
        let needed = Needed { is_asked: asked.is_some(), by };
        let version = self.version.parse::<Version>().map_err(|why| of(&why))?;
        let all = needed.by.values().chain(&asked);
        if let Some(other) = all.into_iter().find(|one| one.allows(&version) == Some(false)) {
            return Err(of(&format_args!("its version {version} does not fit `{other}`")));
        }
        let is_source =
            |text: &String| text.len() <= 1025 && text.bytes().all(|byte| byte.is_ascii_graphic());
        if self.built_from.as_ref().is_some_and(|text| !is_source(text) || !text.contains('@')) {
            return Err(of(&"its `built_from` is not like github.com/acme/skills@COMMIT"));
        }
        Ok(LockedSkill {
            built_from: self.built_from.clone(),
            coordinate: scoped(&self.name).map_err(|why| of(&why))?,
            place: self.path.parse().map_err(|why: String| of(&why))?,
            requirement,
            needed,
            version,
            registry: self.registry.parse::<RegistryAddress>().map_err(|why| of(&why))?,
            sha256: self.sha256.parse().map_err(|why| of(&why))?,
            content_digest: self.content_digest.parse().map_err(|why| of(&why))?,
        })
    }
}

/// Parses `@namespace/slug`, the only form that lock files have.
fn scoped(text: &str) -> Result<Coordinate, String> {
    let parsed = Coordinate::parse_scoped(text).ok_or("its name is not like @namespace/slug")?;
    parsed.map_err(|why| why.to_string())
}

//! The indexes of raw files: agent skills discovery, version 0.1, which OpenCode reads. Each file is at the path of
//! the index, the name of the skill, and its own path.

use registry::names::{Namespace, Slug, Version};
use registry::public::{Skill, VersionEntry};
use serde::Serialize;

use super::agent_skills::described;
use crate::documents::client_lists::skills_of_index;
use crate::json::json;
use crate::render::{RenderContext, RenderError, skills};

#[derive(Serialize)]
struct Index<'a> {
    skills: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a Slug,
    description: &'a str,
    /// The client loads a skill again when it changes.
    version: &'a Version,
    files: Vec<String>,
}

/// The index of these skills.
fn index(context: RenderContext<'_>, skills: &[(&Skill, &VersionEntry)]) -> Result<Vec<u8>, RenderError> {
    let entries = skills.iter().map(|(skill, latest)| {
        let files = skills::contents(context, latest)?.files.into_iter().map(|file| file.path);
        Ok(Entry {
            name: &skill.coordinate.slug,
            description: described(skill, latest),
            version: &latest.version,
            files: files.collect(),
        })
    });
    Ok(json(&Index { skills: entries.collect::<Result<_, RenderError>>()? }))
}

/// The index of one skill.
pub(crate) fn of_skill(
    context: RenderContext<'_>,
    skill: &Skill,
    latest: &VersionEntry,
) -> Result<Vec<u8>, RenderError> {
    index(context, &[(skill, latest)])
}

/// The index of a namespace. `None` if it has none.
pub(crate) fn of_namespace(
    context: RenderContext<'_>,
    name: &Namespace,
) -> Result<Option<Vec<u8>>, RenderError> {
    let Some(mut skills) = skills_of_index(context.catalog, name) else { return Ok(None) };
    skills.sort_by_key(|(skill, _)| &skill.coordinate.slug);
    index(context, &skills).map(Some)
}

//! Resolves a skill reference to a version.

use generator::address::{Document, Pointer};
use registry::names::{Coordinate, Version};
use serde::Deserialize;

use crate::source::records::{List, Resolved, SkillRecord, VersionRecord};
use crate::{ClientError, SkillReference, Source};
use registry::sanitize::blank_unsafe;

/// The most names that a message lists.
const MAX_LISTED: usize = 10;

/// Parses a reference. The error for an incomplete version names the versions that the registry
/// has.
pub fn parse_reference(source: &Source, text: &str) -> Result<SkillReference, ClientError> {
    text.parse().map_err(|why| match why {
        ClientError::IncompleteVersion { coordinate, version, .. } => {
            name_versions(source, coordinate, version).unwrap_or_else(|why| why)
        }
        why => why,
    })
}

/// The error for an incomplete version, with the versions of the skill: those that begin with it
/// if there are any.
fn name_versions(
    source: &Source,
    coordinate: Coordinate,
    version: String,
) -> Result<ClientError, ClientError> {
    let list = source.document::<List<VersionRecord>>(&Document::Versions(coordinate.clone()))?;
    let known = list.map(|list| list.items).unwrap_or_default();
    let usable: Vec<String> =
        known.iter().filter(|known| !known.is_yanked()).map(|known| known.version.to_string()).collect();
    if usable.is_empty() {
        return explain_unresolved(source, &SkillReference { coordinate, pointer: None });
    }
    let start = format!("{}.", version.trim_start_matches(['v', 'V']));
    let (fitting, others): (Vec<_>, Vec<_>) = usable.into_iter().partition(|known| known.starts_with(&start));
    let choices = if fitting.is_empty() { others } else { fitting };
    Ok(ClientError::IncompleteVersion { coordinate, version, choices: Some(enumerate(&choices)) })
}

/// The document of a version, which has all fields of a resolution.
#[derive(Deserialize)]
struct VersionDocument {
    status: String,
    #[serde(flatten)]
    resolved: Resolved,
}

/// Resolves a reference at a registry. The error says what the registry has instead.
pub fn resolve(source: &Source, reference: &SkillReference) -> Result<Resolved, ClientError> {
    let SkillReference { coordinate, pointer } = reference;
    let tag = match pointer {
        Some(Pointer::Tag(tag)) => Some(tag),
        _ => None,
    };
    // A tree has no resolutions of versions and of the tag `latest`.
    let (document, resolved) = match pointer {
        Some(Pointer::Version(version)) => {
            let document = Document::Version(coordinate.clone(), version.clone());
            let found = source.document::<VersionDocument>(&document)?;
            (document, found.filter(|found| found.status != "yanked").map(|found| found.resolved))
        }
        _ => {
            let tag = tag.filter(|tag| !tag.is_latest()).cloned().map(Pointer::Tag);
            let document = Document::Resolve(coordinate.clone(), tag);
            let found = source.document(&document)?;
            (document, found)
        }
    };
    let Some(resolved) = resolved else {
        return Err(explain_unresolved(source, reference)?);
    };
    let is_requested = match pointer {
        Some(Pointer::Version(version)) => resolved.version == *version,
        _ => true,
    };
    if resolved.coordinate() != *coordinate || !is_requested {
        let found = format!("{} {}", SkillReference::argument(&resolved.coordinate()), resolved.version);
        return Err(wrong_subject(source, &document, &found));
    }
    Ok(Resolved { tag: tag.cloned(), ..resolved })
}

/// The error for a document that is about something else than its address says.
pub(crate) fn wrong_subject(source: &Source, document: &Document, found: &str) -> ClientError {
    source.invalid(document, format!("it is about {found}"))
}

/// Finds out why a reference could not be resolved.
pub(crate) fn explain_unresolved(
    source: &Source,
    reference: &SkillReference,
) -> Result<ClientError, ClientError> {
    let SkillReference { coordinate, pointer } = reference;
    let name = SkillReference::argument(coordinate);
    let Some(skill) = source.document::<SkillRecord>(&Document::Skill(coordinate.clone()))? else {
        return Ok(no_such_skill(source, coordinate));
    };
    let document = Document::Versions(coordinate.clone());
    let Some(versions) = source.document::<List<VersionRecord>>(&document)? else {
        return Ok(ClientError::NotFound(format!(
            "{name} has no list of versions: {} is incomplete or just being updated. Try again in a moment",
            source.address()
        )));
    };
    let versions = versions.items;
    let usable: Vec<&Version> =
        versions.iter().filter(|known| !known.is_yanked()).map(|known| &known.version).collect();
    let requested = match pointer {
        Some(Pointer::Version(version)) => Some(version),
        // A tag can still point to a yanked version.
        Some(Pointer::Tag(tag)) => skill.tags.get(tag),
        None => None,
    };
    Ok(match (requested, pointer) {
        (Some(version), _) => match versions.iter().find(|known| known.version == *version) {
            Some(known) if known.is_yanked() => {
                let others = choices(&usable, "there is no other version", "use one of");
                ClientError::Yanked(format!("{name} {version} is yanked{}: {others}", yank_reason(known)))
            }
            Some(_) => ClientError::NotFound(format!(
                "{name} {version} is listed, but cannot be resolved: {} is incomplete or just being updated. \
                 Try again in a moment",
                source.address()
            )),
            None => {
                let others = choices(&usable, "all its versions are yanked", "it has");
                ClientError::NotFound(format!("{name} has no version {version}: {others}"))
            }
        },
        (None, Some(Pointer::Tag(tag))) if tag.as_str() != "latest" => {
            let tags: Vec<_> = skill.tags.keys().collect();
            let others = choices(&tags, "it has no tags except `latest`", "it has `latest`,");
            ClientError::NotFound(format!("{name} has no tag `{tag}`: {others}"))
        }
        _ if !usable.is_empty() => ClientError::NotFound(format!(
            "{name} has versions, but none can be resolved: {} is incomplete or just being updated. Try again \
             in a moment",
            source.address()
        )),
        _ => match versions.first() {
            Some(newest) => ClientError::Yanked(format!(
                "every version of {name} is yanked; the newest is {}{}",
                newest.version,
                yank_reason(newest)
            )),
            None => no_such_skill(source, coordinate),
        },
    })
}

/// The error for a skill that the registry does not have.
pub(crate) fn no_such_skill(source: &Source, coordinate: &Coordinate) -> ClientError {
    let what = format!("no skill {} at {}", SkillReference::argument(coordinate), source.address());
    source.missing(what, &format!("search for it with `skillmirror search {}`", coordinate.slug))
}

/// The yank reason in quotes and parentheses, as messages append it. Empty if none was given.
pub(crate) fn yank_reason(version: &VersionRecord) -> String {
    let reason = version.yank_reason.as_ref();
    reason.map(|reason| format!(" (\"{}\")", blank_unsafe(reason))).unwrap_or_default()
}

/// `none` if there are no names, else `some` and the first of them.
fn choices(names: &[impl ToString], none: &str, some: &str) -> String {
    if names.is_empty() { none.to_owned() } else { format!("{some} {}", enumerate(names)) }
}

/// The first names, separated by commas, and how many more there are.
pub(crate) fn enumerate(names: &[impl ToString]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_LISTED).map(ToString::to_string).collect();
    match names.len().saturating_sub(MAX_LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

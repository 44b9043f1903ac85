//! What a name stands for, and why it stands for nothing.

use generator::address::{Document, Pointer};
use registry::names::{Coordinate, Version};

use crate::records::{List, Resolved, SkillRecord, VersionRecord};
use crate::shown::plain;
use crate::{ClientError, SkillReference, Source};

/// How many names a message lists.
const LISTED: usize = 10;

/// What a reference stands for at a registry. The error says why there is nothing,
/// and what there is.
pub fn resolve(source: &Source, reference: &SkillReference) -> Result<Resolved, ClientError> {
    let SkillReference { coordinate, pointer } = reference;
    let document = Document::Resolve(coordinate.clone(), pointer.clone());
    let Some(resolved) = source.document::<Resolved>(&document)? else {
        return Err(unresolved(source, reference)?);
    };
    let is_meant = match pointer {
        Some(Pointer::Version(version)) => resolved.version == *version,
        _ => true,
    };
    if resolved.coordinate() != *coordinate || !is_meant {
        let found = format!("{} {}", resolved.coordinate().scoped(), resolved.version);
        return Err(not_about(source, &document, &found));
    }
    Ok(resolved)
}

/// What is said of a document that is there in the place of another.
pub(crate) fn not_about(source: &Source, document: &Document, found: &str) -> ClientError {
    ClientError::NotTheDocument {
        url: format!("{}{}", source.address(), document.request()),
        registry: source.address().to_string(),
        why: format!("it is about {found}"),
    }
}

/// Why a reference stands for nothing.
pub(crate) fn unresolved(source: &Source, reference: &SkillReference) -> Result<ClientError, ClientError> {
    let SkillReference { coordinate, pointer } = reference;
    let name = coordinate.scoped();
    let Some(skill) = source.document::<SkillRecord>(&Document::Skill(coordinate.clone()))? else {
        return Ok(no_such_skill(source, coordinate));
    };
    let versions = source.document::<List<VersionRecord>>(&Document::Versions(coordinate.clone()))?;
    let versions = versions.map(|list| list.items).unwrap_or_default();
    let usable: Vec<&Version> =
        versions.iter().filter(|known| !known.is_yanked()).map(|known| &known.version).collect();
    let asked = match pointer {
        Some(Pointer::Version(asked)) => Some(asked),
        // A tag may go on pointing to what is yanked.
        Some(Pointer::Tag(tag)) => skill.tags.get(tag),
        None => None,
    };
    Ok(match (asked, pointer) {
        (Some(asked), _) => match versions.iter().find(|known| known.version == *asked) {
            Some(known) if known.is_yanked() => {
                let others = listed(&usable, "there is no other version", "use one of");
                ClientError::Yanked(format!("{name} {asked} is yanked{}: {others}", reason(known)))
            }
            Some(_) => ClientError::NotFound(format!(
                "{name} {asked} is listed, but what it stands for is not there: {} is being changed, or is not \
                 whole; try again in a moment",
                source.address()
            )),
            None => {
                let others = listed(&usable, "all there were are yanked", "there is");
                ClientError::NotFound(format!("{name} has no version {asked}: {others}"))
            }
        },
        (None, Some(Pointer::Tag(tag))) if tag.as_str() != "latest" => {
            let tags: Vec<_> = skill.tags.keys().collect();
            let others = listed(&tags, "it has no tags but `latest`", "there is `latest`, and");
            ClientError::NotFound(format!("{name} has no tag `{tag}`: {others}"))
        }
        _ => match versions.first() {
            Some(newest) => ClientError::Yanked(format!(
                "every version of {name} is yanked; the newest, {}{}",
                newest.version,
                reason(newest)
            )),
            None => no_such_skill(source, coordinate),
        },
    })
}

/// What is said where there is no such skill.
pub(crate) fn no_such_skill(source: &Source, coordinate: &Coordinate) -> ClientError {
    let what = format!("there is no skill {} at {}", coordinate.scoped(), source.address());
    source.missing(what, &format!("look for it with `skillmirror search {}`", coordinate.slug))
}

fn reason(version: &VersionRecord) -> String {
    version.yank_reason.as_deref().map(|why| format!(" (\"{}\")", plain(why))).unwrap_or_default()
}

/// The first few of some names in a sentence.
fn listed<T: ToString>(names: &[T], none: &str, some: &str) -> String {
    if names.is_empty() {
        return none.to_owned();
    }
    let shown: Vec<String> = names.iter().take(LISTED).map(T::to_string).collect();
    let more = names.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{some} {}{more}", shown.join(", "))
}

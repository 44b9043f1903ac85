//! Resolves a skill reference to a version.

use std::borrow::Cow;

use generator::address::{Document, Pointer};
use registry::api::public::{FullList, Resolved, SkillDetail, VersionDetail, VersionRecord};
use registry::names::{Coordinate, TagName, Version, did_you_mean};
use semver::VersionReq;

use crate::skills::{Yank, similar_skills};
use crate::{ClientError, Requirement, SkillReference, Source};

/// The most names that a message lists.
const MAX_LISTED: usize = 10;

/// Resolves a reference at a registry. The error says what the registry has instead.
pub fn resolve(source: &Source, reference: &SkillReference) -> Result<Resolved<'static>, ClientError> {
    let SkillReference { coordinate, requirement } = reference;
    let tag = match requirement {
        Some(Requirement::Latest) => Some(TagName::latest()),
        Some(Requirement::Tag(tag)) => Some(tag.clone()),
        _ => None,
    };
    // A tree has no resolutions of versions, ranges and of the tag `latest`.
    let (document, resolved, wanted) = match requirement {
        Some(Requirement::Exact(version)) => exact(source, coordinate, version)?,
        Some(Requirement::Range(range)) => match highest(source, coordinate, range)? {
            Some(version) => exact(source, coordinate, &version)?,
            None => return Err(explain_unresolved(source, reference)?),
        },
        _ => {
            let pointer = tag.clone().filter(|tag| !tag.is_latest()).map(Pointer::Tag);
            let document = Document::Resolve(coordinate.clone(), pointer);
            let found = source.document(&document)?;
            (document, found, None)
        }
    };
    let Some(resolved) = resolved else {
        return Err(explain_unresolved(source, reference)?);
    };
    let is_requested = wanted.is_none_or(|wanted| wanted == *resolved.version);
    if resolved.coordinate() != *coordinate || !is_requested {
        let found = format!("{} {}", SkillReference::argument(&resolved.coordinate()), resolved.version);
        return Err(wrong_subject(source, &document, &found));
    }
    Ok(Resolved { tag: tag.map(Cow::Owned), ..resolved })
}

/// The document of a version, what it resolves to unless it is yanked, and the version again.
fn exact(
    source: &Source,
    coordinate: &Coordinate,
    version: &Version,
) -> Result<(Document, Option<Resolved<'static>>, Option<Version>), ClientError> {
    let document = Document::Version(coordinate.clone(), version.clone());
    let found = source.document::<VersionDetail<'_>>(&document)?;
    let resolved = found.filter(|found| !found.record.is_yanked()).map(|found| Resolved {
        namespace: found.namespace,
        slug: found.slug,
        version: found.record.version,
        tag: None,
        sha256: found.record.sha256,
        fingerprint: found.record.fingerprint,
        download_url: found.record.download_url,
    });
    Ok((document, resolved, Some(version.clone())))
}

/// Asks for the versions of a skill, and returns the highest one in the range that is not yanked. Returns
/// None if the range has no such version, or the skill has no list of versions.
fn highest(
    source: &Source,
    coordinate: &Coordinate,
    range: &VersionReq,
) -> Result<Option<Version>, ClientError> {
    let versions = versions_of(source, coordinate)?;
    Ok(highest_of(&versions, range).map(|found| found.version.clone().into_owned()))
}

/// The versions of a skill. Empty if the registry has no list of them.
pub(crate) fn versions_of(
    source: &Source,
    coordinate: &Coordinate,
) -> Result<Vec<VersionRecord<'static>>, ClientError> {
    let document = Document::Versions(coordinate.clone());
    let listed = source.document::<FullList<VersionRecord<'_>>>(&document)?;
    Ok(listed.map(|listed| listed.items).unwrap_or_default())
}

/// Returns the record of the highest version in the range, without yanked ones.
pub(crate) fn highest_of<'v>(
    versions: &'v [VersionRecord<'static>],
    range: &VersionReq,
) -> Option<&'v VersionRecord<'static>> {
    let fitting = versions.iter().filter(|known| !known.is_yanked() && known.version.satisfies(range));
    fitting.max_by(|one, other| one.version.cmp(&other.version))
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
    let SkillReference { coordinate, requirement } = reference;
    let name = SkillReference::argument(coordinate);
    let Some(skill) = source.document::<SkillDetail<'_>>(&Document::Skill(coordinate.clone()))? else {
        return Ok(no_such_skill(source, coordinate));
    };
    let document = Document::Versions(coordinate.clone());
    let Some(versions) = source.document::<FullList<VersionRecord<'_>>>(&document)? else {
        return Ok(ClientError::NotFound(format!(
            "{name} has no list of versions: {} is incomplete or just being updated. Try again in a moment",
            source.address()
        )));
    };
    let versions = versions.items;
    let usable: Vec<&Version> =
        versions.iter().filter(|known| !known.is_yanked()).map(|known| &*known.version).collect();
    let requested = match requirement {
        Some(Requirement::Exact(version)) => Some(version),
        // A tag can still point to a yanked version.
        Some(Requirement::Tag(tag)) => skill.summary.tags.get(tag).map(Cow::as_ref),
        Some(Requirement::Latest | Requirement::Range(_)) | None => None,
    };
    Ok(match (requested, requirement) {
        (Some(version), _) => match versions.iter().find(|known| *known.version == *version) {
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
        (None, Some(Requirement::Range(range))) if highest_of(&versions, range).is_none() => {
            match versions.iter().find(|known| known.version.satisfies(range)) {
                Some(known) => {
                    let others = choices(&usable, "there is no other version", "use one of");
                    ClientError::Yanked(format!(
                        "every version of {name} that fits `{range}` is yanked, {} too{}: {others}",
                        known.version,
                        yank_reason(known)
                    ))
                }
                None => {
                    let others = choices(&usable, "all its versions are yanked", "it has");
                    ClientError::NotFound(format!("{name} has no version that fits `{range}`: {others}"))
                }
            }
        }
        (None, Some(Requirement::Tag(tag))) => {
            let tags: Vec<_> = skill.summary.tags.keys().collect();
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
    let advice = match similar_skills(source, coordinate) {
        similar if similar.is_empty() => {
            format!("search for it with `skillmirror search {}`", coordinate.slug)
        }
        similar => did_you_mean(&similar).trim_start_matches(": ").to_owned(),
    };
    source.missing(what, &advice)
}

/// The yank reason of a version in quotes and parentheses, as messages append it. Empty if none was given.
fn yank_reason(version: &VersionRecord<'_>) -> String {
    Yank::of(version).map(|yank| yank.to_string()).unwrap_or_default()
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

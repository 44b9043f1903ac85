//! The advisories of skills, from the documents of a registry.

use generator::address::Document;
use registry::api::public::{AdvisoryNote, AdvisoryRecord, FullList, VersionDetail};
use registry::names::{Coordinate, Version};
use registry::sanitize::blank_unsafe;

use crate::project::Sources;
use crate::source::parallel;
use crate::{ClientError, RegistryAddress, SkillReference, Source};

/// The advisories that hold for a version, also of a removed skill. Sends one request, and another one if the
/// registry no longer has the version.
pub fn advisories_for(
    source: &Source,
    coordinate: &Coordinate,
    version: &Version,
) -> Result<Vec<AdvisoryNote<'static>>, ClientError> {
    let document = Document::Version(coordinate.clone(), version.clone());
    match source.document::<VersionDetail<'_>>(&document)? {
        Some(detail) => Ok(detail.record.advisories),
        None => advisories_without_record(source, coordinate, version),
    }
}

/// The advisories that hold for each version, several at once. The registries are open.
pub fn advisories_of_all(
    sources: &Sources<'_>,
    versions: &[(Coordinate, Version, RegistryAddress)],
) -> Vec<Result<Vec<AdvisoryNote<'static>>, ClientError>> {
    parallel::map(versions, |(coordinate, version, registry)| {
        let source = sources.get(registry)?;
        advisories_for(source, coordinate, version)
    })
}

/// The advisories that hold for a version that the registry no longer has.
pub(crate) fn advisories_without_record(
    source: &Source,
    coordinate: &Coordinate,
    version: &Version,
) -> Result<Vec<AdvisoryNote<'static>>, ClientError> {
    let all = all_advisories(source, coordinate)?;
    Ok(all.iter().filter_map(|advisory| advisory.note_for(version)).collect())
}

/// All advisories of a skill, removed or not, the last published first. Empty if it never had one.
pub fn all_advisories(
    source: &Source,
    coordinate: &Coordinate,
) -> Result<Vec<AdvisoryRecord<'static>>, ClientError> {
    let all: Option<FullList<AdvisoryRecord<'_>>> =
        source.document(&Document::SkillAdvisories(coordinate.clone()))?;
    let Some(all) = all else {
        // A wrong address is an error, a skill without advisories is not.
        let what = format!("no skill {} at {}", SkillReference::argument(coordinate), source.address());
        return match source.missing(what, "it has no advisory") {
            ClientError::NotFound(_) => Ok(Vec::new()),
            why => Err(why),
        };
    };
    Ok(all.items)
}

/// An advisory in one line, after the name of the version.
pub fn advisory_line(note: &AdvisoryNote<'_>) -> String {
    let fixed = note.fixed_in.as_ref().map(|version| format!("; fixed in {version}")).unwrap_or_default();
    format!("{} ({}): {}{fixed}", note.id, note.level.as_str(), blank_unsafe(&note.title))
}

/// The warning about an installed version.
pub fn advisory_warning(coordinate: &Coordinate, version: &Version, note: &AdvisoryNote<'_>) -> String {
    let name = SkillReference::argument(coordinate);
    format!("warning: {name} {version} has the advisory {}", advisory_line(note))
}

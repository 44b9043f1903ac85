//! Documents about skills and their versions.

use registry::journal::PublicRow;
use registry::names::{Coordinate, Version};
use registry::public::record::{FullList, SkillDetail, VersionRecord};
use registry::public::{Contents, PublicCatalog, Skill, VersionEntry};

use super::record::VersionDetail;
use super::{Package, RenderContext, RenderError, Rendered};
use crate::address::Document;
use crate::encoding::json;

fn find<'a>(
    catalog: &'a PublicCatalog,
    c: &Coordinate,
    version: &Version,
) -> Option<(&'a Skill, &'a VersionEntry)> {
    let skill = catalog.skill(c)?;
    skill.version(version).map(|entry| (skill, entry))
}

pub(super) fn package(catalog: &PublicCatalog, c: &Coordinate, version: &Version) -> Option<Rendered> {
    find(catalog, c, version).map(|(_, entry)| Rendered::Package(of(c, entry)))
}

pub(super) fn of(c: &Coordinate, entry: &VersionEntry) -> Package {
    let home = Document::Package(c.clone(), entry.version.clone());
    Package { sha256: entry.sha256, size: entry.package_size, home }
}

pub(super) fn skill(catalog: &PublicCatalog, c: &Coordinate) -> Option<Vec<u8>> {
    catalog.skill(c).map(|skill| json(&SkillDetail::new(catalog, skill)))
}

pub(super) fn versions(catalog: &PublicCatalog, c: &Coordinate) -> Option<Vec<u8>> {
    let skill = catalog.skill(c)?;
    let newest_first = skill.versions.iter().rev();
    let records: Vec<_> = newest_first.map(|entry| VersionRecord::new(catalog, skill, entry)).collect();
    Some(json(&FullList::from(records)))
}

/// The parts of a version that only its row holds.
pub(super) fn contents(context: RenderContext<'_>, entry: &VersionEntry) -> Result<Contents, RenderError> {
    let row: Option<PublicRow> = context.store.public_row(entry.revision)?;
    let row = row.ok_or(RenderError::Missing(entry.revision))?;
    Ok(Contents::decode(&row)?)
}

pub(super) fn version(
    context: RenderContext<'_>,
    c: &Coordinate,
    version: &Version,
) -> Result<Option<Vec<u8>>, RenderError> {
    let Some((skill, entry)) = find(context.catalog, c, version) else { return Ok(None) };
    let Contents { metadata, warnings, .. } = &contents(context, entry)?;
    let record = VersionRecord::new(context.catalog, skill, entry);
    Ok(Some(json(&VersionDetail { namespace: &c.namespace, slug: &c.slug, record, metadata, warnings })))
}

pub(super) fn files(
    context: RenderContext<'_>,
    c: &Coordinate,
    version: &Version,
) -> Result<Option<Vec<u8>>, RenderError> {
    let Some((_, entry)) = find(context.catalog, c, version) else { return Ok(None) };
    Ok(Some(json(&FullList::from(contents(context, entry)?.files))))
}

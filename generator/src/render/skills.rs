//! Documents about skills and their versions.

use registry::names::Coordinate;
use registry::public::record::{FullList, SkillDetail, VersionRecord, download_url};
use registry::public::{Contents, PublicCatalog, Skill, VersionEntry};

use super::record::{Resolved, ResolvedSlug, VersionDetail};
use super::{Package, RenderContext, RenderError, Rendered};
use crate::address::{Document, Pointer};
use crate::json::json;

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
    let row = context.store.public_row(entry.revision)?;
    Ok(Contents::decode(&row.ok_or(RenderError::Missing(entry.revision))?)?)
}

/// Renders a document about one version: the record, the files, a resolution or the package.
pub(super) fn of_version(
    context: RenderContext<'_>,
    document: &Document,
    skill: &Skill,
    entry: &VersionEntry,
) -> Result<Rendered, RenderError> {
    let c = &skill.coordinate;
    let bytes = match document {
        Document::Version(..) => {
            let Contents { metadata, warnings, .. } = &contents(context, entry)?;
            let record = VersionRecord::new(context.catalog, skill, entry);
            let log_index = context.catalog.log().index_of(entry.revision);
            json(&VersionDetail {
                namespace: &c.namespace,
                slug: &c.slug,
                record,
                metadata,
                warnings,
                log_index,
            })
        }
        Document::Files(..) => json(&FullList::from(contents(context, entry)?.files)),
        Document::Resolve(_, pointer) => {
            let tag = match pointer {
                Some(Pointer::Tag(tag)) => Some(tag),
                _ => None,
            };
            json(&Resolved {
                namespace: &c.namespace,
                slug: &c.slug,
                version: &entry.version,
                tag,
                sha256: entry.sha256,
                fingerprint: entry.fingerprints.all,
                download_url: download_url(c, &entry.version),
            })
        }
        Document::CompatResolve(..) => {
            let package = Document::CompatPackage(c.clone(), Pointer::Version(entry.version.clone()));
            json(&ResolvedSlug { slug: c, version: &entry.version, download_url: package.request() })
        }
        _ => {
            let home = Document::Package(c.clone(), entry.version.clone());
            let (sha256, size) = (entry.sha256, entry.package_size);
            return Ok(Rendered::Package(Package { sha256, size, home }));
        }
    };
    Ok(Rendered::Bytes(bytes))
}

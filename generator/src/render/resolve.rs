//! Documents that resolve a name to a version.

use registry::names::Coordinate;
use registry::public::record::download_url;
use registry::public::{PublicCatalog, VersionEntry};

use super::Rendered;
use super::record::{Resolved, ResolvedSlug};
use crate::address::{Document, Pointer};
use crate::encoding::json;

fn find<'a>(
    catalog: &'a PublicCatalog,
    c: &Coordinate,
    pointer: Option<&Pointer>,
) -> Option<&'a VersionEntry> {
    let skill = catalog.skill(c)?;
    match pointer {
        None => skill.latest(),
        Some(Pointer::Version(version)) => skill.offered(version),
        Some(Pointer::Tag(tag)) => skill.tagged(tag),
    }
}

pub(super) fn package(
    catalog: &PublicCatalog,
    c: &Coordinate,
    pointer: Option<&Pointer>,
) -> Option<Rendered> {
    let entry = match pointer {
        // The exact address of a yanked version keeps working.
        Some(Pointer::Version(version)) => catalog.skill(c).and_then(|skill| skill.version(version)),
        _ => find(catalog, c, pointer),
    };
    entry.map(|entry| Rendered::Package(super::skills::of(c, entry)))
}

pub(super) fn native(catalog: &PublicCatalog, c: &Coordinate, pointer: Option<&Pointer>) -> Option<Vec<u8>> {
    let entry = find(catalog, c, pointer)?;
    let tag = match pointer {
        Some(Pointer::Tag(tag)) => Some(tag),
        _ => None,
    };
    Some(json(&Resolved {
        namespace: &c.namespace,
        slug: &c.slug,
        version: &entry.version,
        tag,
        sha256: entry.sha256,
        fingerprint: entry.fingerprints.all,
        download_url: download_url(c, &entry.version),
    }))
}

pub(super) fn compatible(
    catalog: &PublicCatalog,
    c: &Coordinate,
    pointer: Option<&Pointer>,
) -> Option<Vec<u8>> {
    let version = &find(catalog, c, pointer)?.version;
    let package = Document::CompatPackage(c.clone(), Pointer::Version(version.clone()));
    Some(json(&ResolvedSlug { slug: c, version, download_url: package.request() }))
}

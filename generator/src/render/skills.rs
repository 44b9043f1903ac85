//! Documents about skills and their versions.

use std::borrow::Cow;

use registry::api::public::{
    FullList, Portability, Resolved, ResolvedSlug, ScanFinding, SkillDetail, VersionDetail, VersionRecord,
    download_url,
};
use registry::names::{Coordinate, Digest};
use registry::package::portability::Portable;
use registry::package::{FileRecord, Finding, SKILL_MD};
use registry::public::{Contents, DecodedRow, PublicChange, Skill, VersionEntry};

use super::{Package, PackageFile, RenderContext, RenderError, Rendered};
use crate::address::{Document, Pointer};
use crate::json::json;

pub(crate) fn skill(context: RenderContext<'_>, c: &Coordinate) -> Option<Vec<u8>> {
    let RenderContext { catalog, settings, .. } = context;
    catalog.skill(c).map(|skill| json(&SkillDetail::new(catalog, skill, settings.path())))
}

pub(crate) fn versions(context: RenderContext<'_>, c: &Coordinate) -> Option<Vec<u8>> {
    let RenderContext { catalog, settings, .. } = context;
    let skill = catalog.skill(c)?;
    let newest_first = skill.versions.iter().rev();
    let record = |entry| VersionRecord::new(catalog, skill, entry, settings.path());
    Some(json(&FullList::from(newest_first.map(record).collect::<Vec<_>>())))
}

/// The parts of a version that only its row holds.
pub(crate) fn contents(context: RenderContext<'_>, entry: &VersionEntry) -> Result<Contents, RenderError> {
    let row = context.store.public_row(entry.revision)?;
    Ok(Contents::decode(&row.ok_or(RenderError::Missing(entry.revision))?)?)
}

/// What the newest verdicts about a version found. `own` is in the row that published it; others are in rows of theirs.
pub(crate) fn findings(
    context: RenderContext<'_>,
    entry: &VersionEntry,
    own: &Contents,
) -> Result<Vec<ScanFinding>, RenderError> {
    let mut all = Vec::new();
    for verdict in &entry.verdicts {
        let scanner = &verdict.summary.scanner;
        let mut add =
            |finding: &Finding| all.push(ScanFinding { scanner: scanner.clone(), finding: finding.clone() });
        if verdict.revision == entry.revision {
            own.findings_of(scanner).for_each(add);
            continue;
        }
        let row =
            context.store.public_row(verdict.revision)?.ok_or(RenderError::Missing(verdict.revision))?;
        // The text of the row may have been removed.
        if let PublicChange::Scanned(scanned) = DecodedRow::decode(&row)?.change {
            scanned.verdict.findings.iter().for_each(&mut add);
        }
    }
    Ok(all)
}

/// The package of a version, and the record of a file in it. `None` if there is no such version, and no
/// record if the version has no such file.
pub fn file_of(
    context: RenderContext<'_>,
    c: &Coordinate,
    pointer: &Pointer,
    path: &str,
) -> Result<Option<(Digest, Option<FileRecord>)>, RenderError> {
    let found = context.catalog.skill(c).and_then(|skill| match pointer {
        Pointer::Version(version) => skill.version(version),
        Pointer::Tag(tag) => skill.tagged(tag),
    });
    let Some(entry) = found else { return Ok(None) };
    let files = contents(context, entry)?.files;
    Ok(Some((entry.sha256, files.into_iter().find(|file| file.path == path))))
}

/// The largest `SKILL.md` that is a document, in bytes: each is held in memory.
const MAX_ENTRY_FILE: u64 = 16 << 20;

/// The `SKILL.md` of a version. None if it is too large. Packages from before it always had this name may have it in another letter case.
pub(crate) fn entry_file(
    context: RenderContext<'_>,
    entry: &VersionEntry,
) -> Result<Option<Rendered>, RenderError> {
    let files = contents(context, entry)?.files;
    let file = files.into_iter().find(|file| file.path.eq_ignore_ascii_case(SKILL_MD));
    let file = file.filter(|file| file.size <= MAX_ENTRY_FILE).map(|file| PackageFile {
        package: entry.sha256,
        path: file.path,
        size: file.size,
    });
    Ok(file.map(Rendered::File))
}

/// Renders a document about one version: the record, the files, the attestation, a resolution or the package.
/// None for an attestation that the version lacks.
pub(crate) fn of_version(
    context: RenderContext<'_>,
    document: &Document,
    skill: &Skill,
    entry: &VersionEntry,
) -> Result<Option<Rendered>, RenderError> {
    let (c, base) = (&skill.coordinate, context.settings.path());
    let bytes = match document {
        Document::Version(..) => {
            let own = contents(context, entry)?;
            let findings = findings(context, entry, &own)?;
            let Contents { metadata, warnings, files, .. } = &own;
            let record = VersionRecord::new(context.catalog, skill, entry, base);
            let log_index = context.catalog.log().index_of(entry.revision);
            json(&VersionDetail {
                namespace: Cow::Borrowed(&c.namespace),
                slug: Cow::Borrowed(&c.slug),
                record,
                metadata: Cow::Borrowed(metadata),
                warnings: warnings.into(),
                findings,
                portability: Some(Portability::of(Portable { front_matter: metadata, files, slug: &c.slug })),
                log_index,
            })
        }
        Document::Files(..) => json(&FullList::from(contents(context, entry)?.files)),
        Document::Attestation(..) => {
            let text = if entry.attestation.is_some() { contents(context, entry)?.attestation } else { None };
            return Ok(text.map(|text| Rendered::Bytes(text.into_bytes())));
        }
        Document::Resolve(_, pointer) => {
            let tag = match pointer {
                Some(Pointer::Tag(tag)) => Some(tag),
                _ => None,
            };
            json(&Resolved {
                namespace: Cow::Borrowed(&c.namespace),
                slug: Cow::Borrowed(&c.slug),
                version: Cow::Borrowed(&entry.version),
                tag: tag.map(Cow::Borrowed),
                sha256: entry.sha256,
                fingerprint: entry.fingerprints.all,
                download_url: download_url(base, c, &entry.version),
            })
        }
        Document::CompatResolve(..) => {
            let package = Document::CompatPackage(c.clone(), Pointer::Version(entry.version.clone()));
            let download_url = format!("{base}{}", package.request());
            json(&ResolvedSlug { slug: c, version: &entry.version, download_url })
        }
        _ => {
            let home = Document::Package(c.clone(), entry.version.clone());
            let (sha256, size) = (entry.sha256, entry.package_size);
            return Ok(Some(Rendered::Package(Package { sha256, size, home })));
        }
    };
    Ok(Some(Rendered::Bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use registry::package::portability::CLIENTS;

    use super::*;
    use crate::FORMAT;

    /// The digest of the table of clients, by format. Records and pages show what it says.
    const TABLES: &[(u32, &str)] = &[(9, "a86ee18512a72c76a3225509d1c8192be1ea64bff793e0a0302db40480992b81")];

    #[test]
    fn changed_table_of_clients_needs_a_new_format() {
        let last = TABLES.iter().rev().find(|(format, _)| *format <= FORMAT).map(|(_, digest)| *digest);
        let is = Digest::of(format!("{CLIENTS:?}").as_bytes()).to_string();
        assert_eq!(
            Some(&*is),
            last,
            "raise FORMAT unless it was raised since the last release, as for pages"
        );
    }
}

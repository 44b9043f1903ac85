//! The files of a published version.

use generator::address::Document;
use registry::api::public::VersionRecord;
use registry::names::{Coordinate, Digest, Version};
use registry::package::Unpacked;

use super::PackageContents;
use crate::http::{Progress, Purpose};
use crate::install::unpack_limits;
use crate::skills::resolve::{explain_unresolved, resolve};
use crate::{ClientError, Requirement, SkillReference, Source};

/// A published version with its files.
pub struct PublishedPackage {
    /// The skill.
    pub coordinate: Coordinate,
    /// The version.
    pub version: Version,
    /// The files.
    pub contents: PackageContents,
}

/// Downloads and unpacks the version that a reference names. A yanked version must be named by its
/// number.
///
/// Errors: the registry does not have the version, or sends something else than its package.
pub fn published_package(
    source: &Source,
    reference: &SkillReference,
    progress: Progress<'_>,
) -> Result<PublishedPackage, ClientError> {
    let coordinate = reference.coordinate.clone();
    let (version, sha256) = match &reference.requirement {
        Some(Requirement::Exact(version)) => {
            let document = Document::Version(coordinate.clone(), version.clone());
            let Some(record) = source.document::<VersionRecord<'_>>(&document)? else {
                return Err(explain_unresolved(source, reference)?);
            };
            (version.clone(), record.sha256)
        }
        _ => {
            let resolved = resolve(source, reference)?;
            (resolved.version.into_owned(), resolved.sha256)
        }
    };
    let what = format!("{} {version}", SkillReference::argument(&coordinate));
    let registry = source.address().to_string();
    let document = Document::Package(coordinate.clone(), version.clone());
    let Some(bytes) = source.package(&document, None, Purpose::Inspection, progress)? else {
        return Err(ClientError::NotThePackage { what, registry, why: "it has none".to_owned() });
    };
    let contents =
        unpack(&bytes, &sha256).map_err(|why| ClientError::NotThePackage { what, registry, why })?;
    Ok(PublishedPackage { coordinate, version, contents })
}

/// Checks and unpacks a package. The error says why it cannot be used.
pub(crate) fn unpack(bytes: &[u8], sha256: &Digest) -> Result<PackageContents, String> {
    let found = Digest::of(bytes);
    if found != *sha256 {
        return Err(format!("its sha256 is {found}, but should be {sha256}"));
    }
    let unpacked = Unpacked::from_zip(bytes, &unpack_limits());
    unpacked.map(PackageContents::from).map_err(|refusal| refusal.to_string())
}

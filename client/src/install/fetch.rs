//! A package from a registry that nobody trusts: its bytes are compared with
//! what they should be, then unpacked as something hostile.

use generator::address::Document;
use registry::names::Digest;
use registry::package::{Limits, Unpacked};

use super::error::InstallError;
use super::wanted::Wanted;
use crate::Source;
use crate::read::is_page;

/// What a package may come to in memory. It is more than what a registry takes
/// by default, because a registry may be configured to take more: 512 MiB of
/// files, 128 MiB each, 10,000 of them.
fn limits() -> Limits {
    Limits { unpacked: 512 << 20, file: 128 << 20, files: 10_000, ..Limits::default() }
}

/// As many bytes are read even where the package has fewer, so that what is there
/// instead can be told: 1 MiB.
const LEAST: u64 = 1 << 20;

/// Fetches the package of `wanted` and unpacks it in memory. `progress` is
/// told how many bytes are there, and of how many.
pub(super) fn fetch(
    source: &Source,
    wanted: &Wanted,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Unpacked, InstallError> {
    let (sha256, registry) = (&wanted.sha256, || source.address().to_string());
    let size = wanted.expected.map(|(size, _)| size);
    // No archive is larger than what may be in it: what a registry says is no reason to
    // take more.
    let most = limits().unpacked;
    if let Some(size) = size.filter(|size| *size > most) {
        return Err(InstallError::TooLarge { skill: wanted.name(), registry: registry(), size, most });
    }
    let document = Document::Package(wanted.coordinate.clone(), wanted.version.clone());
    let Some(package) = source.package(&document, size.map(|size| size.max(LEAST)), progress)? else {
        return Err(InstallError::NoPackage { skill: wanted.name(), registry: registry() });
    };
    if let Some(found) = difference(&package, size, sha256) {
        return Err(InstallError::NotThePackage { skill: wanted.name(), registry: registry(), found });
    }
    let unpacked = Unpacked::from_zip(&package, &limits()).map_err(|refusal| InstallError::Refused {
        skill: wanted.name(),
        registry: registry(),
        refusal,
    })?;
    let content = unpacked.content_digest();
    if let Some((_, promised)) = wanted.expected.filter(|(_, promised)| *promised != content) {
        let found = format!(
            "the package has content with the digest {content}, but the version's own document says {promised}"
        );
        return Err(InstallError::Contradiction { skill: wanted.name(), registry: registry(), found });
    }
    Ok(unpacked)
}

/// In which way `bytes` are not the package of that size and digest.
fn difference(bytes: &[u8], size: Option<u64>, sha256: &Digest) -> Option<String> {
    let found = Digest::of(bytes);
    if found == *sha256 {
        return None;
    }
    let length = bytes.len() as u64;
    if is_page(bytes, None) {
        return Some(format!("it is an HTML page of {length} bytes"));
    }
    match size.filter(|size| *size != length) {
        Some(size) => Some(format!("it has {length} bytes, and the package {size}")),
        None => Some(format!("its sha256 is {found}, and the package's {sha256}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_named() {
        let digest = Digest::of(b"package");
        assert_eq!(difference(b"package", Some(7), &digest), None);
        let said = |bytes: &[u8], size| difference(bytes, size, &digest).unwrap();
        assert_eq!(said(b"pack", Some(7)), "it has 4 bytes, and the package 7");
        assert!(said(b"Package", Some(7)).starts_with("its sha256 is "));
        assert!(said(b"pack", None).starts_with("its sha256 is "));
        for page in ["<!DOCTYPE html><p>", "\n <html lang=en>", "<HEAD>"] {
            assert!(said(page.as_bytes(), None).starts_with("it is an HTML page"), "{page}");
        }
    }
}

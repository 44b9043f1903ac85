//! Downloads a package and checks it. The registry is not trusted: the bytes must match
//! their digest, and the archive may be hostile.

use generator::address::Document;
use registry::names::Digest;
use registry::package::{Limits, Unpacked};

use super::error::InstallError;
use super::release::{Package, Release};
use crate::Source;
use crate::http::{Progress, Purpose};
use crate::source::is_page;

/// The limits of an unpacked package: 512 MiB in at most 10,000 files of at most 128 MiB.
/// They exceed a registry's defaults, because a registry may be configured to accept more.
pub(crate) fn unpack_limits() -> Limits {
    Limits { unpacked: 512 << 20, file: 128 << 20, files: 10_000, ..Limits::default() }
}

/// At least 1 MiB is read, however small the package, so that a wrong answer can be
/// described.
const MIN_READ: u64 = 1 << 20;

impl Release {
    /// The package. Downloads it the first time.
    pub(super) fn package(&self, source: &Source, progress: Progress<'_>) -> Result<&Unpacked, InstallError> {
        match self.package.get() {
            Some(package) => Ok(package),
            None => {
                let package = self.fetch(source, progress)?;
                Ok(self.package.get_or_init(|| package))
            }
        }
    }

    /// The digest of its content. Downloads the package if the registry does not say it.
    pub(crate) fn content(&self, source: &Source, progress: Progress<'_>) -> Result<Digest, InstallError> {
        match self.expected {
            Some(expected) => Ok(expected.content),
            None => Ok(self.package(source, progress)?.content_digest),
        }
    }

    /// Downloads the package and unpacks it in memory.
    fn fetch(&self, source: &Source, progress: Progress<'_>) -> Result<Unpacked, InstallError> {
        let (skill, registry) = (|| self.name(), || source.address().to_string());
        let size = self.expected.map(|package| package.size);
        // An archive is hardly larger than its content, so that limit applies to both.
        let most = unpack_limits().unpacked;
        if let Some(size) = size.filter(|size| *size > most) {
            return Err(InstallError::TooLarge { skill: skill(), registry: registry(), size, most });
        }
        let document = Document::Package(self.coordinate.clone(), self.version.clone());
        let read = size.map(|size| size.max(MIN_READ));
        let Some(package) = source.package(&document, read, Purpose::Download, progress)? else {
            return Err(InstallError::NoPackage { skill: skill(), registry: registry() });
        };
        if let Some(found) = difference(&package, size, &self.sha256) {
            return Err(InstallError::NotThePackage { skill: skill(), registry: registry(), found });
        }
        let unpacked = Unpacked::from_zip(&package, &unpack_limits())
            .map_err(|refusal| InstallError::Refused { skill: skill(), registry: registry(), refusal })?;
        let content = unpacked.content_digest;
        if let Some(Package { content: promised, .. }) =
            self.expected.filter(|package| package.content != content)
        {
            let found = format!(
                "the content of the package has the digest {content}, but the document of the version says {promised}"
            );
            return Err(InstallError::Contradiction { skill: skill(), registry: registry(), found });
        }
        Ok(unpacked)
    }
}

/// How `bytes` differ from the package with this size and digest. None if they match.
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
        Some(size) => Some(format!("it has {length} bytes, but the package has {size}")),
        None => Some(format!("its sha256 is {found}, but that of the package is {sha256}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_describes_wrong_bytes() {
        let digest = Digest::of(b"package");
        assert_eq!(difference(b"package", Some(7), &digest), None);
        let said = |bytes: &[u8], size| difference(bytes, size, &digest).unwrap();
        assert_eq!(said(b"pack", Some(7)), "it has 4 bytes, but the package has 7");
        assert!(said(b"Package", Some(7)).starts_with("its sha256 is "));
        assert!(said(b"pack", None).starts_with("its sha256 is "));
        for page in ["<!DOCTYPE html><p>", "\n <html lang=en>", "<HEAD>"] {
            assert!(said(page.as_bytes(), None).starts_with("it is an HTML page"), "{page}");
        }
    }
}

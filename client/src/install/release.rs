//! The release to install, from the registry's documents.

use generator::address::{Document, Pointer};
use registry::names::{Coordinate, Digest, Namespace, Slug, TagName, Version};
use serde::Deserialize;

use super::error::InstallError;
use crate::resolve::{quoted_reason, resolve};
use crate::{ClientError, SkillReference, Source};

/// A version that can be installed, and what identifies its package.
#[derive(Debug, Clone)]
pub(super) struct Release {
    pub coordinate: Coordinate,
    pub version: Version,
    /// The digest of the package.
    pub sha256: Digest,
    /// More about the package, if the registry has the document of the version.
    pub expected: Option<Package>,
    /// The requested tag. `latest` if neither tag nor version was requested.
    pub requested: Option<TagName>,
}

/// What the document of a version says about its package.
#[derive(Debug, Clone, Copy)]
pub(super) struct Package {
    /// The size in bytes.
    pub size: u64,
    /// The digest of the content.
    pub content: Digest,
}

/// The document of a version. Other fields are ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct VersionDetail {
    namespace: Namespace,
    slug: Slug,
    version: Version,
    status: String,
    yank_reason: Option<String>,
    sha256: Digest,
    content_digest: Digest,
    package_size: u64,
}

impl Release {
    /// Resolves `reference` with two requests: one for the version, one for its document.
    /// Fails if the two contradict each other.
    pub(super) fn resolve(source: &Source, reference: &SkillReference) -> Result<Self, InstallError> {
        let resolved = resolve(source, reference)?;
        let coordinate = reference.coordinate.clone();
        let (version, sha256) = (resolved.version, resolved.sha256);
        let detail: Option<VersionDetail> =
            source.document(&Document::Version(coordinate.clone(), version.clone()))?;
        if let Some(detail) = &detail {
            detail.check(source, &coordinate, &version, &sha256)?;
        }
        let requested = match &reference.pointer {
            None => Some(TagName::latest()),
            Some(Pointer::Tag(tag)) => Some(tag.clone()),
            Some(Pointer::Version(_)) => None,
        };
        let expected =
            detail.map(|detail| Package { size: detail.package_size, content: detail.content_digest });
        Ok(Self { coordinate, version, sha256, expected, requested })
    }

    /// The name in messages.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.coordinate.scoped(), self.version)
    }
}

impl VersionDetail {
    /// Checks that the document agrees with the resolved version, and that the version is not
    /// yanked.
    fn check(
        &self,
        source: &Source,
        coordinate: &Coordinate,
        version: &Version,
        sha256: &Digest,
    ) -> Result<(), InstallError> {
        let contradiction = |found: String| InstallError::Contradiction {
            skill: format!("{} {version}", coordinate.scoped()),
            registry: source.address().to_string(),
            found,
        };
        let of = Coordinate::new(self.namespace.clone(), self.slug.clone());
        if (&of, &self.version) != (coordinate, version) {
            let found = format!("the document of the version is about {} {}", of.scoped(), self.version);
            return Err(contradiction(found));
        }
        if self.sha256 != *sha256 {
            let found = format!(
                "the version resolves to a package with sha256 {sha256}, but its document says {}",
                self.sha256
            );
            return Err(contradiction(found));
        }
        if self.status == "yanked" {
            let reason = quoted_reason(self.yank_reason.as_deref());
            let why = format!("{} {version} is yanked{reason}: choose another version", coordinate.scoped());
            return Err(ClientError::Yanked(why).into());
        }
        Ok(())
    }
}

/// The latest version of a skill. None if the skill is gone or all versions are yanked.
pub(super) fn latest(source: &Source, coordinate: &Coordinate) -> Result<Option<Version>, InstallError> {
    let found: Option<crate::records::Resolved> =
        source.document(&Document::Resolve(coordinate.clone(), None))?;
    Ok(found.map(|found| found.version))
}

//! What is to be installed, as the registry's documents say it.

use generator::address::{Document, Pointer};
use registry::names::{Coordinate, Digest, Namespace, Slug, TagName, Version};
use serde::Deserialize;

use super::error::InstallError;
use crate::resolving::resolve;
use crate::shown::plain;
use crate::{ClientError, SkillReference, Source};

/// A version that can be installed, and how its package is known.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub coordinate: Coordinate,
    pub version: Version,
    /// Of the package.
    pub sha256: Digest,
    /// Bytes of the package and the digest of its content, where the registry has
    /// the document that says so.
    pub expected: Option<(u64, Digest)>,
    /// The tag that was followed: `latest` where nothing was asked for.
    pub requested: Option<TagName>,
}

/// What is read of a version's own document.
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

impl Wanted {
    /// Asks what `reference` stands for: two requests, unless it is nothing. Where
    /// both documents say the same thing, they have to agree.
    pub(super) fn ask(source: &Source, reference: &SkillReference) -> Result<Self, InstallError> {
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
        let expected = detail.map(|detail| (detail.package_size, detail.content_digest));
        Ok(Self { coordinate, version, sha256, expected, requested })
    }

    /// What messages call it.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.coordinate.scoped(), self.version)
    }
}

impl VersionDetail {
    /// Compares it with what the version resolves to.
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
            let found = format!("its document is about {} {}", of.scoped(), self.version);
            return Err(contradiction(found));
        }
        if self.sha256 != *sha256 {
            let found = format!(
                "it resolves to a package with the sha256 {sha256}, but its own document says {}",
                self.sha256
            );
            return Err(contradiction(found));
        }
        if self.status == "yanked" {
            let reason = self.yank_reason.as_deref();
            let reason = reason.map(|reason| format!(" (\"{}\")", plain(reason))).unwrap_or_default();
            let why = format!("{} {version} is yanked{reason}: ask for another version", coordinate.scoped());
            return Err(ClientError::Yanked(why).into());
        }
        Ok(())
    }
}

/// The version that a skill's latest is now; None where it has none, or is gone.
pub(super) fn latest(source: &Source, coordinate: &Coordinate) -> Result<Option<Version>, InstallError> {
    let found: Option<crate::records::Resolved> =
        source.document(&Document::Resolve(coordinate.clone(), None))?;
    Ok(found.map(|found| found.version))
}

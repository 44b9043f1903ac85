//! The release to install, from the registry's documents.

use generator::address::{Document, Pointer};
use registry::names::{Coordinate, Digest, Namespace, Slug, TagName, Version};
use registry::package::content_digest;
use serde::Deserialize;

use super::error::InstallError;
use super::skills_folder::content::{FileMark, FileMarks};
use crate::history::{ProvedVersion, SignedHistory};
use crate::skills::resolve::{resolve, wrong_subject, yank_reason};
use crate::source::records::{FileEntry, List, Resolved, VersionRecord};
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
    /// The number of its leaf in the log of the registry's history, if the registry says it.
    pub log_index: Option<u64>,
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
    content_digest: Digest,
    #[serde(default)]
    log_index: Option<u64>,
    #[serde(flatten)]
    record: VersionRecord,
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
        let log_index = detail.as_ref().and_then(|detail| detail.log_index);
        let expected =
            detail.map(|detail| Package { size: detail.record.package_size, content: detail.content_digest });
        Ok(Self { coordinate, version, sha256, expected, log_index, requested })
    }

    /// Proves that the signed history has it.
    pub(super) fn prove(&self, history: &SignedHistory<'_>) -> Result<ProvedVersion, ClientError> {
        history.prove(&self.coordinate, &self.version, &self.sha256, self.log_index)
    }

    /// The name in messages.
    pub(super) fn name(&self) -> String {
        format!("{} {}", SkillReference::argument(&self.coordinate), self.version)
    }
}

impl VersionDetail {
    /// The name of the version that the document is about, if it is another one.
    fn other_subject(&self, coordinate: &Coordinate, version: &Version) -> Option<String> {
        let of = Coordinate::new(self.namespace.clone(), self.slug.clone());
        let is_other = (&of, &self.record.version) != (coordinate, version);
        is_other.then(|| format!("{} {}", SkillReference::argument(&of), self.record.version))
    }

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
            skill: format!("{} {version}", SkillReference::argument(coordinate)),
            registry: source.address().to_string(),
            found,
        };
        let record = &self.record;
        if let Some(found) = self.other_subject(coordinate, version) {
            return Err(contradiction(format!("the document of the version is about {found}")));
        }
        if record.sha256 != *sha256 {
            let found = format!(
                "the version resolves to a package with sha256 {sha256}, but its document says {}",
                record.sha256
            );
            return Err(contradiction(found));
        }
        if record.is_yanked() {
            let reason = yank_reason(record);
            let why = format!(
                "{} {version} is yanked{reason}: choose another version",
                SkillReference::argument(coordinate)
            );
            return Err(ClientError::Yanked(why).into());
        }
        Ok(())
    }
}

/// The latest version of a skill. None if the skill is gone or all versions are yanked.
pub(super) fn latest(source: &Source, coordinate: &Coordinate) -> Result<Option<Version>, InstallError> {
    let found: Option<Resolved> = source.document(&Document::Resolve(coordinate.clone(), None))?;
    Ok(found.map(|found| found.version))
}

/// The digest of a version's content, also of a yanked one. None if the registry does not have
/// the version.
pub(super) fn published_content(
    source: &Source,
    coordinate: &Coordinate,
    version: &Version,
) -> Result<Option<Digest>, InstallError> {
    let document = Document::Version(coordinate.clone(), version.clone());
    let Some(detail) = source.document::<VersionDetail>(&document)? else { return Ok(None) };
    match detail.other_subject(coordinate, version) {
        Some(found) => Err(wrong_subject(source, &document, &found).into()),
        None => Ok(Some(detail.content_digest)),
    }
}

/// The files of a version. None if the registry has no list of them with this content digest.
pub(super) fn published_files(
    source: &Source,
    coordinate: &Coordinate,
    version: &Version,
    content: &Digest,
) -> Option<FileMarks> {
    let document = Document::Files(coordinate.clone(), version.clone());
    let list: List<FileEntry> = source.document(&document).ok()??;
    let mark = |file: FileEntry| (file.path, FileMark { executable: file.executable, sha256: file.sha256 });
    let marks: FileMarks = list.items.into_iter().map(mark).collect();
    let listed = marks.iter().map(|(path, mark)| (path.as_str(), mark.executable, &mark.sha256));
    (content_digest(listed) == *content).then_some(marks)
}

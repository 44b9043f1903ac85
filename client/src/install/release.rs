//! The release to install, from the registry's documents.

use std::fmt;
use std::sync::{Arc, OnceLock};

use generator::address::Document;
use registry::api::public::{FullList, Resolved, VersionDetail};
use registry::names::{Coordinate, Digest, Version};
use registry::package::{FileRecord, Unpacked, content_digest};
use registry::public::PublicProvenance;

use super::error::InstallError;
use super::skills_folder::file_marks::{FileMark, FileMarks};
use crate::history::{ProvedVersion, SignedHistory, TrustedRegistries};
use crate::skills::Yank;
use crate::skills::resolve::{resolve, wrong_subject};
use crate::{ClientError, Requirement, SkillReference, Source};

/// A version that can be installed, and what identifies its package.
#[derive(Clone)]
pub struct Release {
    /// The skill.
    pub coordinate: Coordinate,
    /// The version.
    pub version: Version,
    /// The digest of the package.
    pub sha256: Digest,
    /// The yank of the version, if it is yanked.
    pub yanked: Option<Yank>,
    /// More about the package, if the registry has the document of the version.
    pub(super) expected: Option<Package>,
    /// The number of its leaf in the log of the registry's history, if the registry says it.
    pub(super) log_index: Option<u64>,
    /// The job that built it, as the registry says.
    pub provenance: Option<PublicProvenance>,
    /// The requested tag or range. None if a version was requested.
    pub requested: Option<Requirement>,
    /// The package, once it was downloaded: it may belong into several folders.
    pub(super) package: Arc<OnceLock<Unpacked>>,
}

/// What the document of a version says about its package.
#[derive(Debug, Clone, Copy)]
pub(super) struct Package {
    /// The size in bytes.
    pub size: u64,
    /// The digest of the content.
    pub content: Digest,
}

impl Release {
    /// Resolves `reference` with two requests: one for the version, one for its document.
    /// Fails if the two contradict each other.
    pub fn resolve(source: &Source, reference: &SkillReference) -> Result<Self, InstallError> {
        let resolved = resolve(source, reference)?;
        let coordinate = reference.coordinate.clone();
        let (version, sha256) = (resolved.version.into_owned(), resolved.sha256);
        let detail: Option<VersionDetail<'_>> =
            source.document(&Document::Version(coordinate.clone(), version.clone()))?;
        if let Some(detail) = &detail {
            check(detail, source, (&coordinate, &version, &sha256))?;
        }
        let requested = reference.requirement.clone().unwrap_or(Requirement::Latest).if_movable();
        let log_index = detail.as_ref().and_then(|detail| detail.log_index);
        let provenance = detail.as_ref().and_then(provenance_of);
        let expected = detail.map(|detail| Package {
            size: detail.record.package_size,
            content: detail.record.content_digest,
        });
        Ok(Self { expected, log_index, provenance, requested, ..Self::of(coordinate, version, sha256) })
    }

    /// A release of which nothing more is known.
    pub(super) fn of(coordinate: Coordinate, version: Version, sha256: Digest) -> Self {
        let (yanked, expected, log_index, provenance, requested) = (None, None, None, None, None);
        let package = Arc::default();
        Self { coordinate, version, sha256, yanked, expected, log_index, provenance, requested, package }
    }

    /// A copy that shares no package, unless it was downloaded already.
    pub(crate) fn detached(&self) -> Self {
        match self.package.get() {
            Some(_) => self.clone(),
            None => Self { package: Arc::default(), ..self.clone() },
        }
    }

    /// Proves that the signed history has it, if the user trusts the keys of its registry. Its row must name the same
    /// provenance as the registry, and one of those that the user demands.
    pub fn prove(&self, history: Option<&SignedHistory<'_>>) -> Result<Option<ProvedVersion>, InstallError> {
        let index = self.log_index;
        let prove =
            |history: &SignedHistory<'_>| history.prove(&self.coordinate, &self.version, &self.sha256, index);
        let proved = history.map(prove).transpose()?;
        if let Some(proved) = &proved
            && proved.published.provenance.as_deref() != self.provenance.as_ref()
        {
            let said =
                |of: Option<&PublicProvenance>| of.map_or("no commit".into(), PublicProvenance::built_from);
            let (row, shown) = (said(proved.published.provenance.as_deref()), said(self.provenance.as_ref()));
            let found = format!(
                "the signed history says that it was built from {row}, but the registry shows {shown}"
            );
            return Err(InstallError::Provenance { skill: self.name(), found });
        }
        self.check_required(TrustedRegistries::load()?.required_provenance(), proved.is_some())?;
        Ok(proved)
    }

    /// The repository and commit that it was built from.
    pub(crate) fn built_from(&self) -> Option<String> {
        self.provenance.as_ref().map(PublicProvenance::built_from)
    }

    fn check_required(&self, patterns: &[String], is_proved: bool) -> Result<(), InstallError> {
        let found = match &self.provenance {
            _ if patterns.is_empty() => return Ok(()),
            None => "no job of a known repository has published it".to_owned(),
            Some(of) if !patterns.iter().any(|pattern| of.is_from(pattern)) => {
                format!("it was {} {}, which is not required", of.verb(), of.built_from())
            }
            Some(_) if !is_proved => {
                "no key of its registry is trusted, so nobody can prove where it is from: use `skillmirror trust add`".into()
            }
            Some(_) => return Ok(()),
        };
        Err(InstallError::Provenance { skill: self.name(), found })
    }

    /// The name in messages.
    pub fn name(&self) -> String {
        format!("{} {}", SkillReference::argument(&self.coordinate), self.version)
    }
}

impl fmt::Debug for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the package.
        f.debug_struct("Release")
            .field("name", &self.name())
            .field("sha256", &self.sha256)
            .finish_non_exhaustive()
    }
}

/// The job or source that a version is from, as its document says.
pub(super) fn provenance_of(detail: &VersionDetail<'_>) -> Option<PublicProvenance> {
    detail.record.provenance.as_deref().filter(|of| of.is_valid()).cloned()
}

/// The name of the version that a document is about, if it is another one.
pub(super) fn other_subject(
    detail: &VersionDetail<'_>,
    coordinate: &Coordinate,
    version: &Version,
) -> Option<String> {
    let of = detail.coordinate();
    let is_other = (&of, &*detail.record.version) != (coordinate, version);
    is_other.then(|| format!("{} {}", SkillReference::argument(&of), detail.record.version))
}

/// Checks that a document agrees with the resolved version, and that the version is not yanked.
fn check(
    detail: &VersionDetail<'_>,
    source: &Source,
    (coordinate, version, sha256): (&Coordinate, &Version, &Digest),
) -> Result<(), InstallError> {
    let name = format!("{} {version}", SkillReference::argument(coordinate));
    let registry = source.address().to_string();
    let record = &detail.record;
    if let Some(found) = other_subject(detail, coordinate, version) {
        let found = format!("the document of the version is about {found}");
        return Err(InstallError::Contradiction { skill: name, registry, found });
    }
    if record.sha256 != *sha256 {
        let found = format!(
            "the version resolves to a package with sha256 {sha256}, but its document says {}",
            record.sha256
        );
        return Err(InstallError::Contradiction { skill: name, registry, found });
    }
    match Yank::of(record) {
        Some(yank) => {
            Err(ClientError::Yanked(format!("{name} is yanked{yank}: choose another version")).into())
        }
        None => Ok(()),
    }
}

/// The latest version of a skill. None if the skill is gone or all versions are yanked.
pub(super) fn latest(source: &Source, coordinate: &Coordinate) -> Result<Option<Version>, InstallError> {
    let found: Option<Resolved<'_>> = source.document(&Document::Resolve(coordinate.clone(), None))?;
    Ok(found.map(|found| found.version.into_owned()))
}

/// The digest of a version's content, also of a yanked one. None if the registry does not have
/// the version.
pub(super) fn published_content(
    source: &Source,
    coordinate: &Coordinate,
    version: &Version,
) -> Result<Option<Digest>, InstallError> {
    let document = Document::Version(coordinate.clone(), version.clone());
    let Some(detail) = source.document::<VersionDetail<'_>>(&document)? else { return Ok(None) };
    match other_subject(&detail, coordinate, version) {
        Some(found) => Err(wrong_subject(source, &document, &found).into()),
        None => Ok(Some(detail.record.content_digest)),
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
    let list: FullList<FileRecord> = source.document(&document).ok()??;
    let mark = |file: FileRecord| (file.path, FileMark { executable: file.executable, sha256: file.sha256 });
    let marks: FileMarks = list.items.into_iter().map(mark).collect();
    let listed = marks.iter().map(|(path, mark)| (path.as_str(), mark.executable, &mark.sha256));
    (content_digest(listed) == *content).then_some(marks)
}

//! The release to install, from the registry's documents.

use std::fmt;
use std::sync::{Arc, OnceLock};

use generator::address::Document;
use registry::api::public::{FullList, Resolved, VersionDetail};
use registry::names::{Coordinate, Digest, Required, Version};
use registry::package::{FileRecord, Unpacked, content_digest};
use registry::public::PublicProvenance;

use super::error::InstallError;
use super::skills_folder::file_marks::{FileMark, FileMarks};
use crate::history::{ProvedVersion, SignedHistory};
use crate::policy::{Decision, Policy, Subject, VersionFacts, best_accepted};
use crate::skills::Yank;
use crate::skills::resolve::{resolve, versions_of, wrong_subject};
use crate::{ClientError, Requirement, SkillReference, Source, notice};

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
    /// The skills that it requires, as the registry says.
    pub requires: Vec<Required>,
    /// What the registry says about it.
    pub facts: VersionFacts,
    /// Whether the policy does not accept a better version that was wanted.
    pub is_held_back: bool,
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
    /// Resolves `reference` with two requests: one for the version, one for its document. If the policy does not
    /// accept this version by its record, a range and `latest` mean the best version that it accepts.
    /// Fails if two documents contradict each other.
    pub fn resolve(source: &Source, reference: &SkillReference) -> Result<Self, InstallError> {
        let policy = Policy::load()?;
        let found = Self::resolve_as_named(source, reference)?;
        let Some(why) = policy.refusal_of_record(&found.facts) else { return Ok(found) };
        let requirement = reference.requirement.clone().unwrap_or(Requirement::Latest);
        let listed = versions_of(source, &reference.coordinate)?;
        let Some(version) = best_accepted(&policy, &listed, &requirement) else { return Ok(found) };
        notice::show(&format!(
            "note: the policy does not accept {} ({why}): {version} is chosen",
            found.name()
        ));
        let requirement = Some(Requirement::Exact(version.clone()));
        let other = SkillReference { coordinate: reference.coordinate.clone(), requirement };
        let other = Self::resolve_as_named(source, &other)?;
        Ok(Self { requested: found.requested, is_held_back: true, ..other })
    }

    fn resolve_as_named(source: &Source, reference: &SkillReference) -> Result<Self, InstallError> {
        let resolved = resolve(source, reference)?;
        let coordinate = reference.coordinate.clone();
        let (version, sha256) = (resolved.version.into_owned(), resolved.sha256);
        let detail: Option<VersionDetail<'_>> =
            source.document(&Document::Version(coordinate.clone(), version.clone()))?;
        let facts = detail.as_ref().map(|detail| VersionFacts::new(&detail.record)).unwrap_or_default();
        if let Some(detail) = &detail {
            check(detail, source, (&coordinate, &version, &sha256))?;
        }
        let requested = reference.requirement.clone().unwrap_or(Requirement::Latest).if_movable();
        let log_index = detail.as_ref().and_then(|detail| detail.log_index);
        let requires = detail.as_ref().map_or_else(Vec::new, |detail| detail.record.requires.to_vec());
        let expected = detail.map(|detail| Package {
            size: detail.record.package_size,
            content: detail.record.content_digest,
        });
        Ok(Self { expected, log_index, requires, facts, requested, ..Self::of(coordinate, version, sha256) })
    }

    /// A release of which nothing more is known.
    pub(super) fn of(coordinate: Coordinate, version: Version, sha256: Digest) -> Self {
        Self {
            coordinate,
            version,
            sha256,
            yanked: None,
            expected: None,
            log_index: None,
            requires: Vec::new(),
            facts: VersionFacts::default(),
            is_held_back: false,
            requested: None,
            package: Arc::default(),
        }
    }

    /// A copy that shares no package, unless it was downloaded already.
    pub(crate) fn detached(&self) -> Self {
        match self.package.get() {
            Some(_) => self.clone(),
            None => Self { package: Arc::default(), ..self.clone() },
        }
    }

    /// Proves that the signed history has it, if the user trusts the keys of its registry. Its row must name the same
    /// provenance and requirements as the registry.
    pub fn prove(&self, history: Option<&SignedHistory<'_>>) -> Result<Option<ProvedVersion>, InstallError> {
        let index = self.log_index;
        let prove =
            |history: &SignedHistory<'_>| history.prove(&self.coordinate, &self.version, &self.sha256, index);
        let Some(proved) = history.map(prove).transpose()? else { return Ok(None) };
        let row = &proved.published;
        // Without the document of the version nothing is known to be required.
        let is_described = self.expected.is_some();
        let found = if row.provenance.as_deref() != self.facts.provenance.as_ref() {
            let said =
                |of: Option<&PublicProvenance>| of.map_or("no commit".into(), PublicProvenance::built_from);
            let (row, shown) = (said(row.provenance.as_deref()), said(self.facts.provenance.as_ref()));
            format!("the signed history says that it was built from {row}, but the registry shows {shown}")
        } else if is_described && row.requires != self.requires {
            let said = |of: &[Required]| match of {
                [] => "nothing".to_owned(),
                all => all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
            };
            let (row, shown) = (said(&row.requires), said(&self.requires));
            format!("the signed history says that it requires {row}, but the registry shows {shown}")
        } else {
            return Ok(Some(proved));
        };
        Err(InstallError::Provenance { skill: self.name(), found })
    }

    /// Fails if it requires other skills than `listed`, which the list of versions says.
    pub(crate) fn check_requires(&self, source: &Source, listed: &[Required]) -> Result<(), InstallError> {
        if self.requires == listed {
            return Ok(());
        }
        let (skill, registry) = (self.name(), source.address().to_string());
        let found =
            "its document and the list of versions disagree about which skills it requires".to_owned();
        Err(InstallError::Contradiction { skill, registry, found })
    }

    /// The repository and commit that it was built from.
    pub(crate) fn built_from(&self) -> Option<String> {
        self.facts.provenance.as_ref().map(PublicProvenance::built_from)
    }

    /// What a policy looks at. Asks for the list of files if a rule needs it.
    pub fn subject<'a>(&'a self, source: &'a Source, is_proved: bool, policy: &Policy) -> Subject<'a> {
        let content = self.expected.map(|package| package.content).filter(|_| policy.needs_files());
        let files =
            content.and_then(|content| published_files(source, &self.coordinate, &self.version, &content));
        Subject {
            registry: source.registry(),
            coordinate: &self.coordinate,
            version: &self.version,
            sha256: &self.sha256,
            files: files.map(|files| files.into_iter().map(|(path, mark)| (path, mark.executable)).collect()),
            facts: &self.facts,
            is_proved,
        }
    }

    /// Fails if the policy does not accept the version. `is_proved`: a key that the user trusts has signed it.
    pub fn admit(&self, source: &Source, is_proved: bool) -> Result<(), InstallError> {
        let policy = Policy::load()?;
        let decisions = policy.decisions(&self.subject(source, is_proved, &policy))?;
        let refused = decisions.iter().filter(|decision| !decision.is_accepted);
        let why = |of: &Decision<'_>| format!("{}, and {} has `{}`", of.fact, of.rule.place(), of.rule);
        match refused.map(why).collect::<Vec<_>>().join("; ") {
            none if none.is_empty() => Ok(()),
            why => Err(InstallError::Policy { skill: self.name(), why }),
        }
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

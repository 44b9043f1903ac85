//! Errors of installing, listing and uninstalling.

use std::io;
use std::path::{Path, PathBuf};

use registry::names::{Coordinate, Digest, Slug, Version, did_you_mean};
use registry::package::Refusal;
use registry::transparency_log::ProofError;

use super::skills_folder::differences::Differences;
use crate::project::{Fault, Place};
use crate::{ClientError, SkillReference};

/// Why a skill could not be installed, listed or uninstalled. A `skill` is written as in an
/// argument, with the version where it matters.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages explain the fields")]
#[non_exhaustive]
pub enum InstallError {
    /// The registry could not be asked, or does not have the skill.
    #[error(transparent)]
    Source(#[from] ClientError),
    /// Two documents of the registry, or a document and the package, contradict each other.
    #[error("{registry} contradicts itself about {skill}: {found}. Nothing was changed")]
    Contradiction { skill: String, registry: String, found: String },
    /// The registry lists the version, but has no package for it.
    #[error("{registry} has no package for {skill}, though it lists the version")]
    NoPackage { skill: String, registry: String },
    /// The package is too large to unpack in memory.
    #[error("the package of {skill} at {registry} has {size} bytes, more than the limit of {most} bytes")]
    TooLarge { skill: String, registry: String, size: u64, most: u64 },
    /// The downloaded bytes are not the package.
    #[error("{registry} did not send the package of {skill}: {found}. Nothing was changed")]
    NotThePackage { skill: String, registry: String, found: String },
    /// The package has the right digest, but is damaged or hostile.
    #[error("the package of {skill} from {registry} is refused: {refusal}. Nothing was changed")]
    Refused { skill: String, registry: String, refusal: Refusal },
    /// A path that must be a folder is something else.
    #[error("{} is {found}, not a folder: move it away, or use another --dir", .path.display())]
    NotAFolder { path: PathBuf, found: &'static str },
    /// A part of a relative path is a symbolic link.
    #[error(
        "{} is a symbolic link, and may lead out of the project: replace it with a folder, or name the folder \
         that you mean by its absolute path with --dir", .link.display()
    )]
    LinkInProject { link: PathBuf },
    /// The folder of the skill exists, but is not in the record.
    #[error(
        "{} exists, and nothing says that skillmirror has installed these files: move it away, or use another --dir",
        .path.display()
    )]
    NotOurs { path: PathBuf },
    /// The folder holds another skill with the same slug.
    #[error(
        "{} holds {}, which {} would overwrite: give it a folder of another name with `--as {}-{}`, use another \
         --dir, or uninstall that skill first",
        .path.display(), SkillReference::argument(.holds), SkillReference::argument(.wanted),
        .wanted.namespace, .wanted.slug
    )]
    OtherSkill { path: PathBuf, holds: Coordinate, wanted: Coordinate },
    /// The skill was installed from another registry.
    #[error(
        "{skill} was installed from {recorded}, not from {asked}: use --force if you trust {asked} with this name"
    )]
    OtherRegistry { skill: String, recorded: String, asked: String },
    /// The registry has changed the content of a version.
    #[error(
        "{skill} was installed with sha256 {recorded}, but {registry} now has {now}: versions must never \
         change, so ask the operator of the registry. Use --force to install what the registry has now"
    )]
    OtherContent { skill: String, recorded: Digest, registry: String, now: Digest },
    /// A lock file has another digest for a version than the registry.
    #[error(
        "skills.lock has another digest for {skill} than {registry}: {found}. Versions never change, so somebody has \
         changed the lock file or the registry: compare skills.lock with its history in version control. Nothing was \
         changed"
    )]
    LockDiffers { skill: String, registry: String, found: String },
    /// The policy does not accept the version.
    #[error(
        "the policy refuses {skill}: {why}. `skillmirror policy check` explains each rule. Nothing was changed"
    )]
    Policy { skill: String, why: String },
    /// The signed history names another provenance, or other requirements, than the registry.
    #[error("{skill} is refused: {found}. Nothing was changed")]
    Provenance { skill: String, found: String },
    /// What skills require of each other cannot be installed together.
    #[error("{why}. Nothing was changed; `--no-deps` installs a skill without what it requires")]
    Requirements { why: String },
    /// A file of the project cannot be used.
    #[error("{}: {fault}", .path.display())]
    Project { path: PathBuf, fault: Fault },
    /// Nothing says what to install.
    #[error(
        "this folder has no skills.lock and no skills.toml: name a skill, as in `skillmirror install hello`, or go to \
         the folder of your project"
    )]
    NoProject,
    /// The folder of a skill would be in that of another.
    #[error("one of the folders {place} and {other} is in the other: use another --dir or --as")]
    Overlap { place: Place, other: Place },
    /// The lock file does not say what the project wants.
    #[error("skills.lock is not up to date: {why}. Run the command without --locked, and commit skills.lock")]
    LockOutdated { why: String },
    /// The registry has only an earlier version than the locked one.
    #[error(
        "{skill} {locked} is locked, and the newest version there is {found}: perhaps this copy of the registry is \
         outdated. Use --force to go back to {found}"
    )]
    Earlier { skill: String, locked: Version, found: Version },
    /// A named skill is not in the project or folder.
    #[error("no skill `{name}` is installed here{}", not_installed(.near))]
    NotLocked { name: String, near: Vec<String> },
    /// A skill was changed after it was installed.
    #[error(
        "{} was changed since it was installed: {files}. {}", .path.display(), .files.remedy(.path)
    )]
    Changed { path: PathBuf, files: Differences },
    /// The files are those of the record, but not those of the registry.
    #[error(
        "{} is not {skill} as {registry} has it, though its installation record says so: {files}. {}",
        .path.display(), .files.remedy(.path)
    )]
    NotAsPublished { path: PathBuf, skill: String, registry: String, files: Differences },
    /// The record of installed skills cannot be parsed.
    #[error(
        "the record of installed skills {} is damaged: {why}. Move it away, then install each skill again: folders \
         with the published files stay", .path.display()
    )]
    RecordDamaged { path: PathBuf, why: String },
    /// The record is not a plain file of limited size.
    #[error(
        "the record of installed skills {} is refused: {why}. Remove it, then run `skillmirror install`",
        .path.display()
    )]
    RecordRefused { path: PathBuf, why: String },
    /// The record was written by a newer program.
    #[error("{} has format version {version}: upgrade skillmirror to read it", .path.display())]
    RecordUnknown { path: PathBuf, version: u64 },
    /// The skill to uninstall is not installed.
    #[error("no skill `{slug}` is installed in {}{}", .folder.display(), not_installed(.near))]
    NotInstalled { slug: Slug, folder: PathBuf, near: Vec<String> },
    /// The folder to uninstall is not in the record.
    #[error("nothing says that skillmirror has installed {}: remove it yourself", .path.display())]
    NotRecorded { path: PathBuf },
    /// The folder to uninstall holds another skill.
    #[error("{} holds {}, not {}: nothing was removed", .path.display(), SkillReference::argument(.holds), SkillReference::argument(.wanted))]
    HoldsOther { path: PathBuf, holds: Coordinate, wanted: Coordinate },
    /// There is no proof. `remedy` says where to get one.
    #[error("{} has no proof that a signed history has it: {remedy}", .path.display())]
    NoProof { path: PathBuf, remedy: String },
    /// The proof does not hold.
    #[error("{} is not proved", .path.display())]
    FalseProof {
        path: PathBuf,
        #[source]
        why: ProofError,
    },
    /// The files are not those that the row names.
    #[error("{} is not what the signed history has: {found}", .path.display())]
    NotTheRow { path: PathBuf, found: String },
    /// A file operation failed.
    #[error("{doing} {}", .path.display())]
    Files {
        doing: &'static str,
        path: PathBuf,
        #[source]
        why: io::Error,
    },
}

/// The remedy for a name that is not installed: names like it, or the list of all.
fn not_installed(near: &[String]) -> String {
    match near {
        [] => ": `skillmirror list` shows what is".to_owned(),
        near => did_you_mean(near),
    }
}

impl InstallError {
    /// The error for a digest, such as the `sha256`, that a lock file and a registry have differently.
    pub(crate) fn lock_differs(
        skill: String,
        registry: String,
        what: &str,
        locked: &Digest,
        found: &Digest,
    ) -> Self {
        Self::LockDiffers {
            skill,
            registry,
            found: format!("its {what} digest is {locked}, and there {found}"),
        }
    }

    /// The error code for programs.
    pub fn code(&self) -> &str {
        match self {
            Self::Source(why) => why.code(),
            Self::Contradiction { .. } => "contradiction",
            Self::NoPackage { .. } => "no_package",
            Self::TooLarge { .. } => "too_large",
            Self::NotThePackage { .. } => "not_the_package",
            Self::Refused { .. } => "package_refused",
            Self::NotAFolder { .. } | Self::LinkInProject { .. } => "not_a_folder",
            Self::NotOurs { .. } | Self::NotRecorded { .. } => "not_ours",
            Self::OtherSkill { .. } | Self::HoldsOther { .. } => "other_skill",
            Self::OtherRegistry { .. } => "other_registry",
            Self::OtherContent { .. } => "other_content",
            Self::LockDiffers { .. } => "lock_differs",
            Self::Policy { .. } => "policy",
            Self::Provenance { .. } => "provenance",
            Self::Requirements { .. } => "requirements",
            Self::Project { fault, .. } => fault.code(),
            Self::NoProject => "no_project",
            Self::Overlap { .. } => "not_a_folder",
            Self::LockOutdated { .. } => "lock_outdated",
            Self::Earlier { .. } => "earlier_version",
            Self::NotLocked { .. } => "not_locked",
            Self::Changed { .. } | Self::NotAsPublished { .. } => "changed",
            Self::RecordDamaged { .. } | Self::RecordRefused { .. } => "record_damaged",
            Self::RecordUnknown { .. } => "record_unknown",
            Self::NotInstalled { .. } => "not_installed",
            Self::NoProof { .. } => "no_proof",
            Self::FalseProof { .. } | Self::NotTheRow { .. } => "not_proved",
            Self::Files { .. } => "files",
        }
    }
}

/// Makes the error of a file operation. `doing` is the failed operation, like "cannot
/// write".
pub(super) fn at(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> InstallError {
    let path = path.to_owned();
    move |why| InstallError::Files { doing, path, why }
}

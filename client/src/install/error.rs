//! Why something was not installed, listed or taken away.

use std::io;
use std::path::{Path, PathBuf};

use registry::names::{Coordinate, Digest, Slug};
use registry::package::Refusal;

use crate::ClientError;

/// What was found, and what to do: each text is whole sentences for the person
/// who typed the command. A `skill` is written `@namespace/slug`,
/// with its version behind where that matters.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the texts say what the fields are")]
#[non_exhaustive]
pub enum InstallError {
    /// The registry could not be asked, or has no such thing.
    #[error(transparent)]
    Source(#[from] ClientError),
    /// Documents of the registry, or its package, say different things.
    #[error("{registry} contradicts itself about {skill}: {found}. Nothing was changed")]
    Contradiction { skill: String, registry: String, found: String },
    /// The package is not there.
    #[error("{registry} has no package for {skill}, though it resolves to it")]
    NoPackage { skill: String, registry: String },
    /// Nobody keeps that many bytes in memory.
    #[error(
        "{registry} says that the package of {skill} has {size} bytes, which is more than the {most} that are \
         ever read: nothing was fetched"
    )]
    TooLarge { skill: String, registry: String, size: u64, most: u64 },
    /// Other bytes are there.
    #[error("what {registry} sent is not the package of {skill}: {found}. Nothing was changed")]
    NotThePackage { skill: String, registry: String, found: String },
    /// The package is the promised one, and hostile or damaged.
    #[error("the package of {skill} from {registry} is refused: {refusal}. Nothing was changed")]
    Refused { skill: String, registry: String, refusal: Refusal },
    /// Something else is where a folder belongs.
    #[error("{} is {found}, and not a folder: move it away, or give another --dir", .path.display())]
    NotAFolder { path: PathBuf, found: &'static str },
    /// A folder is there that the record does not know.
    #[error(
        "{} is there already, and was not installed by skillmirror: nothing overwrites it. Move it away, or \
         give another --dir", .path.display()
    )]
    NotOurs { path: PathBuf },
    /// Another skill is there.
    #[error(
        "{} holds {}, and {} would overwrite it: give another --dir, or uninstall that one first",
        .path.display(), .holds.scoped(), .wanted.scoped()
    )]
    OtherSkill { path: PathBuf, holds: Coordinate, wanted: Coordinate },
    /// The skill was installed from another registry.
    #[error(
        "{skill} was installed from {recorded}, and would now come from {asked}: if you trust both with this \
         name, say --force"
    )]
    OtherRegistry { skill: String, recorded: String, asked: String },
    /// The registry has other content for a version than before.
    #[error(
        "{skill} was installed with the sha256 {recorded}, and {registry} now says {now}: a version never \
         changes, so ask whoever runs that registry; --force takes what it has now"
    )]
    OtherContent { skill: String, recorded: Digest, registry: String, now: Digest },
    /// Somebody has changed the skill since.
    #[error(
        "{} was changed since it was installed: {files}. Keep a copy of what you want to keep, and say --force",
        .path.display()
    )]
    Changed { path: PathBuf, files: String },
    /// The record cannot be read.
    #[error(
        "{} can't be read ({why}): it says what is installed here. Mend it, or move it and the folders of the \
         skills away and install them anew", .path.display()
    )]
    RecordDamaged { path: PathBuf, why: String },
    /// The record was written by a newer program.
    #[error("{} is of version {version}, which this program does not know: use a newer one", .path.display())]
    RecordUnknown { path: PathBuf, version: u64 },
    /// There is nothing to take away.
    #[error("no skill `{slug}` is installed in {}: `skillmirror list` says what is", .folder.display())]
    NotInstalled { slug: Slug, folder: PathBuf },
    /// What is to be taken away is not known.
    #[error(
        "{} was not installed by skillmirror, which takes away only what it has put there: remove it yourself",
        .path.display()
    )]
    NotRecorded { path: PathBuf },
    /// Another skill than the one to be taken away is there.
    #[error("{} holds {}, and not {}: nothing was taken away", .path.display(), .holds.scoped(), .wanted.scoped())]
    HoldsOther { path: PathBuf, holds: Coordinate, wanted: Coordinate },
    /// A file or folder cannot be used.
    #[error("{}: {doing}: {why}", .path.display())]
    Files { doing: &'static str, path: PathBuf, why: io::Error },
}

impl InstallError {
    /// A word for programs.
    pub fn code(&self) -> &str {
        match self {
            Self::Source(why) => why.code(),
            Self::Contradiction { .. } => "contradiction",
            Self::NoPackage { .. } => "no_package",
            Self::TooLarge { .. } => "too_large",
            Self::NotThePackage { .. } => "not_the_package",
            Self::Refused { .. } => "package_refused",
            Self::NotAFolder { .. } => "not_a_folder",
            Self::NotOurs { .. } => "not_ours",
            Self::OtherSkill { .. } => "other_skill",
            Self::OtherRegistry { .. } => "other_registry",
            Self::OtherContent { .. } => "other_content",
            Self::Changed { .. } => "changed",
            Self::RecordDamaged { .. } => "record_damaged",
            Self::RecordUnknown { .. } => "record_unknown",
            Self::NotInstalled { .. } => "not_installed",
            Self::NotRecorded { .. } => "not_ours",
            Self::HoldsOther { .. } => "other_skill",
            Self::Files { .. } => "files",
        }
    }
}

/// Makes the error of a file operation: `doing` is what failed, as in "it can't
/// be written".
pub(super) fn at(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> InstallError {
    let path = path.to_owned();
    move |why| InstallError::Files { doing, path, why }
}

/// A list in words: the first ten, and how many more.
pub(super) fn listed<T: std::fmt::Display>(all: &[T]) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<String> = all.iter().take(SHOWN).map(T::to_string).collect();
    let text = if shown.is_empty() { "none".to_owned() } else { shown.join(", ") };
    match all.len().saturating_sub(SHOWN) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

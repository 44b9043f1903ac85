//! Git repositories: `/{namespace}/{slug}.git`, and `/{namespace}.git` with all skills of a namespace.

use registry::names::{BundleName, Coordinate, Namespace};

use super::kind::{Cause, Each, Kind, Needs, Shows};
use super::{Document, Subject};
use crate::address::{Format, Stage, parameter};

/// What changes the skills of a namespace, or what its marketplace says of them.
const MEMBERS: &[Cause] =
    &[Cause::Published, Cause::Yanked, Cause::Removed, Cause::Author, Cause::NamespaceUpdated];

/// Names a commit of the pack. A slug has no dot, so no page has this address.
pub static REFS: Kind = refs(
    "{namespace}/{slug}.git/info/refs",
    Each::Skill(|c| Document::Git(RepositoryName::Skill(c), GitFile::Refs)),
    Cause::VERSIONS,
)
.shows(Shows::Latest);

pub static PACK: Kind = pack(
    "{namespace}/{slug}.git/git-upload-pack",
    Each::Skill(|c| Document::Git(RepositoryName::Skill(c), GitFile::Pack)),
    Cause::VERSIONS,
)
.shows(Shows::Latest);

pub static NAMESPACE_REFS: Kind = refs(
    "{namespace}.git/info/refs",
    Each::Namespace(|name| Document::Git(RepositoryName::Namespace(name), GitFile::Refs)),
    MEMBERS,
)
.shows_url();

pub static NAMESPACE_PACK: Kind = pack(
    "{namespace}.git/git-upload-pack",
    Each::Namespace(|name| Document::Git(RepositoryName::Namespace(name), GitFile::Pack)),
    MEMBERS,
)
.shows_url();

pub static BUNDLE_REFS: Kind = refs(
    "{namespace}/+{bundle}.git/info/refs",
    Each::Bundle(|name| Document::Git(RepositoryName::Bundle(name), GitFile::Refs)),
    &[Cause::Bundle],
)
.shows_url();

pub static BUNDLE_PACK: Kind = pack(
    "{namespace}/+{bundle}.git/git-upload-pack",
    Each::Bundle(|name| Document::Git(RepositoryName::Bundle(name), GitFile::Pack)),
    &[Cause::Bundle],
)
.shows_url();

const fn refs(file: &'static str, each: Each, changed: &'static [Cause]) -> Kind {
    let kind = Kind::file("the refs of a git repository", file, Format::GitRefs);
    kind.each(each, Stage::GitRefs, changed).needs(Needs::Repository).may_lag()
}

const fn pack(file: &'static str, each: Each, changed: &'static [Cause]) -> Kind {
    let kind = Kind::file("the pack of a git repository", file, Format::GitPack);
    kind.each(each, Stage::GitPack, changed).needs(Needs::Repository).may_lag()
}

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&REFS, &PACK, &NAMESPACE_REFS, &NAMESPACE_PACK, &BUNDLE_REFS, &BUNDLE_PACK];

/// What a repository has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RepositoryName {
    /// The latest version of a skill.
    Skill(Coordinate),
    /// The latest versions of the skills of a namespace.
    Namespace(Namespace),
    /// The skills of a bundle.
    Bundle(BundleName),
}

impl RepositoryName {
    /// How messages name it.
    pub fn shown(&self) -> String {
        match self {
            Self::Skill(c) => c.scoped(),
            Self::Namespace(name) => format!("@{name}"),
            Self::Bundle(name) => name.to_string(),
        }
    }

    /// Its kind of refs and of packs, and its subject.
    pub(super) fn kind_and_subject(&self, file: GitFile) -> (&'static Kind, Subject<'_>) {
        match (self, file) {
            (Self::Skill(c), GitFile::Refs) => (&REFS, Subject::Skill(c)),
            (Self::Skill(c), GitFile::Pack) => (&PACK, Subject::Skill(c)),
            (Self::Namespace(name), GitFile::Refs) => (&NAMESPACE_REFS, Subject::Namespace(name)),
            (Self::Namespace(name), GitFile::Pack) => (&NAMESPACE_PACK, Subject::Namespace(name)),
            (Self::Bundle(name), GitFile::Refs) => (&BUNDLE_REFS, Subject::Bundle(name)),
            (Self::Bundle(name), GitFile::Pack) => (&BUNDLE_PACK, Subject::Bundle(name)),
        }
    }
}

/// A response of a repository, at the path below its URL that git asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GitFile {
    /// The refs: which commit is the latest one.
    Refs,
    /// The pack: the commit and its files.
    Pack,
}

/// The query with which git asks for the refs of a repository to read.
pub(super) const SERVICE: &str = "?service=git-upload-pack";

impl Document {
    /// Whether a path leads into a repository, even if it has nothing there.
    pub fn is_in_repository(path: &str) -> bool {
        path.split('/').skip(1).take(2).any(|name| name.ends_with(".git"))
    }

    /// Whether git asks for a repository, at whichever address.
    pub fn is_wanted_by_git(path: &str, query: &str) -> bool {
        let service = parameter(query, "service");
        path.ends_with("/info/refs") && service.is_some_and(|name| name.starts_with("git-"))
    }
}

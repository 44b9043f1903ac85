//! Git repositories: `/{namespace}/{slug}.git`.

use super::Document;
use super::kind::{Cause, Each, Kind, Needs, Shows};
use crate::address::{Format, Stage, parameter};

/// Names a commit of the pack. A slug has no dot, so no page has this address.
pub static REFS: Kind =
    Kind::file("the refs of a git repository", "{namespace}/{slug}.git/info/refs", Format::GitRefs)
        .each(Each::Skill(|c| Document::Git(c, GitFile::Refs)), Stage::GitRefs, Cause::VERSIONS)
        .shows(Shows::Latest)
        .needs(Needs::Repository)
        .may_lag();

pub static PACK: Kind =
    Kind::file("the pack of a git repository", "{namespace}/{slug}.git/git-upload-pack", Format::GitPack)
        .each(Each::Skill(|c| Document::Git(c, GitFile::Pack)), Stage::GitPack, Cause::VERSIONS)
        .shows(Shows::Latest)
        .needs(Needs::Repository)
        .may_lag();

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&REFS, &PACK];

/// A response of a repository, at the path below its URL that git asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GitFile {
    /// The refs: which commit is the latest version.
    Refs,
    /// The pack: the commit and its files.
    Pack,
}

/// The query with which git asks for the refs of a repository to read.
pub(super) const SERVICE: &str = "?service=git-upload-pack";

impl Document {
    /// Whether a path leads into a repository, even if it has nothing there.
    pub fn is_in_repository(path: &str) -> bool {
        path.split('/').nth(2).is_some_and(|name| name.ends_with(".git"))
    }

    /// Whether git asks for a repository, at whichever address.
    pub fn is_wanted_by_git(path: &str, query: &str) -> bool {
        let service = parameter(query, "service");
        path.ends_with("/info/refs") && service.is_some_and(|name| name.starts_with("git-"))
    }
}

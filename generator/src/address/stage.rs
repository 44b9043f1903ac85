//! The order in which documents are written.
//!
//! The kinds of documents decide it alone, so it is the same for one change, a rebuild and a mirror.

use std::cmp::Reverse;

/// The order of writing. A document is written after all documents that it refers to: in a later
/// stage, or in the same one after them.
///
/// Back links do not count: from a skill to its namespace, from a version to its skill and to the version
/// before it, from a page of a list to the one before it, or to the start page. Their targets usually exist already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Packages at their immutable address, and the files that pages load.
    Package,
    /// The same packages at the address for third-party clients: hard links to the first.
    PackageLink,
    /// Documents about one version.
    Version,
    /// What tags and the latest version resolve to, and these packages.
    Pointer,
    /// The record of a skill, and the list of its versions.
    Skill,
    /// The Markdown of a skill.
    SkillMarkdown,
    /// The pages of a skill's versions.
    VersionPage,
    /// The page of a skill.
    SkillPage,
    /// The page of a global skill, which may link to the skill that it was promoted from.
    GlobalSkillPage,
    /// The packs of git repositories.
    GitPack,
    /// The refs of git repositories, which name a commit of the pack.
    GitRefs,
    /// Pieces of the search index.
    Piece,
    /// The record of a namespace or bundle.
    Namespace,
    /// Lists, search results and the manifest of the search index.
    List,
    /// Pages of the skills of a namespace.
    NamespacePage,
    /// Pages of the list of namespaces.
    NamespacesPage,
    /// The start page and other pages that exist once.
    HomePage,
    /// Counters, settings, the feed, and the tiles of the transparency log.
    Feed,
    /// What is signed: the checkpoint of the transparency log, and the statement about the epoch.
    Checkpoint,
    /// The head.
    Head,
}

/// When documents are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Before a write is answered: the documents of a skill and of its versions.
    Own,
    /// Soon after, for all writes of that time together: everything that shows several skills, and
    /// git repositories, because packs are large.
    Shared,
}

impl Stage {
    /// The last stage of [`Tier::Own`].
    pub(crate) const LAST_OWN: Self = Self::GlobalSkillPage;

    /// The tier of its documents.
    pub fn tier(self) -> Tier {
        if self <= Self::LAST_OWN { Tier::Own } else { Tier::Shared }
    }
}

/// The place of a document in the order of writing. Documents of equal rank do not refer to each
/// other.
///
/// A page of a list refers to the next one, so the last page comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// The stage.
    pub stage: Stage,
    page: Reverse<u64>,
}

impl Rank {
    /// `page` is 0 for a document that is no page of a list.
    pub(super) fn new(stage: Stage, page: u64) -> Self {
        Self { stage, page: Reverse(page) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::address::of_file;

    #[test]
    fn documents_rank_after_those_they_refer_to() {
        let files = [
            "api/v1/skills/team/s/versions/1.0.0/download.zip",
            "api/v1/download/team--s/1.0.0.zip",
            "api/v1/skills/team/s/versions/1.0.0.json",
            "api/v1/skills/team/s/resolve.json",
            "api/v1/skills/team/s.json",
            "team/s/index.md",
            "team/s/1.0.0/index.html",
            "team/s/index.html",
            "global/s/index.html",
            "team/s.git/git-upload-pack",
            "team/s.git/info/refs",
            "api/v1/namespaces/team.json",
            "api/v1/skills/_list/_all/name-4.json",
            "api/v1/skills/_list/_all/name-3.json",
            "api/v1/skills.json",
            "team/_pd/index.html",
            "team/_p/index.html",
            "team/index.html",
            "namespaces/index.html",
            "sitemap/t.xml",
            "index.html",
            "api/v1/log/tile/entries/000.p/3",
            "api/v1/log/checkpoint",
            "api/v1/mirror/head.json",
        ];
        let rank = |file| of_file(file).unwrap().0.rank();
        let ranks = files.map(rank);
        assert!(ranks.is_sorted_by(|before, after| before < after), "{ranks:?}");
        assert!(rank("api/v1/bundles/team/b.json") < rank("team/+b/index.html"));
    }
}

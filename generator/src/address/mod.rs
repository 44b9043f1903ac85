//! The address book: every document, and where it is.
//!
//! Every document is a variant of [`Document`], and a match arm here decides each part of its
//! address. [`locate`] is the inverse. No other code builds a path of the tree.
//!
//! A request for `P` reads the file `P.json` (documents) or `P.zip` (packages), so a resource never
//! collides with the folder of its children. A page's address ends in a slash; its file is the
//! `index.html` of that folder. Queries become paths, many with a segment that begins with `_`, which
//! no name does. Most queries have no file: the server renders their answers.

mod agent_address;
mod asset;
mod clawhub;
#[cfg(feature = "writer")]
pub(crate) mod existing_pages;
#[cfg(feature = "writer")]
mod exists;
mod format;
mod git_file;
mod lists;
mod locate;
mod path;
mod query;
pub(crate) mod skill;
mod stage;
mod web_page;

use registry::names::{Coordinate, Namespace, TagName, Version};
pub use registry::transparency_log::LogTile;

use crate::search::PieceName;

pub use asset::AssetPath;
pub use clawhub::ClawhubDocument;
#[cfg(feature = "writer")]
pub(crate) use exists::file_pages;
#[cfg(feature = "writer")]
pub use exists::{Part, documents, exists, of_part, parts};
pub use format::{Format, Lifetime, MISSING_CACHE_CONTROL};
pub use git_file::GitFile;
pub use lists::{FoundSkills, KeywordList, SearchPage, SkillList};
pub use locate::{Form, locate, of_file};
pub use query::{MAX_QUERY_LENGTH, QueryError, paging, parameter};
pub use stage::{Rank, Stage, Tier};
pub use web_page::{WebPage, lacks_slash};

/// The default number of items on a page of a list.
pub const DEFAULT_SIZE: u64 = 20;

/// The version that a resolution or download asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pointer {
    /// An exact version.
    Version(Version),
    /// The version that a tag points to; `latest` is a tag.
    Tag(TagName),
}

impl std::fmt::Display for Pointer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Version(version) => version.fmt(f),
            Self::Tag(tag) => tag.fmt(f),
        }
    }
}

/// A document: anything that the public can fetch.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Document {
    /// A version's package.
    Package(Coordinate, Version),
    /// A version's package, at the address that third-party clients use.
    CompatPackage(Coordinate, Pointer),
    /// The package of the latest version.
    LatestPackage(Coordinate),
    /// A version and its front matter.
    Version(Coordinate, Version),
    /// The list of a version's files.
    Files(Coordinate, Version),
    /// The proof that the transparency log has the version.
    Proof(Coordinate, Version),
    /// The version, digest and download of a skill: those of the latest version by default.
    Resolve(Coordinate, Option<Pointer>),
    /// The resolution of a skill for third-party clients.
    CompatResolve(Coordinate, Option<Pointer>),
    /// A skill.
    Skill(Coordinate),
    /// The list of a skill's versions.
    Versions(Coordinate),
    /// A response of the git repository with the latest version.
    Git(Coordinate, GitFile),
    /// A namespace.
    Namespace(Namespace),
    /// The default list of skills.
    Skills,
    /// A page of a list of skills.
    SkillList(SkillList),
    /// The default list of namespaces.
    Namespaces,
    /// A page of the list of namespaces.
    NamespaceList {
        /// The page number, from 1.
        page: u64,
        /// How many namespaces a page has, 1 to 100.
        size: u64,
    },
    /// The most recently updated skills, in the form of search results.
    Search,
    /// A page of search results.
    SearchPage(SearchPage),
    /// A page of the skills that match a keyword.
    KeywordList(KeywordList),
    /// The list of the search index's current pieces.
    SearchManifest,
    /// A piece of the search index.
    SearchPiece(PieceName),
    /// Search results in the form that `npx skills find` reads.
    FoundSkills(FoundSkills),
    /// The index from which `npx skills` installs a skill.
    AgentSkill(Coordinate),
    /// The index from which `npx skills` installs the skills of a namespace.
    AgentSkills(Namespace),
    /// The skills of a namespace, or of all, for Claude Code.
    Marketplace(Option<Namespace>),
    /// A skill in Markdown, for agents.
    SkillMarkdown(Coordinate),
    /// What this site is and how to use it, for agents.
    LlmsTxt,
    /// The API's base path, for clients.
    Discovery,
    /// The OpenAPI description.
    OpenApi,
    /// A shard of the published counters.
    Counters(u8),
    /// The settings that the tree depends on.
    Settings,
    /// A page of the mirror feed.
    Feed(u64),
    /// A tile of the transparency log.
    LogTile(LogTile),
    /// The signed size and root of the transparency log.
    Checkpoint,
    /// What is signed about the epoch, if a backup was restored.
    EpochStatement,
    /// The keys that sign checkpoints.
    RegistryKeys,
    /// The revision up to which the tree is complete.
    Head,
    /// A document of the ClawHub dialect.
    Clawhub(ClawhubDocument),
    /// A file that pages load.
    Asset(AssetPath),
    /// A page for browsers.
    Page(WebPage),
}

impl Document {
    /// The format of its file.
    pub fn format(&self) -> Format {
        match self {
            Self::Package(..) | Self::CompatPackage(..) | Self::LatestPackage(_) => Format::Zip,
            Self::SearchManifest | Self::SearchPiece(_) => Format::Binary,
            Self::Git(_, GitFile::Refs) => Format::GitRefs,
            Self::Git(_, GitFile::Pack) => Format::GitPack,
            Self::Page(_) => Format::Html,
            Self::SkillMarkdown(_) => Format::Markdown,
            Self::LlmsTxt => Format::Text,
            Self::LogTile(_) => Format::Tile,
            Self::Checkpoint | Self::EpochStatement | Self::Proof(..) => Format::Note,
            Self::Asset(asset) => Format::of_name(asset.as_str()).unwrap_or(Format::Binary),
            _ => Format::Json,
        }
    }

    /// How long caches may keep it.
    pub fn lifetime(&self) -> Lifetime {
        match self {
            Self::Package(..)
            | Self::CompatPackage(_, Pointer::Version(_))
            | Self::SearchPiece(_)
            | Self::Asset(_) => Lifetime::Immutable,
            Self::LogTile(tile) if tile.is_full() => Lifetime::Immutable,
            _ => Lifetime::Short,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;

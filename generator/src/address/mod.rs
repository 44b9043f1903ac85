//! The address book: everything the public can ever fetch, and where it is.
//!
//! Every document is a variant of [`Document`], and every fact about its
//! address a match arm here; [`locate`] is the inverse. Nothing else in the
//! project puts a path of the tree together.
//!
//! A read of path `P` is the file `P.json` (documents) or `P.zip` (packages),
//! so that a resource and the folder of its children never collide; that of a
//! page, which ends in a slash, is the `index.html` of that folder. Queries
//! become paths in segments that begin with `_` and so can be no name. What
//! answers a query that no path is made of has no file, and is only rendered.

mod asset;
mod exists;
mod format;
mod lists;
mod locate;
mod path;
mod query;
pub(crate) mod site;
mod web_page;

use registry::names::{Coordinate, Namespace, TagName, Version};

use crate::search::PieceName;

pub use asset::AssetPath;
pub use exists::{Unit, exists, for_each, of_unit, units};
pub use format::{Format, Lifetime};
pub use lists::{KeywordList, SearchPage, SkillList};
pub use locate::{Form, locate, of_file};
pub use query::{MAX_QUERY_LENGTH, QueryError, paging, parameter};
pub use web_page::{WebPage, lacks_slash};

/// How many items a page of a list has when nobody says.
pub const DEFAULT_SIZE: u64 = 20;

/// What a resolution or download asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pointer {
    /// That version.
    Version(Version),
    /// What a tag points to; `latest` is one.
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

/// Anything that the public can fetch.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Document {
    /// A version's package.
    Package(Coordinate, Version),
    /// The same, where third-party clients look for it.
    CompatPackage(Coordinate, Pointer),
    /// The package of the latest version.
    LatestPackage(Coordinate),
    /// A version with its front matter.
    Version(Coordinate, Version),
    /// A version's files.
    Files(Coordinate, Version),
    /// What a name stands for: the latest version where nothing is asked for.
    Resolve(Coordinate, Option<Pointer>),
    /// The same, for third-party clients.
    CompatResolve(Coordinate, Option<Pointer>),
    /// A skill.
    Skill(Coordinate),
    /// A skill's versions.
    Versions(Coordinate),
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
        /// Which page, from 1.
        page: u64,
        /// How many namespaces a page has, 1 to 100.
        size: u64,
    },
    /// The newest skills, in the form of search.
    Search,
    /// A page of what a query finds.
    SearchPage(SearchPage),
    /// A page of the skills that a keyword finds.
    KeywordList(KeywordList),
    /// Which pieces of the search index there are now.
    SearchManifest,
    /// A piece of the search index.
    SearchPiece(PieceName),
    /// Where clients find the API.
    Discovery,
    /// What the API is, for programs.
    OpenApi,
    /// A shard of the published counters.
    Counters(u8),
    /// What the tree depends on besides the feed.
    Settings,
    /// A page of the mirror feed.
    Feed(u64),
    /// Up to where the tree is complete.
    Head,
    /// A file that pages load.
    Asset(AssetPath),
    /// A page for browsers. Of the documents of one stage these are the last, for
    /// they lead to others.
    Page(WebPage),
}

/// The steps of an update, in their order: what a document refers to is
/// written in an earlier step than the document, or in the same one before it.
/// (What a page leads back to, from a skill to its namespace, from a page of a list
/// to the one before it and from anywhere to where one begins, is not meant: it was
/// there before, but for a moment where all of it is new.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Versioned packages, and the files that pages load.
    Package,
    /// What is said about one version.
    Version,
    /// What is said about one skill or namespace, and packages without a
    /// version in their address.
    Skill,
    /// Pieces of the search index, which lead to skills.
    Piece,
    /// Lists, the manifest of the search index, and the pages that lead to skills.
    List,
    /// Counters, settings and feed.
    Feed,
    /// The head, last.
    Head,
}

impl Stage {
    /// All of them in order.
    pub const ALL: [Self; 7] =
        [Self::Package, Self::Version, Self::Skill, Self::Piece, Self::List, Self::Feed, Self::Head];
}

impl Document {
    /// What its file is.
    pub fn format(&self) -> Format {
        match self {
            Self::Package(..) | Self::CompatPackage(..) | Self::LatestPackage(_) => Format::Zip,
            Self::SearchManifest | Self::SearchPiece(_) => Format::Binary,
            Self::Page(_) => Format::Html,
            Self::Asset(asset) => Format::of_name(asset.as_str()).unwrap_or(Format::Binary),
            _ => Format::Json,
        }
    }

    /// How long a copy of it may be used.
    pub fn lifetime(&self) -> Lifetime {
        match self {
            Self::Package(..)
            | Self::CompatPackage(_, Pointer::Version(_))
            | Self::SearchPiece(_)
            | Self::Asset(_) => Lifetime::Immutable,
            _ => Lifetime::Short,
        }
    }

    /// The skill it is about.
    pub fn coordinate(&self) -> Option<&Coordinate> {
        match self {
            Self::Package(c, _)
            | Self::CompatPackage(c, _)
            | Self::LatestPackage(c)
            | Self::Version(c, _)
            | Self::Files(c, _)
            | Self::Resolve(c, _)
            | Self::CompatResolve(c, _)
            | Self::Skill(c)
            | Self::Versions(c) => Some(c),
            Self::Namespace(_)
            | Self::Skills
            | Self::SkillList(_)
            | Self::Namespaces
            | Self::NamespaceList { .. }
            | Self::Search
            | Self::SearchPage(_)
            | Self::KeywordList(_)
            | Self::SearchManifest
            | Self::SearchPiece(_)
            | Self::Discovery
            | Self::OpenApi
            | Self::Counters(_)
            | Self::Settings
            | Self::Feed(_)
            | Self::Head
            // It is gone like any other page: a host knows no more.
            | Self::Page(_)
            | Self::Asset(_) => None,
        }
    }

    /// The version that it is asked for by.
    pub fn version(&self) -> Option<&Version> {
        match self {
            Self::Package(_, version)
            | Self::Version(_, version)
            | Self::Files(_, version)
            | Self::CompatPackage(_, Pointer::Version(version))
            | Self::Resolve(_, Some(Pointer::Version(version)))
            | Self::CompatResolve(_, Some(Pointer::Version(version))) => Some(version),
            _ => None,
        }
    }

    /// The step in which it is written.
    pub fn stage(&self) -> Stage {
        match self {
            Self::Package(..) | Self::CompatPackage(_, Pointer::Version(_)) | Self::Asset(_) => {
                Stage::Package
            }
            Self::Version(..)
            | Self::Files(..)
            | Self::Resolve(_, Some(Pointer::Version(_)))
            | Self::CompatResolve(_, Some(Pointer::Version(_))) => Stage::Version,
            Self::CompatPackage(_, Pointer::Tag(_))
            | Self::LatestPackage(_)
            | Self::Resolve(_, None | Some(Pointer::Tag(_)))
            | Self::CompatResolve(_, None | Some(Pointer::Tag(_)))
            | Self::Skill(_)
            | Self::Versions(_)
            | Self::Namespace(_)
            | Self::Page(WebPage::Skill(_)) => Stage::Skill,
            Self::SearchPiece(_) => Stage::Piece,
            Self::Skills
            | Self::SkillList(_)
            | Self::Namespaces
            | Self::NamespaceList { .. }
            | Self::Search
            | Self::SearchPage(_)
            | Self::KeywordList(_)
            | Self::SearchManifest
            | Self::Discovery
            | Self::OpenApi
            | Self::Page(_) => Stage::List,
            Self::Counters(_) | Self::Settings | Self::Feed(_) => Stage::Feed,
            Self::Head => Stage::Head,
        }
    }
}

#[cfg(test)]
mod tests;

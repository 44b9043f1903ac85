//! The address book: everything the public can ever fetch, and where it is.
//!
//! Every document is a variant of [`Document`], and every fact about its
//! address a match arm here; [`locate`] is the inverse. Nothing else in the
//! project puts a path of the tree together.
//!
//! A read of path `P` is the file `P.json` (documents) or `P.zip` (packages),
//! so that a resource and the folder of its children never collide. Queries
//! become paths in segments that begin with `_` and so can be no name.

mod exists;
mod locate;

use registry::names::{Coordinate, Namespace, TagName, Version};
use registry::public::Sort;

pub use exists::{Unit, exists, for_each, of_unit, units};
pub use locate::{Form, QueryError, locate, of_file, paging};

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

/// A page of a list of skills.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillList {
    /// Of one namespace, or of all.
    pub namespace: Option<Namespace>,
    /// In which order.
    pub sort: Sort,
    /// Which page, from 1.
    pub page: u64,
    /// How many skills a page has, 1 to 100.
    pub size: u64,
}

impl SkillList {
    /// The list that is asked for by asking for nothing.
    pub fn default_page() -> Self {
        Self { namespace: None, sort: Sort::Updated, page: 1, size: DEFAULT_SIZE }
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
    /// Where clients find the API.
    Discovery,
    /// A shard of the published counters.
    Counters(u8),
    /// What the tree depends on besides the feed.
    Settings,
    /// A page of the mirror feed.
    Feed(u64),
    /// Up to where the tree is complete.
    Head,
}

/// The steps of an update, in their order: what a document refers to is
/// written in an earlier step than the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Versioned packages.
    Package,
    /// What is said about one version.
    Version,
    /// What is said about one skill or namespace, and packages without a
    /// version in their address.
    Skill,
    /// Lists.
    List,
    /// Counters, settings and feed.
    Feed,
    /// The head, last.
    Head,
}

impl Stage {
    /// All of them in order.
    pub const ALL: [Self; 6] =
        [Self::Package, Self::Version, Self::Skill, Self::List, Self::Feed, Self::Head];
}

/// What a file is, which is also its suffix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A JSON document.
    Json,
    /// A package.
    Zip,
}

/// What a compressed form's file has behind the document's own suffix.
const GZIP: &str = ".gz";

impl Format {
    /// The suffix of its files.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Json => ".json",
            Self::Zip => ".zip",
        }
    }

    /// Its media type.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Zip => "application/zip",
        }
    }
}

/// How long a copy of a document may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// The bytes at this address never change.
    Immutable,
    /// They may change at any time.
    Short,
}

impl Document {
    /// What its file is.
    pub fn format(&self) -> Format {
        match self {
            Self::Package(..) | Self::CompatPackage(..) | Self::LatestPackage(_) => Format::Zip,
            _ => Format::Json,
        }
    }

    /// How long a copy of it may be used.
    pub fn lifetime(&self) -> Lifetime {
        match self {
            Self::Package(..) | Self::CompatPackage(_, Pointer::Version(_)) => Lifetime::Immutable,
            _ => Lifetime::Short,
        }
    }

    /// The step in which it is written.
    pub fn stage(&self) -> Stage {
        match self {
            Self::Package(..) | Self::CompatPackage(_, Pointer::Version(_)) => Stage::Package,
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
            | Self::Namespace(_) => Stage::Skill,
            Self::Skills
            | Self::SkillList(_)
            | Self::Namespaces
            | Self::NamespaceList { .. }
            | Self::Discovery => Stage::List,
            Self::Counters(_) | Self::Settings | Self::Feed(_) => Stage::Feed,
            Self::Head => Stage::Head,
        }
    }

    /// Its path relative to the origin, without suffix where one is appended.
    fn stem(&self) -> String {
        let skill = |c: &Coordinate| format!("api/v1/skills/{}/{}", c.namespace, c.slug);
        match self {
            Self::Package(c, version) => format!("{}/versions/{version}/download", skill(c)),
            Self::CompatPackage(c, pointer) => format!("api/v1/download/{c}/{pointer}"),
            Self::LatestPackage(c) => format!("{}/download", skill(c)),
            Self::Version(c, version) => format!("{}/versions/{version}", skill(c)),
            Self::Files(c, version) => format!("{}/versions/{version}/files", skill(c)),
            Self::Resolve(c, None) => format!("{}/resolve", skill(c)),
            Self::Resolve(c, Some(Pointer::Version(version))) => {
                format!("{}/resolve/_version/{version}", skill(c))
            }
            Self::Resolve(c, Some(Pointer::Tag(tag))) => format!("{}/resolve/_tag/{tag}", skill(c)),
            Self::CompatResolve(c, None) => format!("api/v1/resolve/{c}"),
            Self::CompatResolve(c, Some(pointer)) => format!("api/v1/resolve/{c}/{pointer}"),
            Self::Skill(c) => skill(c),
            Self::Versions(c) => format!("{}/versions", skill(c)),
            Self::Namespace(namespace) => format!("api/v1/namespaces/{namespace}"),
            Self::Skills => "api/v1/skills".into(),
            Self::SkillList(SkillList { namespace, sort, page, size }) => {
                let namespace = namespace.as_ref().map_or("_all", Namespace::as_str);
                format!("api/v1/skills/_list/{namespace}/{}/{size}/{page}", sort.as_str())
            }
            Self::Namespaces => "api/v1/namespaces".into(),
            Self::NamespaceList { page, size } => format!("api/v1/namespaces/_list/{size}/{page}"),
            Self::Discovery => ".well-known/registry".into(),
            Self::Counters(shard) => format!("api/v1/mirror/counters/{shard:02x}"),
            Self::Settings => "api/v1/mirror/settings".into(),
            Self::Feed(page) => format!("api/v1/mirror/changes/{page}"),
            Self::Head => "api/v1/mirror/head".into(),
        }
    }

    /// Whether the path is served as it is, suffix and all.
    fn is_served_as_file(&self) -> bool {
        matches!(self, Self::Discovery | Self::Counters(_) | Self::Settings | Self::Feed(_) | Self::Head)
    }

    /// Its file in the tree: a relative path with `/`.
    pub fn file(&self) -> String {
        self.stem() + self.format().suffix()
    }

    /// Whether that many bytes of it are worth a compressed form: those of
    /// packages are compressed as they are, and up to 1 KiB is one packet on the
    /// wire either way.
    pub fn is_worth_compressing(&self, length: u64) -> bool {
        self.format() == Format::Json && length > 1024
    }

    /// The file of its compressed form, beside the other. None for packages.
    pub fn gzip_file(&self) -> Option<String> {
        (self.format() == Format::Json).then(|| self.file() + GZIP)
    }

    /// How the API asks for it: a path from the origin, with its query.
    pub fn request(&self) -> String {
        match self {
            Self::Resolve(c, Some(Pointer::Version(version))) => {
                format!("/{}?version={version}", Self::Resolve(c.clone(), None).stem())
            }
            Self::Resolve(c, Some(Pointer::Tag(tag))) => {
                format!("/{}?tag={tag}", Self::Resolve(c.clone(), None).stem())
            }
            Self::CompatResolve(c, None) => format!("/api/v1/resolve?slug={c}"),
            Self::CompatResolve(c, Some(pointer)) => format!("/api/v1/resolve?slug={c}&version={pointer}"),
            Self::SkillList(list) if *list != SkillList::default_page() => {
                let SkillList { namespace, sort, page, size } = list;
                let namespace =
                    namespace.as_ref().map(|name| format!("namespace={name}&")).unwrap_or_default();
                format!("/api/v1/skills?{namespace}sort={}&page={page}&size={size}", sort.as_str())
            }
            Self::NamespaceList { page, size } if (*page, *size) != (1, DEFAULT_SIZE) => {
                format!("/api/v1/namespaces?page={page}&size={size}")
            }
            _ if self.is_served_as_file() => format!("/{}", self.file()),
            _ => format!("/{}", self.stem()),
        }
    }
}

#[cfg(test)]
mod tests;

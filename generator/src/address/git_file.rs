//! Addresses of git repositories: `/{namespace}/{slug}.git`.

use registry::names::Coordinate;

use super::{Document, parameter};

/// A response of a repository, at the path below its URL that git asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GitFile {
    /// The refs: which commit is the latest version.
    Refs,
    /// The pack: the commit and its files.
    Pack,
}

/// The end of a repository's URL. A slug has no dot, so no page has this address.
const SUFFIX: &str = ".git";

/// The query with which git asks for the refs of a repository to read.
const SERVICE: &str = "?service=git-upload-pack";

impl GitFile {
    fn name(self) -> &'static str {
        match self {
            Self::Refs => "info/refs",
            Self::Pack => "git-upload-pack",
        }
    }

    /// The file in the tree.
    pub(super) fn file(self, c: &Coordinate) -> String {
        format!("{}/{}{SUFFIX}/{}", c.namespace, c.slug, self.name())
    }

    /// The path and query that git requests.
    pub(super) fn request(self, c: &Coordinate) -> String {
        let query = if self == Self::Refs { SERVICE } else { "" };
        format!("/{}{query}", self.file(c))
    }

    /// The document at a path of a request or file, without the leading slash.
    pub(super) fn at(relative: &str) -> Option<Document> {
        let (repository, name) = relative.split_once(&format!("{SUFFIX}/"))?;
        let file = [Self::Refs, Self::Pack].into_iter().find(|file| file.name() == name)?;
        let (namespace, slug) = repository.split_once('/')?;
        Some(Document::Git(Coordinate::new(namespace.parse().ok()?, slug.parse().ok()?), file))
    }
}

impl Document {
    /// Whether a path leads into a repository, even if it has nothing there.
    pub fn is_in_repository(path: &str) -> bool {
        path.split('/').nth(2).is_some_and(|name| name.ends_with(SUFFIX))
    }

    /// Whether git asks for a repository, at whichever address.
    pub fn is_wanted_by_git(path: &str, query: &str) -> bool {
        let service = parameter(query, "service");
        path.ends_with("/info/refs") && service.is_some_and(|name| name.starts_with("git-"))
    }
}

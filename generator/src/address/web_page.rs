//! The pages that browsers show, and where they are: each is the `index.html` of
//! a folder, so that any host shows it under an address that ends in a slash.

use registry::names::{Coordinate, Namespace};

use super::Document;
use super::query::MAX_PAGES;

/// A page of the site.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WebPage {
    /// Where one begins.
    Home,
    /// Where a script searches.
    Search,
    /// A page of the list of namespaces, from 1.
    Namespaces(u64),
    /// A page of the skills of a namespace, from 1.
    Namespace(Namespace, u64),
    /// A skill.
    Skill(Coordinate),
    /// What hosts show where nothing is.
    Missing,
}

/// What a folder's page is called. No slug has a dot, so no skill is.
const INDEX: &str = "index.html";

/// Where hosts look for the page that they show where nothing is.
const MISSING: &str = "404.html";

impl WebPage {
    /// Its folder: empty, or a relative path that ends in a slash.
    fn folder(&self) -> String {
        match self {
            Self::Home | Self::Missing => String::new(),
            Self::Search => "search/".into(),
            Self::Namespaces(page) => format!("namespaces/{}", further(*page)),
            Self::Namespace(name, page) => format!("{name}/{}", further(*page)),
            Self::Skill(Coordinate { namespace, slug }) => format!("{namespace}/{slug}/"),
        }
    }

    /// Its file.
    pub(super) fn file(&self) -> String {
        match self {
            Self::Missing => MISSING.into(),
            _ => self.folder() + INDEX,
        }
    }

    /// How browsers ask for it: a path from the origin.
    pub(super) fn request(&self) -> String {
        match self {
            Self::Missing => format!("/{MISSING}"),
            _ => format!("/{}", self.folder()),
        }
    }

    /// The page at a path, which is that of a request or a file without the
    /// slash at its beginning.
    pub(super) fn at(relative: &str) -> Option<Self> {
        let folder = relative.strip_suffix(INDEX).unwrap_or(relative);
        let segments: Vec<_> = match folder.strip_suffix('/') {
            Some(folder) => folder.split('/').collect(),
            None if folder.is_empty() => Vec::new(),
            None => return (relative == MISSING).then_some(Self::Missing),
        };
        Some(match segments[..] {
            [] => Self::Home,
            ["search"] => Self::Search,
            ["namespaces"] => Self::Namespaces(1),
            ["namespaces", "_page", page] => Self::Namespaces(number(page)?),
            [name] => Self::Namespace(name.parse().ok()?, 1),
            [name, "_page", page] => Self::Namespace(name.parse().ok()?, number(page)?),
            [name, slug] => Self::Skill(Coordinate::new(name.parse().ok()?, slug.parse().ok()?)),
            _ => return None,
        })
    }

    /// What leads from its address to the root of the site: as many steps up as
    /// it is deep. (The page that hosts show where nothing is may be shown at any
    /// depth: nothing leads up from there.)
    pub fn root(&self) -> String {
        match self.folder().matches('/').count() {
            0 => "./".into(),
            depth => "../".repeat(depth),
        }
    }

    /// Which page it is, from 1, where it is one of a list.
    pub(super) fn page(&self) -> Option<u64> {
        match self {
            Self::Namespaces(page) | Self::Namespace(_, page) => Some(*page),
            Self::Home | Self::Search | Self::Skill(_) | Self::Missing => None,
        }
    }

    /// Another page of the same list.
    pub(super) fn with_page(&self, page: u64) -> Option<Self> {
        match self {
            Self::Namespaces(_) => Some(Self::Namespaces(page)),
            Self::Namespace(name, _) => Some(Self::Namespace(name.clone(), page)),
            Self::Home | Self::Search | Self::Skill(_) | Self::Missing => None,
        }
    }
}

/// The folder of a page of a list, in the folder of its first one.
fn further(page: u64) -> String {
    if page == 1 { String::new() } else { format!("_page/{page}/") }
}

/// The number of a page behind the first, written in the one way.
fn number(text: &str) -> Option<u64> {
    let page = text.parse::<u64>().ok()?;
    ((2..=MAX_PAGES).contains(&page) && page.to_string() == text).then_some(page)
}

/// Where a path leads that is a page's but for the slash at its end: the page,
/// and its address relative to the path, which stays right below any base path.
pub fn lacks_slash(path: &str) -> Option<(Document, String)> {
    let last = path.rsplit('/').next().filter(|last| !last.is_empty())?;
    let page = WebPage::at(&format!("{}/", path.strip_prefix('/')?))?;
    // A name, so that nothing in it needs to be encoded.
    Some((Document::Page(page), format!("{last}/")))
}

//! Addresses of web pages. Each page is the `index.html` of a folder, so every host serves it under
//! an address that ends in a slash.

use registry::names::{Coordinate, Namespace};

use super::Document;
use super::query::MAX_PAGES;

/// A web page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WebPage {
    /// The start page.
    Home,
    /// The search page.
    Search,
    /// A page of the list of namespaces, from 1.
    Namespaces(u64),
    /// A page of the skills of a namespace, from 1.
    Namespace(Namespace, u64),
    /// The page of a skill.
    Skill(Coordinate),
    /// The page that hosts show for unknown addresses.
    Missing,
}

/// The file of a folder's page. A slug has no dot, so no skill has this name.
const INDEX: &str = "index.html";

/// The file that hosts show for unknown addresses.
const MISSING: &str = "404.html";

impl WebPage {
    /// The folder: empty, or a relative path that ends in a slash.
    fn folder(&self) -> String {
        match self {
            Self::Home | Self::Missing => String::new(),
            Self::Search => "search/".into(),
            Self::Namespaces(page) => format!("namespaces/{}", page_folder(*page)),
            Self::Namespace(name, page) => format!("{name}/{}", page_folder(*page)),
            Self::Skill(Coordinate { namespace, slug }) => format!("{namespace}/{slug}/"),
        }
    }

    /// The file in the tree.
    pub(super) fn file(&self) -> String {
        match self {
            Self::Missing => MISSING.into(),
            _ => self.folder() + INDEX,
        }
    }

    /// The path that browsers request.
    pub(super) fn request(&self) -> String {
        match self {
            Self::Missing => format!("/{MISSING}"),
            _ => format!("/{}", self.folder()),
        }
    }

    /// The page at a path of a request or file, without the leading slash.
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
            ["namespaces", "_page", page] => Self::Namespaces(page_number(page)?),
            [name] => Self::Namespace(name.parse().ok()?, 1),
            [name, "_page", page] => Self::Namespace(name.parse().ok()?, page_number(page)?),
            [name, slug] => Self::Skill(Coordinate::new(name.parse().ok()?, slug.parse().ok()?)),
            _ => return None,
        })
    }

    /// The relative path from the page to the site's root: one `../` per folder. (The not-found
    /// page is shown at any depth and uses another path.)
    pub fn root(&self) -> String {
        match self.folder().matches('/').count() {
            0 => "./".into(),
            depth => "../".repeat(depth),
        }
    }

    /// The page number, if this is a page of a list.
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

/// The subfolder of a list's page. The first page has none.
fn page_folder(page: u64) -> String {
    if page == 1 { String::new() } else { format!("_page/{page}/") }
}

/// Parses a page number above 1, in its only spelling.
fn page_number(text: &str) -> Option<u64> {
    let page = text.parse::<u64>().ok()?;
    ((2..=MAX_PAGES).contains(&page) && page.to_string() == text).then_some(page)
}

/// If a path is the address of a page without its slash: the page, and its address relative to the
/// path. Being relative, it works below any base path.
pub fn lacks_slash(path: &str) -> Option<(Document, String)> {
    let last = path.rsplit('/').next().filter(|last| !last.is_empty())?;
    let page = WebPage::at(&format!("{}/", path.strip_prefix('/')?))?;
    // A valid name needs no encoding.
    Some((Document::Page(page), format!("{last}/")))
}

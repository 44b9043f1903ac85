//! Web pages. Each is the `index.html` of a folder, so every host serves it under an address that ends
//! in a slash.

use registry::names::{Coordinate, Namespace};

use super::kind::{Cause, Each, Kind, Needs};
use super::{Document, KeywordList, Subject};
use crate::address::{Format, Stage, page_number};

pub static HOME: Kind = Kind::page("index.html")
    .each(Each::Once(|| Document::Page(WebPage::Home)), Stage::HomePage, Cause::LISTS)
    .may_lag()
    .shows_url();

pub static SEARCH: Kind = Kind::page("search/index.html")
    .each(Each::Once(|| Document::Page(WebPage::Search)), Stage::HomePage, &[])
    .may_lag()
    .shows_url();

/// The search page with results. Without a server, the script of the page finds them.
pub static FOUND: Kind = Kind::file("a page", "", Format::Html).asked().may_lag();

/// Hosts show it at any depth, so its links start at the origin.
pub static MISSING: Kind = Kind::file("a page", "404.html", Format::Html)
    .each(Each::Once(|| Document::Page(WebPage::Missing)), Stage::HomePage, &[])
    .may_lag()
    .shows_url();

/// The first page of the list. `plan/pages.rs` says which pages of lists a change outdates.
pub static NAMESPACES: Kind = Kind::page("namespaces/index.html")
    .each(
        Each::Values(|at| Some(Document::Page(WebPage::Namespaces(number(at)?)))),
        Stage::NamespacesPage,
        &[],
    )
    .needs(Needs::Page)
    .may_lag()
    .shows_url();

pub static MORE_NAMESPACES: Kind = Kind { file: "namespaces/_page/{page}/index.html", ..NAMESPACES };

/// The first page of a namespace. Archived namespaces have pages too.
pub static NAMESPACE: Kind = Kind::page("{namespace}/index.html")
    .each(Each::Values(namespace), Stage::NamespacePage, &[])
    .needs(Needs::Page)
    .may_lag()
    .shows_url();

pub static MORE_OF_NAMESPACE: Kind = Kind { file: "{namespace}/_page/{page}/index.html", ..NAMESPACE };

/// It shows commands with the public URL.
pub static SKILL: Kind = Kind::page("{namespace}/{slug}/index.html")
    .each(Each::Skill(|c| Document::Page(WebPage::Skill(c))), Stage::SkillPage, Cause::SKILL)
    .shows_url();

/// The page of a global skill, which may link to the skill that it was promoted from.
pub static GLOBAL_SKILL: Kind = Kind { stage: Stage::GlobalSkillPage, ..SKILL };

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[
    &HOME,
    &SEARCH,
    &FOUND,
    &NAMESPACES,
    &MORE_NAMESPACES,
    &NAMESPACE,
    &MORE_OF_NAMESPACE,
    &GLOBAL_SKILL,
    &SKILL,
    &MISSING,
];

fn namespace(values: &[&str]) -> Option<Document> {
    let (name, page) = values.split_first()?;
    Some(Document::Page(WebPage::Namespace(name.parse().ok()?, number(page)?)))
}

/// A web page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WebPage {
    /// The start page.
    Home,
    /// The search page.
    Search,
    /// The search page with the results of a query.
    Found(KeywordList),
    /// A page of the list of namespaces, from 1.
    Namespaces(u64),
    /// A page of the skills of a namespace, from 1.
    Namespace(Namespace, u64),
    /// The page of a skill.
    Skill(Coordinate),
    /// The page that hosts show for unknown addresses.
    Missing,
}

impl WebPage {
    pub(super) fn kind(&self) -> (&'static Kind, Subject<'_>) {
        match self {
            Self::Home => (&HOME, Subject::Registry),
            Self::Search => (&SEARCH, Subject::Registry),
            Self::Found(list) => (&FOUND, Subject::page(None, list.page)),
            Self::Namespaces(1) => (&NAMESPACES, Subject::page(None, 1)),
            Self::Namespaces(page) => (&MORE_NAMESPACES, Subject::page(None, *page)),
            Self::Namespace(name, 1) => (&NAMESPACE, Subject::page(Some(name), 1)),
            Self::Namespace(name, page) => (&MORE_OF_NAMESPACE, Subject::page(Some(name), *page)),
            Self::Skill(c) if c.namespace.is_global() => (&GLOBAL_SKILL, Subject::Skill(c)),
            Self::Skill(c) => (&SKILL, Subject::Skill(c)),
            Self::Missing => (&MISSING, Subject::Registry),
        }
    }

    /// The relative path from the page to the site's root: one `../` per folder. (The not-found
    /// page is shown at any depth and uses another path.)
    pub fn root(&self) -> String {
        let (Kind { file, .. }, _) = match self {
            Self::Found(_) => Self::Search.kind(),
            page => page.kind(),
        };
        match file.matches('/').count() {
            0 => "./".into(),
            depth => "../".repeat(depth),
        }
    }

    /// Another page of the same list.
    pub(crate) fn with_page(&self, page: u64) -> Option<Self> {
        match self {
            Self::Namespaces(_) => Some(Self::Namespaces(page)),
            Self::Namespace(name, _) => Some(Self::Namespace(name.clone(), page)),
            Self::Found(list) => Some(Self::Found(KeywordList { page, ..list.clone() })),
            Self::Home | Self::Search | Self::Skill(_) | Self::Missing => None,
        }
    }
}

/// The page number of the values of a list's page: the first page has none, others have theirs in its
/// only spelling.
fn number(values: &[&str]) -> Option<u64> {
    match values {
        [] => Some(1),
        [text] => page_number(text).filter(|page| *page > 1),
        _ => None,
    }
}

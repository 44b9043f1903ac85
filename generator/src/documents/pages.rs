//! Web pages. Each is the `index.html` of a folder, so every host serves it under an address that ends
//! in a slash.

use registry::names::{BundleName, Coordinate, Namespace, Version};
use registry::public::Sort;

use super::kind::{Cause, Each, Kind, Needs, Shows};
use super::{Document, KeywordList, Prefix, SignedInPage, Subject};
use crate::address::{Format, Stage, page_number};

pub static HOME: Kind = Kind::page("index.html")
    .each(Each::Once(|| Document::Page(WebPage::Home)), Stage::HomePage, Cause::LISTS)
    .may_lag();

pub static SEARCH: Kind = once("search/index.html", || Document::Page(WebPage::Search));

/// How to use the registry.
pub static HELP: Kind = once("help/index.html", || Document::Page(WebPage::Help));

/// The operator's text about the site.
pub static ABOUT: Kind = Kind::page("about/index.html")
    .each(Each::Once(|| Document::Page(WebPage::About)), Stage::HomePage, &[])
    .needs(Needs::About);

/// The description of the API, for people.
pub static API: Kind = once("docs/index.html", || Document::Page(WebPage::Api));

/// The search page with results. Without a server, the script of the page finds them.
pub static FOUND: Kind = Kind::file("a page", "", Format::Html).asked().may_lag();
/// In the order of [`SignedInPage`].
pub static SIGNED_IN: [Kind; 6] = [
    once("login/index.html", || Document::Page(WebPage::SignedIn(SignedInPage::Login))).open(),
    once("me/index.html", || Document::Page(WebPage::SignedIn(SignedInPage::Me))),
    once("publish/index.html", || Document::Page(WebPage::SignedIn(SignedInPage::Publish))),
    once("settings/index.html", || Document::Page(WebPage::SignedIn(SignedInPage::Settings))),
    once("reviews/index.html", || Document::Page(WebPage::SignedIn(SignedInPage::Reviews))),
    once("admin/index.html", || Document::Page(WebPage::SignedIn(SignedInPage::Admin))),
];

/// A page that no change of the registry outdates.
const fn once(file: &'static str, document: fn() -> Document) -> Kind {
    Kind::page(file).each(Each::Once(document), Stage::HomePage, &[])
}

/// Hosts show it at any depth, so its links start at the origin.
pub static MISSING: Kind = Kind::file("a page", "404.html", Format::Html)
    .each(Each::Once(|| Document::Page(WebPage::Missing)), Stage::HomePage, &[])
    .shows_url();

/// The first page of the list. `plan/pages.rs` says which pages of lists a change outdates.
pub static NAMESPACES: Kind = Kind::page("namespaces/index.html")
    .each(
        Each::Values(|at| Some(Document::Page(WebPage::Namespaces(number(at)?)))),
        Stage::NamespacesPage,
        &[],
    )
    .needs(Needs::Page)
    .may_lag();

pub static MORE_NAMESPACES: Kind = Kind { file: "namespaces/_page/{page}/index.html", ..NAMESPACES };

/// The first page of a namespace. Archived namespaces have pages too.
pub static NAMESPACE: Kind = Kind::page("{namespace}/index.html")
    .each(Each::Namespace(|name| Document::Page(WebPage::Namespace(name))), Stage::NamespacePage, &[])
    .may_lag();

/// A page of the skills whose slugs begin alike. `groups.rs` says which there are.
pub static GROUP: Kind = Kind::page("{namespace}/_{prefix}/index.html")
    .each(Each::Values(group), Stage::NamespacePage, &[])
    .needs(Needs::Page)
    .may_lag();

/// The page of a bundle.
pub static BUNDLE: Kind = Kind::page("{namespace}/+{bundle}/index.html")
    .each(Each::Bundle(|name| Document::Page(WebPage::Bundle(name))), Stage::List, &[Cause::Bundle])
    .may_lag();

/// The skills that are first in an order.
pub static UPDATED: Kind = skills("skills/index.html", || of(Sort::Updated));
pub static CREATED: Kind = skills("skills/created/index.html", || of(Sort::Created));
pub static DOWNLOADS: Kind = skills("skills/downloads/index.html", || of(Sort::Downloads));
pub static STARS: Kind = skills("skills/stars/index.html", || of(Sort::Stars));
pub static RATING: Kind = skills("skills/rating/index.html", || of(Sort::Rating));
pub static NAME: Kind = skills("skills/name/index.html", || of(Sort::Name));

/// The keywords that most skills have.
pub static KEYWORDS: Kind = Kind {
    outdated_by: &[Cause::Published, Cause::Yanked, Cause::Removed, Cause::NamespaceUpdated],
    ..skills("skills/keywords/index.html", || Document::Page(WebPage::Keywords))
};

/// The last changed advisories, with links to skills.
pub static ADVISORIES: Kind = Kind::page("advisories/index.html").each(
    Each::Once(|| Document::Page(WebPage::Advisories)),
    Stage::HomePage,
    &[Cause::Advisory, Cause::Removed],
);

/// The page of a version: what it has, what changed, and the text of its files. What outdates it is little:
/// a skill may have many versions.
pub static VERSION: Kind = Kind::page("{namespace}/{slug}/{version}/index.html")
    .each(
        Each::Version(|c, version| Document::Page(WebPage::Version(c, version))),
        Stage::VersionPage,
        Cause::RECORDS,
    )
    .shows(Shows::Pointed);

pub static SKILL: Kind = Kind::page("{namespace}/{slug}/index.html").each(
    Each::Skill(|c| Document::Page(WebPage::Skill(c))),
    Stage::SkillPage,
    Cause::SKILL,
);

/// The page of a global skill, which may link to the skill that it was promoted from.
pub static GLOBAL_SKILL: Kind = Kind { stage: Stage::GlobalSkillPage, ..SKILL };

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[
    &HOME,
    &SEARCH,
    &FOUND,
    &SIGNED_IN[0],
    &SIGNED_IN[1],
    &SIGNED_IN[2],
    &SIGNED_IN[3],
    &SIGNED_IN[4],
    &SIGNED_IN[5],
    &HELP,
    &ABOUT,
    &API,
    &NAMESPACES,
    &MORE_NAMESPACES,
    &NAMESPACE,
    &GROUP,
    &BUNDLE,
    &UPDATED,
    &CREATED,
    &DOWNLOADS,
    &STARS,
    &RATING,
    &NAME,
    &KEYWORDS,
    &ADVISORIES,
    &VERSION,
    &GLOBAL_SKILL,
    &SKILL,
    &MISSING,
];

fn group(values: &[&str]) -> Option<Document> {
    let [name, prefix] = values else { return None };
    Some(Document::Page(WebPage::Group(name.parse().ok()?, prefix.parse().ok()?)))
}

const fn skills(file: &'static str, document: fn() -> Document) -> Kind {
    Kind::page(file).each(Each::Once(document), Stage::HomePage, Cause::LISTS).may_lag()
}

fn of(sort: Sort) -> Document {
    Document::Page(WebPage::Skills(sort))
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
    /// A page for people who are signed in.
    SignedIn(SignedInPage),
    /// A page of the list of namespaces, from 1.
    Namespaces(u64),
    /// The first page of a namespace: all its skills, or the beginnings of their slugs.
    Namespace(Namespace),
    /// The skills of a namespace whose slugs begin alike, or longer beginnings.
    Group(Namespace, Prefix),
    /// The page of a bundle.
    Bundle(BundleName),
    /// The skills that are first in an order.
    Skills(Sort),
    /// The keywords that most skills have.
    Keywords,
    /// The last changed advisories.
    Advisories,
    /// The page of a version.
    Version(Coordinate, Version),
    /// The page of a skill.
    Skill(Coordinate),
    /// How to use the registry.
    Help,
    /// What the site is.
    About,
    /// The description of the API.
    Api,
    /// The page that hosts show for unknown addresses.
    Missing,
}

impl WebPage {
    pub(super) fn kind(&self) -> (&'static Kind, Subject<'_>) {
        match self {
            Self::Home => (&HOME, Subject::Registry),
            Self::Bundle(name) => (&BUNDLE, Subject::Bundle(name)),
            Self::Search => (&SEARCH, Subject::Registry),
            Self::Found(list) => (&FOUND, Subject::page(None, list.page)),
            Self::SignedIn(page) => (&SIGNED_IN[*page as usize], Subject::Registry),
            Self::Namespaces(1) => (&NAMESPACES, Subject::page(None, 1)),
            Self::Namespaces(page) => (&MORE_NAMESPACES, Subject::page(None, *page)),
            Self::Namespace(name) => (&NAMESPACE, Subject::Namespace(name)),
            Self::Group(name, prefix) => (&GROUP, Subject::Group(name, prefix)),
            Self::Skills(Sort::Updated) => (&UPDATED, Subject::Registry),
            Self::Skills(Sort::Created) => (&CREATED, Subject::Registry),
            Self::Skills(Sort::Downloads) => (&DOWNLOADS, Subject::Registry),
            Self::Skills(Sort::Stars) => (&STARS, Subject::Registry),
            Self::Skills(Sort::Rating) => (&RATING, Subject::Registry),
            Self::Skills(Sort::Name) => (&NAME, Subject::Registry),
            Self::Advisories => (&ADVISORIES, Subject::Registry),
            Self::Keywords => (&KEYWORDS, Subject::Registry),
            Self::Version(c, version) => (&VERSION, Subject::Version(c, version)),
            Self::Skill(c) if c.namespace.is_global() => (&GLOBAL_SKILL, Subject::Skill(c)),
            Self::Skill(c) => (&SKILL, Subject::Skill(c)),
            Self::Api => (&API, Subject::Registry),
            Self::About => (&ABOUT, Subject::Registry),
            Self::Help => (&HELP, Subject::Registry),
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
            Self::Found(list) => Some(Self::Found(KeywordList { page, ..list.clone() })),
            _ => None,
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

//! Files for search engines and for the search boxes of browsers, at the root of the site.

use std::fmt;
use std::str::FromStr;

use registry::names::Namespace;

use super::kind::{Each, Kind, Needs};
use super::{Document, Subject};
use crate::address::{Format, Stage};

/// Crawlers read it at the root of a host only. Below a path, nobody does.
pub static ROBOTS: Kind = Kind::file("the rules for crawlers", "robots.txt", Format::Text)
    .each(Each::Once(|| Document::Crawlers(CrawlerFile::Robots)), Stage::HomePage, &[])
    .shows_url()
    .open();

pub static OPEN_SEARCH: Kind = Kind::file("the search for browsers", "opensearch.xml", Format::Xml)
    .each(Each::Once(|| Document::Crawlers(CrawlerFile::OpenSearch)), Stage::HomePage, &[])
    .needs(Needs::PublicUrl)
    .shows_url();

/// The list of the other sitemaps (sitemaps.org 0.9).
pub static SITEMAPS: Kind = Kind::file("the list of sitemaps", "sitemap.xml", Format::Xml)
    .each(Each::Once(|| Document::Crawlers(CrawlerFile::Sitemaps)), Stage::HomePage, &[])
    .needs(Needs::PublicUrl)
    .shows_url();

/// The addresses of the namespaces whose names begin with a character, so that there are few files. It has no times, so
/// only another set of skills changes it: `plan/pages.rs` says so. It may not lag, because it is too long to be made
/// for each request.
pub static SITEMAP: Kind = Kind::file("a sitemap", "sitemap/{initial}.xml", Format::Xml)
    .each(
        Each::Values(|at| Some(Document::Crawlers(CrawlerFile::Sitemap(at.first()?.parse().ok()?)))),
        Stage::NamespacesPage,
        &[],
    )
    .needs(Needs::Sitemap)
    .shows_url();

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&ROBOTS, &OPEN_SEARCH, &SITEMAPS, &SITEMAP];

/// A file for search engines or browsers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CrawlerFile {
    /// The file `robots.txt`: the addresses that crawlers may read.
    Robots,
    /// How browsers search here (OpenSearch 1.1).
    OpenSearch,
    /// Where the sitemaps of the namespaces are.
    Sitemaps,
    /// The pages of the namespaces with this initial, and of their skills.
    Sitemap(Initial),
}

/// The first character of a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Initial(char);

impl Initial {
    /// All characters with which names begin.
    pub fn all() -> impl Iterator<Item = Self> {
        ('0'..='9').chain('a'..='z').map(Self)
    }

    pub(crate) fn of(name: &Namespace) -> Option<Self> {
        name.as_str().chars().next().map(Self)
    }
}

impl FromStr for Initial {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::all().find(|initial| initial.to_string() == text).ok_or(())
    }
}

impl fmt::Display for Initial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl CrawlerFile {
    pub(super) fn kind(&self) -> &'static Kind {
        match self {
            Self::Robots => &ROBOTS,
            Self::OpenSearch => &OPEN_SEARCH,
            Self::Sitemaps => &SITEMAPS,
            Self::Sitemap(_) => &SITEMAP,
        }
    }

    pub(super) fn subject(&self) -> Subject<'_> {
        match self {
            Self::Sitemap(initial) => Subject::Named(initial),
            _ => Subject::Registry,
        }
    }
}

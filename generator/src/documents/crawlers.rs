//! Files for search engines and for the search boxes of browsers, at the root of the site.

use registry::names::Namespace;

use super::kind::{Cause, Each, Kind, Needs};
use super::{Document, Subject};
use crate::address::{Format, Stage};

/// Crawlers read it at the root of a host only. Below a path, nobody does.
pub static ROBOTS: Kind = Kind::file("the rules for crawlers", "robots.txt", Format::Text)
    .each(Each::Once(|| Document::Crawlers(CrawlerFile::Robots)), Stage::HomePage, &[])
    .shows_url();

pub static OPEN_SEARCH: Kind = Kind::file("the search for browsers", "opensearch.xml", Format::Xml)
    .each(Each::Once(|| Document::Crawlers(CrawlerFile::OpenSearch)), Stage::HomePage, &[])
    .needs(Needs::PublicUrl)
    .shows_url();

/// The list of the other sitemaps (sitemaps.org 0.9).
pub static SITEMAPS: Kind = Kind::file("the list of sitemaps", "sitemap.xml", Format::Xml)
    .each(Each::Once(|| Document::Crawlers(CrawlerFile::Sitemaps)), Stage::NamespacesPage, Cause::MEMBERS)
    .needs(Needs::PublicUrl)
    .may_lag()
    .shows_url();

/// The addresses of a namespace. It has no times, so only another set of skills changes it.
pub static SITEMAP: Kind = Kind::file("a sitemap", "{namespace}/sitemap.xml", Format::Xml)
    .each(
        Each::Namespace(|name| Document::Crawlers(CrawlerFile::Sitemap(name))),
        Stage::NamespacePage,
        Cause::MEMBERS,
    )
    .needs(Needs::Sitemap)
    .may_lag()
    .shows_url();

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&ROBOTS, &OPEN_SEARCH, &SITEMAPS, &SITEMAP];

/// A file for search engines or browsers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CrawlerFile {
    /// Which addresses crawlers may read.
    Robots,
    /// How browsers search here (OpenSearch 1.1).
    OpenSearch,
    /// Where the sitemaps of the namespaces are.
    Sitemaps,
    /// The pages of a namespace and of its skills.
    Sitemap(Namespace),
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
            Self::Sitemap(name) => Subject::Namespace(name),
            _ => Subject::Registry,
        }
    }
}

//! Files for search engines and for the search boxes of browsers, at the root of the site.

use super::kind::{Each, Kind, Needs};
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

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&ROBOTS, &OPEN_SEARCH];

/// A file for search engines or browsers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CrawlerFile {
    /// Which addresses crawlers may read.
    Robots,
    /// How browsers search here (OpenSearch 1.1).
    OpenSearch,
}

impl CrawlerFile {
    pub(super) fn kind(&self) -> &'static Kind {
        match self {
            Self::Robots => &ROBOTS,
            Self::OpenSearch => &OPEN_SEARCH,
        }
    }

    pub(super) fn subject(&self) -> Subject<'_> {
        Subject::Registry
    }
}

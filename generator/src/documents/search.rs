//! Search results, and the search index.

use registry::names::Namespace;

use super::Document;
use super::kind::{Cause, Each, Kind, Needs};
use crate::address::{DEFAULT_SIZE, Format, Stage};

/// The most recently updated skills.
pub static LATEST: Kind = Kind::json("results of a search", "api/v1/search.json")
    .each(Each::Once(|| Document::Search), Stage::List, Cause::LISTS)
    .may_lag();

/// The first page for a common word. The index says which of them a change outdates.
pub static WORD: Kind = Kind::json("results of a search", "api/v1/search/_q/{word}.json")
    .each(Each::Query(Document::answer), Stage::List, &[])
    .asked()
    .may_lag();

/// Any other page.
pub static ASKED: Kind = Kind::answer("results of a search").may_lag();

/// In the form that `npx skills find` reads.
pub static FOUND_WORD: Kind = Kind::json("results of a search", "api/search/_q/{word}.json")
    .each(Each::Query(|q| Document::FoundSkills(FoundSkills::of_word(q))), Stage::List, &[])
    .asked()
    .needs(Needs::PublicUrl)
    .may_lag()
    .shows_url();

/// Any other results in this form.
pub static ASKED_FOUND: Kind = ASKED.shows_url();

/// The list of the index's current pieces. Writing it also writes these.
pub static MANIFEST: Kind = Kind::file(
    "the manifest of the search index",
    "api/v1/search/_index/manifest.bin",
    Format::Binary,
)
.each(Each::Once(|| Document::SearchManifest), Stage::List, Cause::LISTS);

pub static PIECE: Kind =
    Kind::file("a piece of the search index", "api/v1/search/_index/{piece}.bin", Format::Binary)
        .each(Each::Values(|at| at.first()?.parse().map(Document::SearchPiece).ok()), Stage::Piece, &[])
        .needs(Needs::Piece)
        .immutable();

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&LATEST, &WORD, &ASKED, &MANIFEST, &PIECE, &FOUND_WORD, &ASKED_FOUND];

/// A page of search results.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SearchPage {
    /// The normalized query: trimmed, in lower case, and empty if it has no words.
    pub q: String,
    /// The page number, from 1.
    pub page: u64,
    /// How many skills a page has, 1 to 100.
    pub limit: u64,
}

impl SearchPage {
    /// The page that a request without parameters asks for: the most recently updated skills.
    pub fn default_page() -> Self {
        Self { q: String::new(), page: 1, limit: DEFAULT_SIZE }
    }

    /// Whether it has an address that is a path.
    pub(super) fn has_file(&self) -> bool {
        (self.page, self.limit) == (1, DEFAULT_SIZE) && is_word(&self.q)
    }
}

/// Search results in the form that `npx skills find` reads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FoundSkills {
    /// The normalized query, as in [`SearchPage::q`].
    pub q: String,
    /// The namespace to search; `None` searches all.
    pub owner: Option<Namespace>,
    /// How many skills there are at most, 1 to 100.
    pub limit: u64,
}

impl FoundSkills {
    /// The results for a query of one word, as many as `npx skills find` asks for.
    pub(crate) fn of_word(q: &str) -> Self {
        Self { q: q.to_owned(), owner: None, limit: DEFAULT_SIZE }
    }

    /// Whether it has an address that is a path.
    pub(super) fn has_file(&self) -> bool {
        *self == Self::of_word(&self.q) && is_word(&self.q)
    }
}

impl Document {
    /// The first page of a query's results, which is a file for common queries.
    pub(crate) fn answer(query: &str) -> Self {
        Self::SearchPage(SearchPage { q: query.to_owned(), ..SearchPage::default_page() })
    }

    /// All documents with the results of a common query.
    pub(crate) fn answers(query: &str) -> [Self; 2] {
        [Self::answer(query), Self::FoundSkills(FoundSkills::of_word(query))]
    }
}

/// Whether a query can be a path segment: one word of Latin letters and digits, at most 64 bytes.
fn is_word(q: &str) -> bool {
    (1..=64).contains(&q.len()) && q.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9'))
}

//! Pages of lists and of search results.

use registry::names::Namespace;
use registry::public::Sort;

use super::{DEFAULT_SIZE, Document};

/// A page of a list of skills.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillList {
    /// The namespace to list; `None` lists all.
    pub namespace: Option<Namespace>,
    /// The order of the list.
    pub sort: Sort,
    /// The page number, from 1.
    pub page: u64,
    /// How many skills a page has, 1 to 100.
    pub size: u64,
}

impl SkillList {
    /// The page that a request without parameters asks for.
    pub fn default_page() -> Self {
        Self { namespace: None, sort: Sort::Updated, page: 1, size: DEFAULT_SIZE }
    }
}

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

    /// The page number, from 1, if this is a page of a list in the tree.
    pub(crate) fn page(&self) -> Option<u64> {
        match self {
            Self::SkillList(SkillList { page, .. }) | Self::NamespaceList { page, .. } => Some(*page),
            Self::Page(page) => page.page(),
            _ => None,
        }
    }

    /// Another page of the same list.
    pub(crate) fn with_page(&self, page: u64) -> Option<Self> {
        match self {
            Self::SkillList(list) => Some(Self::SkillList(SkillList { page, ..list.clone() })),
            Self::NamespaceList { size, .. } => Some(Self::NamespaceList { page, size: *size }),
            Self::Page(of) => of.with_page(page).map(Self::Page),
            _ => None,
        }
    }

    /// The next page of the same list.
    pub(crate) fn next_page(&self) -> Option<Self> {
        self.with_page(self.page()?.checked_add(1)?)
    }
}

/// A page of the skills that match a keyword.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeywordList {
    /// The keyword, normalized like [`SearchPage::q`] and with at least one word.
    pub keyword: String,
    /// The namespace to search; `None` searches all.
    pub namespace: Option<Namespace>,
    /// The order; `None` puts the best match first.
    pub sort: Option<Sort>,
    /// The page number, from 1.
    pub page: u64,
    /// How many skills a page has, 1 to 100.
    pub size: u64,
}

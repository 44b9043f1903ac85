//! Pages of lists and of what is found.

use registry::names::Namespace;
use registry::public::Sort;

use super::{DEFAULT_SIZE, Document};

/// A page of a list of skills.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillList {
    /// Of one namespace, or of all.
    pub namespace: Option<Namespace>,
    /// In which order.
    pub sort: Sort,
    /// Which page, from 1.
    pub page: u64,
    /// How many skills a page has, 1 to 100.
    pub size: u64,
}

impl SkillList {
    /// The list that is asked for by asking for nothing.
    pub fn default_page() -> Self {
        Self { namespace: None, sort: Sort::Updated, page: 1, size: DEFAULT_SIZE }
    }
}

/// A page of what a query finds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SearchPage {
    /// The query in its usual form: trimmed, in lower case, and empty where it
    /// has no words.
    pub q: String,
    /// Which page, from 1.
    pub page: u64,
    /// How many skills a page has, 1 to 100.
    pub limit: u64,
}

impl SearchPage {
    /// What is asked for by asking for nothing: the newest skills.
    pub fn default_page() -> Self {
        Self { q: String::new(), page: 1, limit: DEFAULT_SIZE }
    }
}

impl Document {
    /// The first page of what a query finds: a file, where the query is common.
    pub(crate) fn answer(query: &str) -> Self {
        Self::SearchPage(SearchPage { q: query.to_owned(), ..SearchPage::default_page() })
    }

    /// Which page it is, from 1, where it is one of a list that is in the tree.
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

    /// The page behind it, where it is a page of a list.
    pub(crate) fn next_page(&self) -> Option<Self> {
        self.with_page(self.page()?.checked_add(1)?)
    }

    /// Whether a tree that lacks it is whole all the same: it is made behind the
    /// head, and until then whoever asks finds the answer in another way.
    pub(crate) fn may_be_absent(&self) -> bool {
        matches!(self, Self::SearchPage(_))
    }
}

/// A page of the skills that a keyword finds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeywordList {
    /// The keyword in its usual form, which is that of [`SearchPage::q`]; it has
    /// a word.
    pub keyword: String,
    /// In one namespace, or in all.
    pub namespace: Option<Namespace>,
    /// In which order. None: those that fit best first.
    pub sort: Option<Sort>,
    /// Which page, from 1.
    pub page: u64,
    /// How many skills a page has, 1 to 100.
    pub size: u64,
}

//! Pages of lists and of what is found.

use registry::names::Namespace;
use registry::public::Sort;

use super::DEFAULT_SIZE;

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

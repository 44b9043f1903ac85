//! Namespaces, and lists of skills and of namespaces.

use registry::names::Namespace;
use registry::public::Sort;

use super::Document;
use super::kind::{Cause, Each, Kind, Needs};
use crate::address::{DEFAULT_SIZE, Stage, page_number};

pub static NAMESPACE: Kind = Kind::json("a namespace", "api/v1/namespaces/{namespace}.json")
    .each(Each::Namespace(Document::Namespace), Stage::Namespace, Cause::MEMBERS)
    .may_lag();

/// The default list of skills.
pub static SKILLS: Kind = Kind::json("a list of skills", "api/v1/skills.json")
    .each(Each::Once(|| Document::Skills), Stage::List, Cause::LISTS)
    .may_lag();

/// A page of the list of all skills.
pub static SKILL_PAGE: Kind = Kind::json("a list of skills", "api/v1/skills/_list/_all/{sort}-{page}.json")
    .each(Each::Values(|values| list_at(None, values)), Stage::List, Cause::LISTS)
    .asked()
    .needs(Needs::Page)
    .may_lag();

/// A page of the list of a namespace.
pub static NAMESPACE_SKILL_PAGE: Kind =
    Kind::json("a list of skills", "api/v1/skills/_list/{namespace}/{sort}-{page}.json")
        .each(Each::Values(namespace_list_at), Stage::List, Cause::LISTS)
        .asked()
        .needs(Needs::Page)
        .may_lag();

/// A page of another size, or of the skills that match a keyword.
pub static ASKED_SKILLS: Kind = Kind::answer("a list of skills").may_lag();

/// The default list of namespaces.
pub static NAMESPACES: Kind = Kind::json("a list of namespaces", "api/v1/namespaces.json")
    .each(Each::Once(|| Document::Namespaces), Stage::List, Cause::MEMBERS)
    .may_lag();

/// A page of the list of namespaces.
pub static NAMESPACE_PAGE: Kind = Kind::json("a list of namespaces", "api/v1/namespaces/_list/{page}.json")
    .each(Each::Values(namespaces_at), Stage::List, Cause::MEMBERS)
    .asked()
    .needs(Needs::Page)
    .may_lag();

/// A page of another size.
pub static ASKED_NAMESPACES: Kind = Kind::answer("a list of namespaces").may_lag();

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[
    &NAMESPACE,
    &SKILLS,
    &SKILL_PAGE,
    &NAMESPACE_SKILL_PAGE,
    &ASKED_SKILLS,
    &NAMESPACES,
    &NAMESPACE_PAGE,
    &ASKED_NAMESPACES,
];

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

/// A page of the skills that match a keyword.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeywordList {
    /// The keyword, normalized like [`SearchPage::q`](super::SearchPage::q) and with at least one word.
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

/// The page of a list with the values of its order and its number.
fn list_at(namespace: Option<Namespace>, values: &[&str]) -> Option<Document> {
    let [sort, page] = values else { return None };
    let (sort, page) = (sort.parse().ok()?, page_number(page)?);
    Some(Document::SkillList(SkillList { namespace, sort, page, size: DEFAULT_SIZE }))
}

fn namespace_list_at(values: &[&str]) -> Option<Document> {
    let (name, values) = values.split_first()?;
    list_at(Some(name.parse().ok()?), values)
}

fn namespaces_at(values: &[&str]) -> Option<Document> {
    Some(Document::NamespaceList { page: page_number(values.first()?)?, size: DEFAULT_SIZE })
}

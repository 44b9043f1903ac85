//! Search results as documents.

use std::collections::HashSet;

use registry::api::public::{Page, SearchResult, SearchResults, SkillSummary};
use registry::names::Namespace;
use registry::public::{Id, PublicCatalog, Skill};

use super::RenderContext;
use super::lists::{on_page, page_bounds};
use crate::address::{KeywordList, SearchPage};
use crate::json::json;
use crate::search::{Index, Query, UnknownWord};

pub(crate) fn page(context: RenderContext<'_>, asked: &SearchPage) -> Vec<u8> {
    let catalog = context.catalog;
    if Query::new(&asked.q).is_blank() {
        let SearchPage { page, limit, .. } = asked;
        let (skip, take) = page_bounds(*page, *limit);
        let results = catalog.live(skip, take).map(|skill| SearchResult::new(catalog, skill)).collect();
        return json(&SearchResults { results, total: catalog.live_total(), page: *page, limit: *limit });
    }
    let found = found(catalog, &context.search.current(catalog), &Query::new(&asked.q), None);
    results(catalog, &found.skills, asked)
}

/// A page of found skills, as they are in the catalog.
pub(crate) fn results(catalog: &PublicCatalog, found: &[&Skill], asked: &SearchPage) -> Vec<u8> {
    let SearchPage { page, limit, .. } = asked;
    let (skip, take) = page_bounds(*page, *limit);
    let (results, total) = (found.iter().copied().skip(skip).take(take), found.len());
    let results = results.map(|skill| SearchResult::new(catalog, skill)).collect();
    json(&SearchResults { results, total, page: *page, limit: *limit })
}

pub(crate) fn keyword(context: RenderContext<'_>, list: &KeywordList) -> Vec<u8> {
    let Found { skills, .. } = matching(context, list);
    let items = on_page(skills.iter(), list.page, list.size);
    let items: Vec<_> = items.map(|skill| SkillSummary::new(context.catalog, skill)).collect();
    json(&Page { items, total: skills.len(), page: list.page, size: list.size })
}

/// The skills that match a keyword, in the order of the list.
pub(crate) fn matching<'a>(context: RenderContext<'a>, list: &KeywordList) -> Found<'a> {
    let KeywordList { keyword, namespace, sort, .. } = list;
    let index = context.search.current(context.catalog);
    let mut found = found(context.catalog, &index, &Query::new(keyword), namespace.as_ref());
    if let Some(sort) = sort {
        found.leave_out_near();
        sort.sort_skills(&mut found.skills);
    }
    found
}

/// The skills that match a query.
#[derive(Default)]
pub(crate) struct Found<'a> {
    pub(crate) skills: Vec<&'a Skill>,
    /// Whether more skills match.
    pub(crate) is_cut: bool,
    /// The words of the query that no skill has.
    pub(crate) unknown: Vec<UnknownWord>,
    /// The skills that have no word of the query, and were found by their meaning.
    near: HashSet<Id>,
}

impl Found<'_> {
    /// How many of the skills were found by meaning alone.
    pub(crate) fn near(&self) -> usize {
        self.near.len()
    }

    /// Leaves these out: in another order they would be among the others.
    fn leave_out_near(&mut self) {
        let near = std::mem::take(&mut self.near);
        self.skills.retain(|skill| !near.contains(&skill.id));
    }
}

/// The skills that match a query with words, best match first.
pub(crate) fn found<'a>(
    catalog: &'a PublicCatalog,
    index: &Index,
    query: &Query,
    namespace: Option<&Namespace>,
) -> Found<'a> {
    if namespace.is_some_and(|name| catalog.namespace(name).is_none()) {
        return Found::default();
    }
    // In memory, no piece of the index can be missing or damaged.
    let found = index.find(query, namespace).unwrap_or_else(|why| {
        tracing::error!(%why, "cannot read the search index in memory");
        Default::default()
    });
    let skills = found.hits.iter().filter_map(|hit| catalog.skill_by_id(Id(hit.id))).collect();
    let near = found.hits.iter().filter(|hit| hit.by_meaning).map(|hit| Id(hit.id)).collect();
    Found { skills, is_cut: found.is_cut, unknown: found.unknown, near }
}

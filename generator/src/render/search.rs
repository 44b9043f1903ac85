//! Search results as documents.

use registry::names::Namespace;
use registry::public::record::{Page, SkillSummary};
use registry::public::{Id, PublicCatalog, Skill};

use super::RenderContext;
use super::lists::{on_page, page_bounds};
use super::record::{SearchResult, SearchResults};
use crate::address::{KeywordList, SearchPage};
use crate::json::json;
use crate::search::Query;

pub(super) fn page(context: RenderContext<'_>, asked: &SearchPage) -> Vec<u8> {
    let (catalog, SearchPage { q, page, limit }) = (context.catalog, asked);
    let (skip, take) = page_bounds(*page, *limit);
    let query = Query::new(q);
    let (results, total): (Vec<_>, usize) = if query.is_blank() {
        (catalog.live(skip, take).collect(), catalog.live_total())
    } else {
        let found = found(context, &query, None);
        (found.iter().copied().skip(skip).take(take).collect(), found.len())
    };
    let results = results.into_iter().map(|skill| SearchResult::new(catalog, skill)).collect();
    json(&SearchResults { results, total, page: *page, limit: *limit })
}

pub(super) fn keyword(context: RenderContext<'_>, list: &KeywordList) -> Vec<u8> {
    let KeywordList { keyword, namespace, sort, page, size } = list;
    let mut found = found(context, &Query::new(keyword), namespace.as_ref());
    if let Some(sort) = sort {
        sort.sort_skills(&mut found);
    }
    let items = on_page(found.iter(), *page, *size);
    let items: Vec<_> = items.map(|skill| SkillSummary::new(context.catalog, skill)).collect();
    json(&Page { items, total: found.len(), page: *page, size: *size })
}

/// All skills that match a query with words, best match first.
fn found<'a>(context: RenderContext<'a>, query: &Query, namespace: Option<&Namespace>) -> Vec<&'a Skill> {
    let catalog: &PublicCatalog = context.catalog;
    if namespace.is_some_and(|name| catalog.namespace(name).is_none()) {
        return Vec::new();
    }
    // In memory, no piece of the index can be missing or damaged.
    let found = context.search.current(catalog).find(query, namespace).unwrap_or_else(|why| {
        tracing::error!(%why, "cannot read the search index in memory");
        Default::default()
    });
    found.hits.iter().filter_map(|hit| catalog.skill_by_id(Id(hit.id))).collect()
}

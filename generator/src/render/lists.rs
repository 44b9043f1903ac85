//! Lists of skills and namespaces.

use registry::api::public::{BundleRecord, FullList, NamespaceRecord, Page, PublicPage, SkillSummary};
use registry::names::Namespace;
use registry::public::PublicCatalog;

use super::RenderContext;
use crate::address::{Document, SkillList};
use crate::documents::list_pages::file_pages;
use crate::json::json;

/// The number of items before a page, and the number on it if it is full.
pub(crate) fn page_bounds(page: u64, size: u64) -> (usize, usize) {
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    (number(page.saturating_sub(1).saturating_mul(size)), number(size))
}

/// The items on a page.
pub(crate) fn on_page<T>(list: impl Iterator<Item = T>, page: u64, size: u64) -> impl Iterator<Item = T> {
    let (skip, take) = page_bounds(page, size);
    list.skip(skip).take(take)
}

pub(crate) fn skills(context: RenderContext<'_>, list: &SkillList) -> Vec<u8> {
    let catalog = context.catalog;
    let SkillList { namespace, sort, page, size } = list;
    let namespace = namespace.as_ref();
    let total = catalog.list_total(namespace);
    let (skip, take) = page_bounds(*page, *size);
    // Pages after the end are known to be empty without walking the list.
    let take = if skip < total { take } else { 0 };
    let listed = catalog.list(namespace, *sort, skip.min(total), take);
    let items: Vec<_> = listed.map(|skill| SkillSummary::new(catalog, skill)).collect();
    let file_pages = file_pages(context, &Document::SkillList(list.clone()));
    json(&PublicPage { page: Page { items, total, page: *page, size: *size }, file_pages })
}

pub(crate) fn namespaces(context: RenderContext<'_>, page: u64, size: u64) -> Vec<u8> {
    let catalog = context.catalog;
    let listed = catalog.namespaces().filter(|entry| entry.is_listed());
    let items: Vec<_> = on_page(listed, page, size).map(NamespaceRecord::new).collect();
    let file_pages = file_pages(context, &Document::NamespaceList { page, size });
    json(&PublicPage { page: Page { items, total: catalog.listed_namespaces(), page, size }, file_pages })
}

/// The bundles of a namespace. `None` if it has none.
pub(crate) fn bundles(catalog: &PublicCatalog, name: &Namespace) -> Option<Vec<u8>> {
    let all: Vec<_> = catalog.bundles_of(name).map(|entry| BundleRecord::new(catalog, entry)).collect();
    (!all.is_empty()).then(|| json(&FullList::from(all)))
}

pub(crate) fn namespace(catalog: &PublicCatalog, name: &Namespace) -> Option<Vec<u8>> {
    catalog.namespace(name).map(|entry| json(&NamespaceRecord::new(entry)))
}

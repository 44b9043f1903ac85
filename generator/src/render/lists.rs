//! Lists of skills and namespaces.

use registry::names::Namespace;
use registry::public::PublicCatalog;
use registry::public::record::{NamespaceRecord, Page, SkillSummary};

use crate::address::SkillList;
use crate::encoding::json;

/// The number of items before a page.
pub(super) fn items_before(page: u64, size: u64) -> usize {
    usize::try_from(page.saturating_sub(1).saturating_mul(size)).unwrap_or(usize::MAX)
}

pub(super) fn skills(catalog: &PublicCatalog, list: &SkillList) -> Vec<u8> {
    let SkillList { namespace, sort, page, size } = list;
    let namespace = namespace.as_ref();
    let total = catalog.list_total(namespace);
    // Pages after the end are known to be empty without walking the list.
    let skip = items_before(*page, *size).min(total);
    let take = if skip < total { usize::try_from(*size).unwrap_or(usize::MAX) } else { 0 };
    let listed = catalog.list(namespace, *sort, skip, take);
    let items: Vec<_> = listed.map(|skill| SkillSummary::new(catalog, skill)).collect();
    json(&Page { items, total, page: *page, size: *size })
}

pub(super) fn namespaces(catalog: &PublicCatalog, page: u64, size: u64) -> Vec<u8> {
    let listed = catalog.namespaces().filter(|entry| entry.is_listed());
    let take = usize::try_from(size).unwrap_or(usize::MAX);
    let items: Vec<_> = listed.skip(items_before(page, size)).take(take).map(NamespaceRecord::new).collect();
    json(&Page { items, total: catalog.listed_namespaces(), page, size })
}

pub(super) fn namespace(catalog: &PublicCatalog, name: &Namespace) -> Option<Vec<u8>> {
    catalog.namespace(name).map(|entry| json(&NamespaceRecord::new(entry)))
}

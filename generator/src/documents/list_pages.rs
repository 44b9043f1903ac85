//! How many pages of lists are in the tree.

use ::registry::names::Namespace;
use ::registry::public::{NamespaceEntry, PublicCatalog};

use super::{Document, SkillList, WebPage, groups};
use crate::address::DEFAULT_SIZE;
use crate::context::RenderContext;
use crate::settings::TreeSettings;

/// Namespaces on a page for browsers.
pub(crate) const NAMESPACES_PER_PAGE: u64 = 100;

/// The most pages of the list of namespaces for browsers. Every new namespace changes all of them,
/// because they show the total. `mirror.list_depth` does not limit them, because a reader without
/// scripts has no other way to find a namespace.
pub(crate) const MAX_NAMESPACE_PAGES: u64 = 100;

/// The last page of a list. An empty list has one page. `depth` limits the number of pages; 0 is no
/// limit.
pub(crate) fn last_page(total: usize, size: u64, depth: u64) -> u64 {
    let all = (total as u64).div_ceil(size).max(1);
    if depth == 0 { all } else { all.min(depth) }
}

/// The last page of the list of namespaces for browsers.
pub(crate) fn pages_of_namespaces(catalog: &PublicCatalog) -> u64 {
    last_page(catalog.listed_namespaces(), NAMESPACES_PER_PAGE, MAX_NAMESPACE_PAGES)
}

/// How many pages of the list that `document` is a page of are in the tree. `None` if the document is
/// no page of a JSON list, or one of a size or order that only the server renders.
pub(crate) fn file_pages(context: RenderContext<'_>, document: &Document) -> Option<u64> {
    let RenderContext { catalog, settings, .. } = context;
    match document {
        Document::SkillList(SkillList { namespace, sort, size: DEFAULT_SIZE, .. }) => {
            let namespace = namespace.as_ref();
            let is_listed = |name| catalog.namespace(name).is_some_and(NamespaceEntry::is_listed);
            let has_files = TreeSettings::orders(namespace).contains(sort) && namespace.is_none_or(is_listed);
            let total = catalog.list_total(namespace);
            has_files.then(|| last_page(total, DEFAULT_SIZE, settings.depth_of(*sort)))
        }
        Document::NamespaceList { size: DEFAULT_SIZE, .. } => {
            Some(last_page(catalog.listed_namespaces(), DEFAULT_SIZE, settings.list_depth))
        }
        _ => None,
    }
}

/// Whether the tree has a page of a list.
pub(super) fn has(context: RenderContext<'_>, document: &Document) -> bool {
    let catalog = context.catalog;
    let last = match document {
        Document::Page(WebPage::Namespaces(_)) => Some(pages_of_namespaces(catalog)),
        Document::Page(WebPage::Group(name, prefix)) => {
            return catalog.namespace(name).is_some_and(|entry| groups::exists(entry, prefix));
        }
        _ => file_pages(context, document),
    };
    last.zip(document.page()).is_some_and(|(last, page)| page <= last)
}

/// The namespaces whose pages crawlers should find: they are listed and have skills.
pub(crate) fn in_sitemaps(catalog: &PublicCatalog) -> impl Iterator<Item = &NamespaceEntry> {
    catalog.namespaces().filter(|entry| entry.is_listed() && entry.skills().len() > 0)
}

/// The first page of each list of a namespace, or of the registry.
pub(crate) fn first_pages(namespace: Option<&Namespace>) -> Vec<Document> {
    let list = |sort: &_| {
        let namespace = namespace.cloned();
        Document::SkillList(SkillList { namespace, sort: *sort, ..SkillList::default_page() })
    };
    let lists = TreeSettings::orders(namespace).iter().map(list);
    match namespace {
        Some(_) => lists.collect(),
        None => {
            let namespaces = Document::NamespaceList { page: 1, size: DEFAULT_SIZE };
            lists.chain([namespaces, Document::Page(WebPage::Namespaces(1))]).collect()
        }
    }
}

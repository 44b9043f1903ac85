//! Which pages of the site there are at a revision.

use registry::names::Namespace;
use registry::public::PublicCatalog;

use super::{Document, WebPage};
use crate::settings::TreeSettings;

/// How many skills a page of a namespace has.
pub(crate) const SKILLS: u64 = 50;

/// How many namespaces a page of their list has.
pub(crate) const NAMESPACES: u64 = 100;

/// The number of the last page of a list: there is at least one, even empty.
/// `depth` says how many pages it has at most; 0 is all of them.
pub(crate) fn last_page(total: usize, size: u64, depth: u64) -> u64 {
    let all = (total as u64).div_ceil(size).max(1);
    if depth == 0 { all } else { all.min(depth) }
}

/// How many pages the skills of a namespace have. None where there is no such
/// namespace; one that is archived has them too.
pub(crate) fn pages_of(catalog: &PublicCatalog, name: &Namespace, settings: &TreeSettings) -> Option<u64> {
    catalog.namespace(name).map(|entry| last_page(entry.skills().len(), SKILLS, settings.list_depth))
}

/// How many pages the list of namespaces has.
pub(crate) fn pages_of_namespaces(catalog: &PublicCatalog, settings: &TreeSettings) -> u64 {
    last_page(catalog.listed_namespaces(), NAMESPACES, settings.list_depth)
}

/// Whether there is such a page.
pub(crate) fn has(catalog: &PublicCatalog, page: &WebPage, settings: &TreeSettings) -> bool {
    match page {
        WebPage::Home | WebPage::Search | WebPage::Missing => true,
        WebPage::Namespaces(page) => *page <= pages_of_namespaces(catalog, settings),
        WebPage::Namespace(name, page) => pages_of(catalog, name, settings).is_some_and(|last| *page <= last),
        WebPage::Skill(c) => catalog.skill(c).is_some(),
    }
}

/// The pages of a namespace.
pub(super) fn of_namespace(
    catalog: &PublicCatalog,
    name: &Namespace,
    settings: &TreeSettings,
) -> impl Iterator<Item = Document> {
    let last = pages_of(catalog, name, settings).unwrap_or(0);
    (1..=last).map(|page| Document::Page(WebPage::Namespace(name.clone(), page)))
}

/// The pages of the registry as a whole.
pub(super) fn of_registry(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
) -> impl Iterator<Item = Document> + use<> {
    let lists = (1..=pages_of_namespaces(catalog, settings)).map(WebPage::Namespaces);
    lists.chain([WebPage::Search, WebPage::Home, WebPage::Missing]).map(Document::Page)
}

impl Document {
    /// Whether it depends on the public URL: the commands on a skill's page name it,
    /// and nothing but its path leads back from the page for what is not there. Where two trees of the same state have
    /// another one each, these differ, the settings and the head that tells of
    /// those; nothing else does.
    pub fn is_site_bound(&self) -> bool {
        matches!(self, Self::Page(WebPage::Skill(_) | WebPage::Missing))
    }
}

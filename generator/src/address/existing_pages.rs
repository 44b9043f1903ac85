//! Decides which web pages exist.

use registry::names::Namespace;
use registry::public::PublicCatalog;

use super::{ClawhubDocument, Document, WebPage};
use crate::settings::TreeSettings;

/// Skills on a page of a namespace.
pub(crate) const SKILLS: u64 = 50;

/// Namespaces on a page of their list.
pub(crate) const NAMESPACES: u64 = 100;

/// The most pages of the list of namespaces. Every new namespace changes all of them, because they
/// show the total.
pub(crate) const MAX_NAMESPACE_PAGES: u64 = 100;

/// The last page of a list. An empty list has one page. `depth` limits the number of pages; 0 is no
/// limit.
pub(crate) fn last_page(total: usize, size: u64, depth: u64) -> u64 {
    let all = (total as u64).div_ceil(size).max(1);
    if depth == 0 { all } else { all.min(depth) }
}

/// The last page of a namespace; `None` if it does not exist. Archived namespaces have pages too.
pub(crate) fn pages_of(catalog: &PublicCatalog, name: &Namespace, settings: &TreeSettings) -> Option<u64> {
    catalog.namespace(name).map(|entry| last_page(entry.skills().len(), SKILLS, settings.list_depth))
}

/// The last page of the list of namespaces. `mirror.list_depth` does not limit it, because a reader
/// without scripts has no other way to find a namespace.
pub(crate) fn pages_of_namespaces(catalog: &PublicCatalog) -> u64 {
    last_page(catalog.listed_namespaces(), NAMESPACES, MAX_NAMESPACE_PAGES)
}

/// Whether a page exists.
pub(crate) fn has(catalog: &PublicCatalog, page: &WebPage, settings: &TreeSettings) -> bool {
    match page {
        WebPage::Home | WebPage::Search | WebPage::Missing => true,
        WebPage::Namespaces(page) => *page <= pages_of_namespaces(catalog),
        WebPage::Namespace(name, page) => pages_of(catalog, name, settings).is_some_and(|last| *page <= last),
        WebPage::Skill(c) => catalog.skill(c).is_some(),
    }
}

impl Document {
    /// Whether it depends on the public URL: a skill's page shows commands with it, the not-found
    /// page and the URLs of packages have its path, and some clients need whole URLs. Two trees of one
    /// state with different public URLs differ only in these, the settings and the head.
    pub fn is_site_bound(&self) -> bool {
        match self {
            Self::Page(page) => matches!(page, WebPage::Skill(_) | WebPage::Missing),
            Self::Clawhub(document) => matches!(document, ClawhubDocument::Discovery),
            Self::SkillMarkdown(_) | Self::LlmsTxt | Self::Marketplace(_) | Self::FoundSkills(_) => true,
            Self::Skill(_) | Self::Versions(_) | Self::Version(..) => true,
            Self::Resolve(..) | Self::CompatResolve(..) | Self::Discovery | Self::OpenApi => true,
            _ => false,
        }
    }
}

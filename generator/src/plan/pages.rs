//! Decides which web pages a change outdates.
//!
//! A namespace's pages list skills by slug, and the pages of namespaces are sorted by name. So a
//! changed entry outdates one page of them.

use std::collections::BTreeSet;

use registry::names::{Coordinate, Namespace};
use registry::public::{NamespaceEntry, PublicCatalog};

use crate::address::site::{NAMESPACES, SKILLS, last_page};
use crate::address::{Document, WebPage};
use crate::settings::TreeSettings;

fn insert(page: WebPage, stale: &mut BTreeSet<Document>) {
    stale.insert(Document::Page(page));
}

/// A skill's own page.
pub(super) fn skill(c: &Coordinate, stale: &mut BTreeSet<Document>) {
    insert(WebPage::Skill(c.clone()), stale);
}

/// The pages that show a skill whose position does not change: its own, its namespace's page with
/// it, and the start page.
pub(super) fn entry(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    c: &Coordinate,
    stale: &mut BTreeSet<Document>,
) {
    skill(c, stale);
    insert(WebPage::Home, stale);
    let skills = catalog.namespace(&c.namespace).into_iter().flat_map(NamespaceEntry::skills);
    if let Some(page) = page_of(skills, |other| *other == c, SKILLS, settings) {
        insert(WebPage::Namespace(c.namespace.clone(), page), stale);
    }
}

/// The pages that show a skill that was added, removed or restored. Later skills of its namespace
/// move; the start page and the list of namespaces show a new number of skills. Pages of its
/// promoted copies link to it while it exists.
pub(super) fn member(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    c: &Coordinate,
    stale: &mut BTreeSet<Document>,
) {
    skill(c, stale);
    catalog.promoted_from(c).for_each(|copy| skill(&copy.coordinate, stale));
    insert(WebPage::Home, stale);
    from_position(catalog, settings, c, stale);
    let listed = catalog.namespaces().filter(|entry| entry.is_listed());
    if let Some(page) = page_of(listed, |entry| entry.state.slug == c.namespace, NAMESPACES, settings) {
        insert(WebPage::Namespaces(page), stale);
    }
}

/// All pages of a namespace.
pub(super) fn of_namespace(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    name: &Namespace,
    stale: &mut BTreeSet<Document>,
) {
    let skills = catalog.namespace(name).map_or(0, |entry| entry.skills().len());
    for page in super::page_range(skills, SKILLS, settings.list_depth) {
        insert(WebPage::Namespace(name.clone(), page), stale);
    }
}

/// The pages of a namespace that change with its list of skills: those from the skill's position
/// on, and the page before, whose link to the next may change. The first page shows the number of
/// skills, and the last one may.
fn from_position(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    c: &Coordinate,
    stale: &mut BTreeSet<Document>,
) {
    let entry = catalog.namespace(&c.namespace);
    let count = entry.map_or(0, |entry| entry.skills().len());
    let last = last_page(count, SKILLS, settings.list_depth);
    let skills = entry.into_iter().flat_map(NamespaceEntry::skills);
    let position = page_of(skills, |other| other.slug >= c.slug, SKILLS, settings);
    let from = position.unwrap_or(last).min(last) - 1;
    for page in super::page_range(count, SKILLS, settings.list_depth) {
        if page == 1 || page >= from {
            insert(WebPage::Namespace(c.namespace.clone(), page), stale);
        }
    }
}

/// The pages that show a new or changed namespace.
pub(super) fn namespace(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    name: &Namespace,
    stale: &mut BTreeSet<Document>,
) {
    insert(WebPage::Home, stale);
    of_namespace(catalog, settings, name, stale);
    for page in super::page_range(catalog.listed_namespaces() + 1, NAMESPACES, settings.list_depth) {
        insert(WebPage::Namespaces(page), stale);
    }
}

/// The page of a list that shows an item. `None` if no page does, for example because the list is
/// cut off before it.
fn page_of<T>(
    list: impl Iterator<Item = T>,
    is_it: impl Fn(&T) -> bool,
    size: u64,
    settings: &TreeSettings,
) -> Option<u64> {
    let max = if settings.list_depth == 0 { u64::MAX } else { settings.list_depth.saturating_mul(size) };
    let mut numbered = (0..max).zip(list);
    numbered.find(|(_, item)| is_it(item)).map(|(position, _)| position / size + 1)
}

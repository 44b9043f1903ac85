//! Which pages a change makes stale.
//!
//! The skills of a namespace stand on its pages by slug, and namespaces in their
//! list by name: so what changes no more than an entry changes one page of them.

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

/// What shows a skill that is where it was: its own page, the one of its
/// namespace on which it stands, and the first page of all.
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

/// The same for one that is new, gone or back: those of its namespace behind it move on, the
/// first page and its entry in the list of namespaces tell how many there are. The pages of
/// its copies lead to it as long as it is there.
pub(super) fn member(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    c: &Coordinate,
    stale: &mut BTreeSet<Document>,
) {
    skill(c, stale);
    catalog.promoted_from(c).for_each(|copy| skill(&copy.coordinate, stale));
    insert(WebPage::Home, stale);
    from_place(catalog, settings, c, stale);
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

/// Of the pages of a namespace those that are others where a skill comes or goes: from the
/// one on which it stands, or would, and the one before that, which leads on or does not; the
/// first, which tells how many there are; and the last, which may.
fn from_place(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    c: &Coordinate,
    stale: &mut BTreeSet<Document>,
) {
    let entry = catalog.namespace(&c.namespace);
    let count = entry.map_or(0, |entry| entry.skills().len());
    let last = last_page(count, SKILLS, settings.list_depth);
    let skills = entry.into_iter().flat_map(NamespaceEntry::skills);
    let place = page_of(skills, |other| other.slug >= c.slug, SKILLS, settings);
    let from = place.unwrap_or(last).min(last) - 1;
    for page in super::page_range(count, SKILLS, settings.list_depth) {
        if page == 1 || page >= from {
            insert(WebPage::Namespace(c.namespace.clone(), page), stale);
        }
    }
}

/// What shows a namespace that is new, or another than it was.
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

/// The page of a list on which something stands. None where it stands on none,
/// be it because the list is cut before it.
fn page_of<T>(
    list: impl Iterator<Item = T>,
    is_it: impl Fn(&T) -> bool,
    size: u64,
    settings: &TreeSettings,
) -> Option<u64> {
    let most = if settings.list_depth == 0 { u64::MAX } else { settings.list_depth.saturating_mul(size) };
    let mut numbered = (0..most).zip(list);
    numbered.find(|(_, item)| is_it(item)).map(|(place, _)| place / size + 1)
}

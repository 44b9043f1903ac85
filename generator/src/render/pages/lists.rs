//! The pages of lists: namespaces, and the skills of a namespace.

use registry::names::Namespace;
use registry::public::NamespaceEntry;
use serde::Serialize;

use super::card::{Card, NamespaceCard};
use super::frame::Frame;
use crate::address::site::{NAMESPACES, SKILLS, pages_of, pages_of_namespaces};
use crate::address::{Document, WebPage};
use crate::render::RenderContext;

/// A page's position in its list.
#[derive(Debug, Clone, Serialize)]
struct ListPosition {
    /// The list's length. It may be more than all pages show, because `mirror.list_depth` limits
    /// them.
    total: usize,
    page: u64,
    pages: u64,
    previous: Option<String>,
    next: Option<String>,
}

impl ListPosition {
    fn new(frame: &Frame, (page, pages): (u64, u64), total: usize, other: impl Fn(u64) -> WebPage) -> Self {
        let href = |number| frame.href(&Document::Page(other(number)));
        let previous = (page > 1).then(|| href(page - 1));
        let next = (page < pages).then(|| href(page + 1));
        Self { total, page, pages, previous, next }
    }
}

/// The items on a page.
fn on_page<T>(list: impl Iterator<Item = T>, page: u64, size: u64) -> impl Iterator<Item = T> {
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    list.skip(number(page.saturating_sub(1).saturating_mul(size))).take(number(size))
}

/// A page of the list of namespaces.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Namespaces {
    #[serde(flatten)]
    frame: Frame,
    items: Vec<NamespaceCard>,
    #[serde(flatten)]
    position: ListPosition,
}

impl Namespaces {
    /// Expects a page that exists.
    pub(super) fn new(context: RenderContext<'_>, page: u64) -> Self {
        let RenderContext { catalog, settings, .. } = context;
        let frame = Frame::new(&WebPage::Namespaces(page), settings);
        let listed = catalog.namespaces().filter(|entry| entry.is_listed());
        let items =
            on_page(listed, page, NAMESPACES).map(|entry| NamespaceCard::new(&frame, entry)).collect();
        let pages = (page, pages_of_namespaces(catalog, settings));
        let position = ListPosition::new(&frame, pages, catalog.listed_namespaces(), WebPage::Namespaces);
        Self { frame, items, position }
    }
}

/// A page of the skills of a namespace.
#[derive(Debug, Clone, Serialize)]
pub(super) struct NamespacePage {
    #[serde(flatten)]
    frame: Frame,
    namespace: NamespaceCard,
    /// By slug, so that a new version moves no skill.
    items: Vec<Card>,
    #[serde(flatten)]
    position: ListPosition,
}

impl NamespacePage {
    /// Returns `None` if the namespace does not exist.
    pub(super) fn new(context: RenderContext<'_>, name: &Namespace, page: u64) -> Option<Self> {
        let RenderContext { catalog, settings, .. } = context;
        let entry: &NamespaceEntry = catalog.namespace(name)?;
        let frame = Frame::new(&WebPage::Namespace(name.clone(), page), settings);
        let skills = on_page(entry.skills(), page, SKILLS).filter_map(|c| catalog.skill(c));
        let items = skills.map(|skill| Card::new(&frame, catalog, skill)).collect();
        let pages = (page, pages_of(catalog, name, settings)?);
        let other = |page| WebPage::Namespace(name.clone(), page);
        let position = ListPosition::new(&frame, pages, entry.skills().len(), other);
        Some(Self { namespace: NamespaceCard::new(&frame, entry), frame, items, position })
    }
}

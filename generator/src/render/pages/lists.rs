//! Pages of lists: namespaces, and the skills of one.

use registry::names::Namespace;
use registry::public::NamespaceEntry;
use serde::Serialize;

use super::card::{Card, NamespaceCard};
use super::frame::Frame;
use crate::address::site::{NAMESPACES, SKILLS, pages_of, pages_of_namespaces};
use crate::address::{Document, WebPage};
use crate::render::RenderContext;

/// Where a page is in its list.
#[derive(Debug, Clone, Serialize)]
struct Place {
    /// How many entries the whole list has. They may be more than all pages show:
    /// those are as many as `mirror.list_depth` says.
    total: usize,
    page: u64,
    pages: u64,
    previous: Option<String>,
    next: Option<String>,
}

impl Place {
    fn new(frame: &Frame, (page, pages): (u64, u64), total: usize, other: impl Fn(u64) -> WebPage) -> Self {
        let href = |number| frame.href(&Document::Page(other(number)));
        let previous = (page > 1).then(|| href(page - 1));
        let next = (page < pages).then(|| href(page + 1));
        Self { total, page, pages, previous, next }
    }
}

/// The entries of a page.
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
    place: Place,
}

impl Namespaces {
    /// There is such a page.
    pub(super) fn new(context: RenderContext<'_>, page: u64) -> Self {
        let RenderContext { catalog, settings, .. } = context;
        let frame = Frame::new(&WebPage::Namespaces(page), settings);
        let listed = catalog.namespaces().filter(|entry| entry.is_listed());
        let items =
            on_page(listed, page, NAMESPACES).map(|entry| NamespaceCard::new(&frame, entry)).collect();
        let pages = (page, pages_of_namespaces(catalog, settings));
        let place = Place::new(&frame, pages, catalog.listed_namespaces(), WebPage::Namespaces);
        Self { frame, items, place }
    }
}

/// A page of the skills of a namespace.
#[derive(Debug, Clone, Serialize)]
pub(super) struct NamespacePage {
    #[serde(flatten)]
    frame: Frame,
    namespace: NamespaceCard,
    /// By slug: a new version moves none of them.
    items: Vec<Card>,
    #[serde(flatten)]
    place: Place,
}

impl NamespacePage {
    /// None where there is no such namespace.
    pub(super) fn new(context: RenderContext<'_>, name: &Namespace, page: u64) -> Option<Self> {
        let RenderContext { catalog, settings, .. } = context;
        let entry: &NamespaceEntry = catalog.namespace(name)?;
        let frame = Frame::new(&WebPage::Namespace(name.clone(), page), settings);
        let skills = on_page(entry.skills(), page, SKILLS).filter_map(|c| catalog.skill(c));
        let items = skills.map(|skill| Card::new(&frame, catalog, skill)).collect();
        let pages = (page, pages_of(catalog, name, settings)?);
        let other = |page| WebPage::Namespace(name.clone(), page);
        let place = Place::new(&frame, pages, entry.skills().len(), other);
        Some(Self { namespace: NamespaceCard::new(&frame, entry), frame, items, place })
    }
}

//! The first page.

use registry::public::Sort;
use serde::Serialize;

use super::card::{Card, NamespaceCard};
use super::frame::Frame;
use crate::address::WebPage;
use crate::render::RenderContext;

/// How many skills each of its lists has.
const SKILLS: usize = 10;

/// How many namespaces it shows.
const NAMESPACES: usize = 20;

/// What the first page shows.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Home {
    #[serde(flatten)]
    frame: Frame,
    registry_total: Total,
    newest: Vec<Card>,
    /// Only those that have stars.
    most_starred: Vec<Card>,
    /// The largest ones.
    namespaces: Vec<NamespaceCard>,
}

/// How much there is. No other page tells: they would all change with each skill.
#[derive(Debug, Clone, Serialize)]
struct Total {
    skills: usize,
    namespaces: usize,
}

impl Home {
    pub(super) fn new(context: RenderContext<'_>) -> Self {
        let catalog = context.catalog;
        let frame = Frame::new(&WebPage::Home, context.settings);
        let by_stars = catalog.list(None, Sort::Stars, 0, usize::MAX);
        let starred = by_stars.take_while(|skill| skill.counters.stars > 0);
        let most_starred = starred.filter(|skill| skill.latest().is_some()).take(SKILLS);
        let largest = catalog.largest_namespaces().take(NAMESPACES);
        Self {
            registry_total: Total { skills: catalog.live_total(), namespaces: catalog.listed_namespaces() },
            newest: catalog.live(0, SKILLS).map(|skill| Card::new(&frame, catalog, skill)).collect(),
            most_starred: most_starred.map(|skill| Card::new(&frame, catalog, skill)).collect(),
            namespaces: largest.map(|entry| NamespaceCard::new(&frame, entry)).collect(),
            frame,
        }
    }
}

//! The start page.

use registry::public::Sort;
use serde::Serialize;

use super::card::{Card, NamespaceCard};
use super::frame::Frame;
use crate::address::WebPage;
use crate::render::RenderContext;

/// The length of each list of skills.
const SKILLS: usize = 10;

/// The number of namespaces on the page.
const NAMESPACES: usize = 20;

/// The content of the start page.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Home {
    #[serde(flatten)]
    frame: Frame,
    registry_total: RegistryTotal,
    newest: Vec<Card>,
    /// Only skills with stars.
    most_starred: Vec<Card>,
    /// The largest namespaces.
    namespaces: Vec<NamespaceCard>,
}

/// The size of the registry. Only the start page shows it, because every new skill changes it.
#[derive(Debug, Clone, Serialize)]
struct RegistryTotal {
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
            registry_total: RegistryTotal {
                skills: catalog.live_total(),
                namespaces: catalog.listed_namespaces(),
            },
            newest: catalog.live(0, SKILLS).map(|skill| Card::new(&frame, catalog, skill)).collect(),
            most_starred: most_starred.map(|skill| Card::new(&frame, catalog, skill)).collect(),
            namespaces: largest.map(|entry| NamespaceCard::new(&frame, entry)).collect(),
            frame,
        }
    }
}

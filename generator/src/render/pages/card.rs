//! Skills and namespaces as entries of lists.

use registry::names::{Coordinate, Namespace, Slug, Version};
use registry::public::{
    Hundredths, NamespaceEntry, NamespaceKind, NamespaceStatus, Person, PublicCatalog, Skill,
};
use registry::time::Timestamp;
use serde::Serialize;

use super::frame::Frame;
use crate::address::{Document, WebPage};

/// A skill in a list.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Card {
    /// `@namespace/slug`.
    coordinate: String,
    namespace: Namespace,
    slug: Slug,
    href: String,
    name: String,
    description: String,
    /// The latest one. None: all are yanked.
    version: Option<Version>,
    author: Person,
    star_count: u64,
    download_count: u64,
    rating_average: Option<Hundredths>,
    rating_count: u64,
    updated_at: Timestamp,
}

impl Card {
    pub(super) fn new(frame: &Frame, catalog: &PublicCatalog, skill: &Skill) -> Self {
        let Coordinate { namespace, slug } = &skill.coordinate;
        let shown = skill.display_version();
        Self {
            coordinate: skill.coordinate.scoped(),
            namespace: namespace.clone(),
            slug: slug.clone(),
            href: frame.href(&Document::Page(WebPage::Skill(skill.coordinate.clone()))),
            name: shown.map(|version| version.name.to_string()).unwrap_or_default(),
            description: shown.map(|version| version.description.to_string()).unwrap_or_default(),
            version: skill.latest().map(|latest| latest.version.clone()),
            author: catalog.person(&skill.author),
            star_count: skill.counters.stars,
            download_count: skill.counters.downloads,
            rating_average: skill.counters.rating_average,
            rating_count: skill.counters.ratings,
            updated_at: skill.updated_at,
        }
    }
}

/// A namespace in a list, and at the head of its own pages.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NamespaceCard {
    slug: Namespace,
    display_name: String,
    description: String,
    #[serde(rename = "type")]
    kind: NamespaceKind,
    status: NamespaceStatus,
    skill_count: usize,
    href: String,
}

impl NamespaceCard {
    pub(super) fn new(frame: &Frame, entry: &NamespaceEntry) -> Self {
        let state = &entry.state;
        Self {
            slug: state.slug.clone(),
            display_name: state.display_name.clone(),
            description: state.description.clone(),
            kind: state.kind,
            status: state.status,
            skill_count: entry.skills().len(),
            href: frame.href(&Document::Page(WebPage::Namespace(state.slug.clone(), 1))),
        }
    }
}

//! Skills and namespaces as entries of lists.

use registry::public::record::{NamespaceRecord, SkillSummary};
use registry::public::{NamespaceEntry, PublicCatalog, Skill};
use serde::Serialize;
use serde_json::Value;

use super::frame::Frame;
use super::owned;
use crate::address::{Document, WebPage};

/// A skill in a list.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Card {
    /// The skill's [`SkillSummary`].
    #[serde(flatten)]
    summary: Value,
    /// `@namespace/slug`.
    coordinate: String,
    href: String,
}

impl Card {
    pub(super) fn new(frame: &Frame, catalog: &PublicCatalog, skill: &Skill) -> Self {
        Self {
            summary: owned(&SkillSummary::new(catalog, skill)),
            coordinate: skill.coordinate.scoped(),
            href: frame.href(&Document::Page(WebPage::Skill(skill.coordinate.clone()))),
        }
    }
}

/// A namespace in a list, and at the top of its own pages.
#[derive(Debug, Clone, Serialize)]
pub(super) struct NamespaceCard {
    /// The namespace's [`NamespaceRecord`].
    #[serde(flatten)]
    record: Value,
    href: String,
}

impl NamespaceCard {
    pub(super) fn new(frame: &Frame, entry: &NamespaceEntry) -> Self {
        let href = frame.href(&Document::Page(WebPage::Namespace(entry.state.slug.clone(), 1)));
        Self { record: owned(&NamespaceRecord::new(entry)), href }
    }
}

//! Random names and versions.

use proptest::prelude::*;
use registry::names::{Coordinate, TagName, Version};

use crate::address::{Document, Pointer};

pub(super) fn label() -> impl Strategy<Value = String> {
    "[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?"
}

pub(super) fn parsed<T: std::str::FromStr + std::fmt::Debug>(
    texts: impl Strategy<Value = String>,
) -> impl Strategy<Value = T> {
    texts.prop_filter_map("not a name", |text| text.parse().ok())
}

pub(super) fn coordinate() -> impl Strategy<Value = Coordinate> {
    let namespace = prop_oneof![Just("global".to_owned()), label()];
    (parsed(namespace), parsed(label())).prop_map(|(namespace, slug)| Coordinate::new(namespace, slug))
}

pub(super) fn version() -> impl Strategy<Value = Version> {
    parsed("(0|[1-9][0-9]{0,3})\\.(0|[1-9][0-9]?)\\.(0|[1-9])(-[0-9A-Za-z-]{1,6}(\\.[A-Za-z]{1,4})?)?")
}

pub(super) fn pointer() -> impl Strategy<Value = Pointer> {
    let tag = parsed("[a-z0-9][a-z0-9._-]{0,9}").prop_map(Pointer::Tag);
    prop_oneof![version().prop_map(Pointer::Version), tag, Just(Pointer::Tag(TagName::latest()))]
}

/// Whether a document is not below `/api/v1/`.
pub(super) fn is_outside_the_api(document: &Document) -> bool {
    matches!(
        document,
        Document::Page(_)
            | Document::Git(..)
            | Document::Asset(_)
            | Document::Discovery
            | Document::RegistryKeys
            | Document::Clawhub(_)
            | Document::FoundSkills(_)
            | Document::AgentSkill(_)
            | Document::EntryFile(_)
            | Document::RawSkill(_)
            | Document::RawSkills(_)
            | Document::Atom(_)
            | Document::ApmVersions(_)
            | Document::AgentSkills(_)
            | Document::Marketplace(_)
            | Document::SkillMarkdown(_)
            | Document::Advisory(_)
            | Document::AdvisoryIndex
            | Document::LlmsTxt
            | Document::Crawlers(_)
    )
}

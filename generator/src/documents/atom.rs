//! Atom feeds of new versions and advisories (RFC 4287).

use registry::names::{Coordinate, Namespace};

use super::kind::{Cause, Each, Kind, Needs};
use super::{Document, Subject};
use crate::address::{Format, Stage};

/// What changes a feed: versions of live skills. It shows no names of people.
const VERSIONS: &[Cause] = &[Cause::Published, Cause::Yanked, Cause::Removed, Cause::NamespaceUpdated];

pub static REGISTRY: Kind = Kind::file("a feed of new versions", "feed.atom", Format::Atom)
    .each(Each::Once(|| Document::Atom(AtomFeed::Registry)), Stage::List, VERSIONS)
    .needs(Needs::PublicUrl)
    .shows_url()
    .may_lag();

pub static NAMESPACE: Kind = Kind::file("a feed of new versions", "{namespace}/feed.atom", Format::Atom)
    .each(Each::Namespace(|name| Document::Atom(AtomFeed::Namespace(name))), Stage::List, VERSIONS)
    .needs(Needs::PublicUrl)
    .shows_url()
    .may_lag();

/// The last changed advisories.
pub static ADVISORIES: Kind = Kind::file("a feed of advisories", "advisories/feed.atom", Format::Atom)
    .each(Each::Once(|| Document::Atom(AtomFeed::Advisories)), Stage::List, &[Cause::Advisory])
    .needs(Needs::PublicUrl)
    .shows_url()
    .may_lag();

/// Only servers answer it, because a tree has few files for each skill.
pub static SKILL: Kind = Kind::file("a feed of new versions", "{namespace}/{slug}/feed.atom", Format::Atom)
    .each(Each::Skill(|c| Document::Atom(AtomFeed::Skill(c))), Stage::Skill, &[])
    .needs(Needs::Server)
    .shows_url();

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&REGISTRY, &ADVISORIES, &NAMESPACE, &SKILL];

/// What a feed is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AtomFeed {
    /// All live skills: their latest versions.
    Registry,
    /// The last changed advisories.
    Advisories,
    /// The live skills of a namespace: their latest versions.
    Namespace(Namespace),
    /// All versions of a skill that are not yanked.
    Skill(Coordinate),
}

impl AtomFeed {
    pub(super) fn kind_and_subject(&self) -> (&'static Kind, Subject<'_>) {
        match self {
            Self::Registry => (&REGISTRY, Subject::Registry),
            Self::Advisories => (&ADVISORIES, Subject::Registry),
            Self::Namespace(name) => (&NAMESPACE, Subject::Namespace(name)),
            Self::Skill(c) => (&SKILL, Subject::Skill(c)),
        }
    }
}

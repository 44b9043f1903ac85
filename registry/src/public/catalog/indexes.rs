//! Finds skills through the catalog's indexes, which `changes` keeps.

use std::ops::Bound;

use super::{NamespaceEntry, PublicCatalog};
use crate::names::{Coordinate, Handle, Namespace};
use crate::public::{Skill, Sort};

impl NamespaceEntry {
    /// The skills whose slugs begin with `prefix`, by slug.
    pub fn skills_beginning<'a>(
        &'a self,
        prefix: &str,
    ) -> impl DoubleEndedIterator<Item = &'a Coordinate> + use<'a> {
        let prefix = prefix.to_owned();
        let of = |slug: &str| Some(Coordinate::new(self.state.slug.clone(), slug.parse().ok()?));
        // Not every beginning of a slug is a slug. A shorter one comes before it.
        let start = (1..=prefix.len()).rev().find_map(|end| of(prefix.get(..end)?));
        let end = of(&format!("{prefix:z<64}"));
        let range =
            (start.map_or(Bound::Unbounded, Bound::Included), end.map_or(Bound::Unbounded, Bound::Included));
        self.skills.range(range).filter(move |c| c.slug.as_str().starts_with(&prefix))
    }
}

impl PublicCatalog {
    /// The skills that show a person as author or as publisher of a version,
    /// oldest first. Excludes removed skills.
    pub fn showing(&self, handle: &Handle) -> impl Iterator<Item = &Skill> {
        self.shown.get(handle).into_iter().flatten().filter_map(|id| self.skill_by_id(*id))
    }

    /// Whether a person is the author of fewer skills than `limit`, removed ones included.
    pub fn authors_fewer(&self, handle: &Handle, limit: usize) -> bool {
        let Some(shown) = self.shown.get(handle) else { return limit > 0 };
        // Each skill shows its author. So a person with few shown skills is the author of few, and a publication costs
        // no more in a larger registry.
        if shown.len() < limit {
            return true;
        }
        let names = shown.iter().filter_map(|id| self.names.get(id));
        let known = names.filter_map(|name| self.skills.get(name).or_else(|| self.removed.get(name)));
        known.filter(|skill| skill.author == *handle).take(limit).count() < limit
    }

    /// The skills that were promoted from `source`, oldest first. Excludes
    /// removed skills. The source itself may be removed.
    pub fn promoted_from(&self, source: &Coordinate) -> impl Iterator<Item = &Skill> {
        let skills = self.promoted.get(source).into_iter().flatten();
        skills.filter_map(|id| self.skill_by_id(*id))
    }

    /// The number of listed skills of the registry, or of a namespace.
    pub fn list_total(&self, namespace: Option<&Namespace>) -> usize {
        self.lists.total(namespace)
    }

    /// Part of a list: `take` skills after the first `skip`.
    pub fn list(
        &self,
        namespace: Option<&Namespace>,
        sort: Sort,
        skip: usize,
        take: usize,
    ) -> impl Iterator<Item = &Skill> {
        self.lists.slice(namespace, sort, skip, take).filter_map(|id| self.skill_by_id(id))
    }

    /// The keywords that most live skills have, in lower case, each with their number. Ties are broken by the
    /// alphabet.
    pub fn keywords(&self, max: usize) -> Vec<(&str, usize)> {
        self.lists.keywords(max)
    }

    /// The number of live skills.
    pub fn live_total(&self) -> usize {
        self.lists.live_total()
    }

    /// Part of the live skills, latest change first: `take` after the first
    /// `skip`.
    pub fn live(&self, skip: usize, take: usize) -> impl Iterator<Item = &Skill> {
        // Does not walk to a page past the end.
        let take = if skip < self.live_total() { take } else { 0 };
        self.lists.live(skip, take).filter_map(|id| self.skill_by_id(id))
    }
}

//! Finds namespaces and skills whose names look like another name.
//!
//! The sets are sorted by skeleton, so a search costs a few lookups for each letter of the
//! name, and no more in a larger registry.

use std::collections::BTreeMap;

use super::{NamespaceEntry, PublicCatalog};
use crate::names::{Coordinate, Namespace, skeleton, typing_errors};
use crate::public::Skill;

/// A namespace with this many skills is much used.
const MUCH_USED_SKILLS: usize = 3;
/// So is one with a skill that was downloaded this often.
const MUCH_USED_DOWNLOADS: u64 = 50;
/// So is one with a skill that has this many stars.
const MUCH_USED_STARS: u64 = 5;

/// The names of namespaces and skills by `skeleton/namespace/` and `skeleton/namespace/slug`.
/// Excludes removed skills.
#[derive(Default)]
pub(super) struct LookAlikes {
    namespaces: BTreeMap<String, Namespace>,
    skills: BTreeMap<String, Coordinate>,
    /// Set during a replay: sorting many names at once costs less.
    is_deferred: bool,
}

fn namespace_key(name: &Namespace) -> String {
    format!("{}/{name}/", skeleton(name.as_str()))
}

fn skill_key(name: &Coordinate) -> String {
    format!("{}/{}/{}", skeleton(name.slug.as_str()), name.namespace, name.slug)
}

fn with_prefix<T>(names: &BTreeMap<String, T>, prefix: String) -> impl Iterator<Item = &T> + use<'_, T> {
    let found = names.range(prefix.clone()..).take_while(move |(key, _)| key.starts_with(&prefix));
    found.map(|(_, name)| name)
}

impl LookAlikes {
    /// Names that ignore changes, to be replaced by [`Self::of`].
    pub(super) fn deferred() -> Self {
        Self { is_deferred: true, ..Self::default() }
    }

    /// All these names.
    pub(super) fn of<'a>(
        namespaces: impl Iterator<Item = &'a Namespace>,
        skills: impl Iterator<Item = &'a Coordinate>,
    ) -> Self {
        Self {
            namespaces: namespaces.map(|name| (namespace_key(name), name.clone())).collect(),
            skills: skills.map(|name| (skill_key(name), name.clone())).collect(),
            is_deferred: false,
        }
    }

    pub(super) fn add_namespace(&mut self, name: &Namespace) {
        if !self.is_deferred {
            self.namespaces.insert(namespace_key(name), name.clone());
        }
    }

    pub(super) fn add_skill(&mut self, name: &Coordinate) {
        if !self.is_deferred {
            self.skills.insert(skill_key(name), name.clone());
        }
    }

    pub(super) fn remove_skill(&mut self, name: &Coordinate) {
        if !self.is_deferred {
            self.skills.remove(&skill_key(name));
        }
    }

    fn namespaces(&self, skeleton: &str) -> impl Iterator<Item = &Namespace> + use<'_> {
        with_prefix(&self.namespaces, format!("{skeleton}/"))
    }

    /// The skills of a namespace, or of all.
    fn skills(
        &self,
        skeleton: &str,
        namespace: Option<&Namespace>,
    ) -> impl Iterator<Item = &Coordinate> + use<'_> {
        let namespace = namespace.map(|name| format!("{name}/")).unwrap_or_default();
        with_prefix(&self.skills, format!("{skeleton}/{namespace}"))
    }
}

impl PublicCatalog {
    /// The namespaces in use whose names look like `name`, or are `name`: those that look
    /// the same and have a skill, then the much used ones that differ by one letter.
    pub fn namespaces_like(&self, name: &str) -> impl Iterator<Item = &Namespace> {
        let entry = |name: &Namespace| self.namespaces.get(name);
        let same = self
            .look_alikes
            .namespaces(&skeleton(name))
            .filter(move |name| entry(name).is_some_and(|entry| !entry.skills.is_empty()));
        let typed = typing_errors(name).flat_map(|typed| self.look_alikes.namespaces(&typed));
        same.chain(typed.filter(move |name| entry(name).is_some_and(|entry| self.is_much_used(entry))))
    }

    /// The skills whose slugs look like that of `name`, those that look the same first: in
    /// `global` the skills of all namespaces, otherwise those of the same namespace.
    pub fn skills_like<'a>(&'a self, name: &'a Coordinate) -> impl Iterator<Item = &'a Coordinate> {
        let within = Some(&name.namespace).filter(|namespace| !namespace.is_global());
        let slug = name.slug.as_str();
        let typed = typing_errors(slug).flat_map(move |typed| self.look_alikes.skills(&typed, within));
        let all = self.look_alikes.skills(&skeleton(slug), within).chain(typed);
        all.filter(move |other| *other != name)
    }

    /// Whether many people use a namespace. Looks at a few skills only.
    fn is_much_used(&self, entry: &NamespaceEntry) -> bool {
        let is_popular = |skill: &Skill| {
            skill.counters.downloads >= MUCH_USED_DOWNLOADS || skill.counters.stars >= MUCH_USED_STARS
        };
        let mut skills = entry.skills.iter().filter_map(|name| self.skill(name));
        entry.skills.len() >= MUCH_USED_SKILLS || skills.any(is_popular)
    }
}

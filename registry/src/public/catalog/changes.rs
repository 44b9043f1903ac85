//! What rows do to a catalog.

use super::{Archive, NamespaceEntry, PublicCatalog};
use crate::journal::Revision;
use crate::names::Coordinate;
use crate::public::{NamespaceState, Person, Published, Skill, SkillName};
use crate::time::Timestamp;

impl PublicCatalog {
    pub(super) fn set_namespace(&mut self, at: Timestamp, state: NamespaceState) {
        let name = state.slug.clone();
        let was_listed = self.namespaces.get(&name).map(NamespaceEntry::is_listed);
        let entry = self.namespaces.entry(name).or_insert_with(|| NamespaceEntry {
            state: state.clone(),
            created_at: at,
            updated_at: at,
            skills: Default::default(),
        });
        entry.state = state;
        entry.updated_at = at;
        let is_listed = entry.is_listed();
        if was_listed.unwrap_or(false) != is_listed {
            self.listed_namespaces =
                if is_listed { self.listed_namespaces + 1 } else { self.listed_namespaces.saturating_sub(1) };
            for skill in entry.skills.iter().filter_map(|coordinate| self.skills.get(coordinate)) {
                if is_listed { self.lists.insert(skill) } else { self.lists.remove(skill) }
            }
        }
    }

    pub(super) fn publish(&mut self, revision: Revision, at: Timestamp, published: Published) {
        self.meet(&published.author);
        self.meet(&published.published_by);
        let archive = Archive { sha256: published.sha256, size: published.package_size };
        self.archives.entry(published.content_digest).or_insert(archive);
        let coordinate = published.coordinate();
        let mut skill = self.take(&coordinate).unwrap_or_else(|| {
            let mut skill = Skill::new(revision, at, coordinate, &published);
            // Those of an id that counters were published for before its rows.
            skill.counters = self.counters.get(skill.id);
            self.names.insert(skill.id, skill.coordinate.clone());
            skill
        });
        skill.publish(revision, at, published);
        self.put(skill);
    }

    /// Changes a skill, and its place in the lists.
    pub(super) fn change(&mut self, name: &SkillName, change: impl FnOnce(&mut Skill)) {
        // Only a damaged journal or a lying feed changes what is not there.
        if let Some(mut skill) = self.take(&name.coordinate()) {
            change(&mut skill);
            self.put(skill);
        }
    }

    pub(super) fn remove(&mut self, coordinate: &Coordinate) {
        if let Some(skill) = self.take(coordinate) {
            if let Some(namespace) = self.namespaces.get_mut(&coordinate.namespace) {
                namespace.skills.remove(coordinate);
            }
            self.removed.insert(coordinate.clone(), skill);
        }
    }

    pub(super) fn restore(&mut self, revision: Revision, at: Timestamp, coordinate: &Coordinate) {
        if let Some(mut skill) = self.removed.remove(coordinate) {
            skill.restore(revision, at);
            self.put(skill);
        }
    }

    /// Takes a skill out, also of the lists, which know it as it is.
    fn take(&mut self, coordinate: &Coordinate) -> Option<Skill> {
        let skill = self.skills.remove(coordinate)?;
        if self.is_listed(&coordinate.namespace) {
            self.lists.remove(&skill);
        }
        Some(skill)
    }

    fn put(&mut self, skill: Skill) {
        let coordinate = skill.coordinate.clone();
        for person in skill.people() {
            match self.shown.get_mut(person) {
                Some(shown) => shown.insert(skill.id),
                None => self.shown.entry(person.clone()).or_default().insert(skill.id),
            };
        }
        if let Some(namespace) = self.namespaces.get_mut(&coordinate.namespace) {
            namespace.skills.insert(coordinate.clone());
        }
        if self.is_listed(&coordinate.namespace) {
            self.lists.insert(&skill);
        }
        self.skills.insert(coordinate, skill);
    }

    /// Remembers how someone is shown.
    pub(super) fn meet(&mut self, person: &Person) {
        match self.people.get_mut(&person.handle) {
            Some(name) if **name == *person.display_name => {}
            Some(name) => *name = person.display_name.as_str().into(),
            None => {
                self.people.insert(person.handle.clone(), person.display_name.as_str().into());
            }
        }
    }
}

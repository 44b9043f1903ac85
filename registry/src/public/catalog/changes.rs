//! How rows change a catalog.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{Archive, NamespaceEntry, PublicCatalog};
use crate::names::{Coordinate, Handle, Namespace};
use crate::public::{Id, NamespaceState, Person, Published, Revision, Skill, TagSet};
use crate::time::Timestamp;

impl NamespaceEntry {
    /// Its position among the listed namespaces.
    fn place(&self) -> (Reverse<usize>, Namespace) {
        (Reverse(self.skills.len()), self.state.slug.clone())
    }
}

impl PublicCatalog {
    pub(super) fn set_namespace(&mut self, at: Timestamp, state: NamespaceState) {
        let name = state.slug.clone();
        let was_listed = self.namespaces.get(&name).map(NamespaceEntry::is_listed);
        self.look_alikes.add_namespace(&name);
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
            let place = entry.place();
            if is_listed {
                self.listed_namespaces.insert(place);
            } else {
                self.listed_namespaces.remove(&place);
            }
            for skill in entry.skills.iter().filter_map(|coordinate| self.skills.get(coordinate)) {
                if is_listed {
                    self.lists.insert(skill)
                } else {
                    self.lists.remove(skill)
                }
                self.change_log.note(skill.id);
            }
        }
    }

    pub(super) fn publish(&mut self, revision: Revision, at: Timestamp, published: Published) {
        self.meet(&published.author);
        self.meet(&published.published_by);
        let archive = Archive { sha256: published.sha256, size: published.package_size };
        self.archives.entry(published.content_digest).or_insert(archive);
        let coordinate = published.coordinate();
        let by = published.published_by.handle.clone();
        if let Some(origin) = &published.promoted_from {
            self.promoted.entry(origin.coordinate()).or_default().insert(published.skill_id);
        }
        if let Some(id) = self.skills.get(&coordinate).map(|skill| skill.id) {
            self.change(&coordinate, |skill| skill.publish(revision, at, published));
            return self.show(&by, id);
        }
        let mut skill = Box::new(Skill::new(revision, at, coordinate, &published));
        // Counters may have been published before the row arrived.
        skill.counters = self.counters.get(skill.id);
        skill.publish(revision, at, published);
        self.names.insert(skill.id, skill.coordinate.clone());
        self.show(&by, skill.id);
        let author = skill.author.clone();
        self.show(&author, skill.id);
        self.put(skill);
    }

    /// Changes a skill and its position in the lists. Ignores a missing skill,
    /// which only a damaged journal or a false feed can name.
    pub(super) fn change(&mut self, coordinate: &Coordinate, change: impl FnOnce(&mut Skill)) {
        let is_listed = self.is_listed(&coordinate.namespace);
        let Some(skill) = self.skills.get_mut(coordinate) else { return };
        if is_listed {
            self.lists.remove(skill);
        }
        change(skill);
        self.change_log.note(skill.id);
        if is_listed {
            self.lists.insert(skill);
        }
    }

    pub(super) fn set_tag(&mut self, at: Timestamp, set: TagSet) {
        self.meet(&set.updated_by);
        let by = set.updated_by.handle;
        self.change(&set.skill.coordinate(), |skill| {
            // The version may have been redacted.
            if skill.version(&set.version).is_some() {
                skill.set_tag(at, set.tag, set.version, by);
            }
        });
    }

    /// Changes the author of a skill.
    pub(super) fn give(&mut self, revision: Revision, at: Timestamp, coordinate: &Coordinate, to: &Handle) {
        self.change(coordinate, |skill| {
            skill.touch(revision, at);
            skill.author = to.clone();
        });
        if let Some(id) = self.skills.get(coordinate).map(|skill| skill.id) {
            self.show(to, id);
        }
    }

    /// Records that the documents of a skill show a person.
    fn show(&mut self, handle: &Handle, id: Id) {
        self.shown.entry(handle.clone()).or_default().insert(id);
    }

    pub(super) fn remove(&mut self, coordinate: &Coordinate) {
        if let Some(skill) = self.take(coordinate) {
            self.change_members(&coordinate.namespace, |skills| skills.remove(coordinate));
            self.removed.insert(coordinate.clone(), skill);
        }
    }

    pub(super) fn restore(&mut self, revision: Revision, at: Timestamp, coordinate: &Coordinate) {
        if let Some(mut skill) = self.removed.remove(coordinate) {
            skill.touch(revision, at);
            self.put(skill);
        }
    }

    /// Removes a skill from the catalog and from the lists. It must be unchanged
    /// since it was listed.
    fn take(&mut self, coordinate: &Coordinate) -> Option<Box<Skill>> {
        let skill = self.skills.remove(coordinate)?;
        self.look_alikes.remove_skill(coordinate);
        if self.is_listed(&coordinate.namespace) {
            self.lists.remove(&skill);
        }
        self.change_log.note(skill.id);
        Some(skill)
    }

    fn put(&mut self, skill: Box<Skill>) {
        let coordinate = skill.coordinate.clone();
        self.change_members(&coordinate.namespace, |skills| skills.insert(coordinate.clone()));
        if self.is_listed(&coordinate.namespace) {
            self.lists.insert(&skill);
        }
        self.change_log.note(skill.id);
        self.look_alikes.add_skill(&coordinate);
        self.skills.insert(coordinate, skill);
    }

    /// Changes the set of skills of a namespace, and its position among the
    /// others.
    fn change_members(&mut self, name: &Namespace, change: impl FnOnce(&mut BTreeSet<Coordinate>) -> bool) {
        let Some(entry) = self.namespaces.get_mut(name) else { return };
        let was_there = self.listed_namespaces.remove(&entry.place());
        change(&mut entry.skills);
        if was_there {
            self.listed_namespaces.insert(entry.place());
        }
    }

    /// Records the display name of a person.
    pub(super) fn meet(&mut self, person: &Person) {
        match self.people.get_mut(&person.handle) {
            Some(name) if **name == *person.display_name => {}
            Some(name) => {
                *name = person.display_name.as_str().into();
                let shown = self.shown.get(&person.handle).into_iter().flatten();
                shown.for_each(|id| self.change_log.note(*id));
            }
            None => {
                self.people.insert(person.handle.clone(), person.display_name.as_str().into());
            }
        }
    }
}

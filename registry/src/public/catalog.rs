//! The public catalog: what all public documents are rendered from.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::lists::Lists;
use super::{
    DecodedRow, FeedIndex, NamespaceState, NamespaceStatus, Person, PublicChange, Published, Skill, Sort,
};
use crate::journal::{Epoch, PublicRow, Revision};
use crate::names::{Coordinate, Digest, Handle, Namespace};
use crate::time::Timestamp;

/// A namespace as the public sees it.
#[derive(Debug, Clone)]
pub struct NamespaceEntry {
    /// Its last state.
    pub state: NamespaceState,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
    skills: std::collections::BTreeSet<Coordinate>,
}

impl NamespaceEntry {
    /// The skills in it, by slug.
    pub fn skills(&self) -> impl ExactSizeIterator<Item = &Coordinate> {
        self.skills.iter()
    }

    /// Whether it and its skills stand in lists.
    pub fn is_listed(&self) -> bool {
        self.state.status != NamespaceStatus::Archived
    }
}

/// The canonical archive of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Archive {
    /// Its digest.
    pub sha256: Digest,
    /// Its size in bytes.
    pub size: u64,
}

/// The state that a prefix of the public rows makes. [`PublicCatalog::apply`]
/// is the only code that changes it, and the only code that works out which
/// version is the latest, where tags point and what stands in which list.
#[derive(Default)]
pub struct PublicCatalog {
    revision: Revision,
    at: Timestamp,
    people: HashMap<Handle, Arc<str>>,
    namespaces: BTreeMap<Namespace, NamespaceEntry>,
    listed_namespaces: usize,
    skills: HashMap<Coordinate, Skill>,
    archives: HashMap<Digest, Archive>,
    lists: Lists,
    feed: FeedIndex,
}

impl PublicCatalog {
    /// The catalog before the first row of a history.
    pub fn new(epoch: Epoch) -> Self {
        Self { feed: FeedIndex::new(epoch), ..Self::default() }
    }

    /// The catalog that a whole history makes, the same as by one
    /// [`Self::apply`] a row: only the lists are sorted once, at the end. Ends
    /// at the first error among the rows, and returns it.
    pub fn replay<E>(
        epoch: Epoch,
        rows: impl Iterator<Item = Result<(PublicRow, DecodedRow), E>>,
    ) -> Result<Self, E> {
        let mut catalog = Self { lists: Lists::deferred(), ..Self::new(epoch) };
        for row in rows {
            let (row, decoded) = row?;
            catalog.apply(&row, decoded);
        }
        let is_listed = |skill: &&Skill| catalog.is_listed(&skill.coordinate.namespace);
        catalog.lists = Lists::of(catalog.skills.values().filter(is_listed));
        Ok(catalog)
    }

    /// Takes in the next public row, given in both its forms.
    pub fn apply(&mut self, row: &PublicRow, decoded: DecodedRow) {
        let DecodedRow { revision, at, change } = decoded;
        self.revision = revision;
        self.at = at;
        self.feed.push(row);
        match change {
            PublicChange::NamespaceCreated(state) | PublicChange::NamespaceUpdated(state) => {
                self.set_namespace(at, state);
            }
            PublicChange::Published(published) => self.publish(revision, at, *published),
        }
    }

    fn set_namespace(&mut self, at: Timestamp, state: NamespaceState) {
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

    fn publish(&mut self, revision: Revision, at: Timestamp, published: Published) {
        self.meet(&published.author);
        self.meet(&published.published_by);
        let archive = Archive { sha256: published.sha256, size: published.package_size };
        self.archives.entry(published.content_digest).or_insert(archive);
        let coordinate = published.coordinate();
        let is_listed = self.is_listed(&coordinate.namespace);
        let skill = match self.skills.entry(coordinate) {
            Entry::Occupied(entry) => {
                let skill = entry.into_mut();
                if is_listed {
                    self.lists.remove(skill);
                }
                skill
            }
            Entry::Vacant(entry) => {
                let coordinate = entry.key().clone();
                if let Some(namespace) = self.namespaces.get_mut(&coordinate.namespace) {
                    namespace.skills.insert(coordinate.clone());
                }
                entry.insert(Skill::new(revision, at, coordinate, &published))
            }
        };
        skill.publish(revision, at, published);
        if is_listed {
            self.lists.insert(skill);
        }
    }

    /// Remembers how someone is shown.
    fn meet(&mut self, person: &Person) {
        match self.people.get_mut(&person.handle) {
            Some(name) if **name == *person.display_name => {}
            Some(name) => *name = person.display_name.as_str().into(),
            None => {
                self.people.insert(person.handle.clone(), person.display_name.as_str().into());
            }
        }
    }

    /// Whether the skills of a namespace stand in lists.
    fn is_listed(&self, namespace: &Namespace) -> bool {
        self.namespaces.get(namespace).is_none_or(NamespaceEntry::is_listed)
    }

    /// The last public revision in it.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The time of the last public row.
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// The highest change of a published counter; 0 while there was none.
    pub fn counter_generation(&self) -> u64 {
        0
    }

    /// The pages of the mirror feed.
    pub fn feed(&self) -> &FeedIndex {
        &self.feed
    }

    /// A skill by its name.
    pub fn skill(&self, coordinate: &Coordinate) -> Option<&Skill> {
        self.skills.get(coordinate)
    }

    /// All skills, in no order.
    pub fn skills(&self) -> impl ExactSizeIterator<Item = &Skill> {
        self.skills.values()
    }

    /// A namespace by its name.
    pub fn namespace(&self, name: &Namespace) -> Option<&NamespaceEntry> {
        self.namespaces.get(name)
    }

    /// All namespaces by name, archived ones too.
    pub fn namespaces(&self) -> impl ExactSizeIterator<Item = &NamespaceEntry> {
        self.namespaces.values()
    }

    /// How many namespaces stand in lists.
    pub fn listed_namespaces(&self) -> usize {
        self.listed_namespaces
    }

    /// The archive that was made for a content when it was first published.
    pub fn archive(&self, content: &Digest) -> Option<Archive> {
        self.archives.get(content).copied()
    }

    /// Someone who published something.
    pub fn person(&self, handle: &Handle) -> Person {
        let name = self.people.get(handle);
        let display_name = name.map_or_else(|| handle.to_string(), ToString::to_string);
        Person { handle: handle.clone(), display_name }
    }

    /// How many skills a list has: the registry's, or a namespace's.
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
        self.lists.slice(namespace, sort, skip, take).filter_map(|coordinate| self.skills.get(coordinate))
    }
}

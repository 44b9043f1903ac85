//! The public catalog: what all public documents are rendered from.

mod change_log;
mod changes;
mod counters;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::lists::Lists;
use super::{
    CounterShards, DecodedRow, FeedIndex, Id, NamespaceState, NamespaceStatus, Person, PublicChange, Skill,
    Sort, VersionStatus,
};
use crate::journal::{Epoch, PublicRow, Revision};
use crate::names::{Coordinate, Digest, Handle, Namespace};
use crate::time::Timestamp;
use change_log::ChangeLog;

pub use change_log::CatalogClock;

/// A namespace as the public sees it.
#[derive(Debug, Clone)]
pub struct NamespaceEntry {
    /// Its last state.
    pub state: NamespaceState,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
    skills: BTreeSet<Coordinate>,
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
    /// Those that stand in lists, the one with most skills first.
    listed_namespaces: BTreeSet<(Reverse<usize>, Namespace)>,
    skills: HashMap<Coordinate, Skill>,
    /// Skills that are gone, as they were.
    removed: HashMap<Coordinate, Skill>,
    /// The names of all skills, removed ones too.
    names: HashMap<Id, Coordinate>,
    /// The skills whose documents show someone.
    shown: HashMap<Handle, BTreeSet<Id>>,
    /// The skills with a version that was promoted from another, by that one's name.
    promoted: HashMap<Coordinate, BTreeSet<Id>>,
    archives: HashMap<Digest, Archive>,
    lists: Lists,
    change_log: ChangeLog,
    counters: CounterShards,
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
        let mut catalog =
            Self { lists: Lists::deferred(), change_log: ChangeLog::asleep(), ..Self::new(epoch) };
        for row in rows {
            let (row, decoded) = row?;
            catalog.apply(&row, decoded);
        }
        catalog.sort_lists();
        catalog.change_log.wake();
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
            PublicChange::Yanked(yanked) => {
                let status = VersionStatus::Yanked { reason: yanked.reason };
                self.change(&yanked.skill.coordinate(), |skill| {
                    skill.set_status(revision, at, &yanked.version, status)
                });
            }
            PublicChange::Unyanked(name) => self.change(&name.skill.coordinate(), |skill| {
                skill.set_status(revision, at, &name.version, VersionStatus::Published);
            }),
            PublicChange::TagSet(set) => {
                self.meet(&set.updated_by);
                let by = set.updated_by.handle;
                self.change(&set.skill.coordinate(), |skill| skill.set_tag(at, set.tag, set.version, by));
            }
            PublicChange::TagRemoved(name) => {
                self.change(&name.skill.coordinate(), |skill| skill.remove_tag(&name.tag))
            }
            PublicChange::SkillRemoved(name) => self.remove(&name.coordinate()),
            PublicChange::SkillRestored(name) => self.restore(revision, at, &name.coordinate()),
            PublicChange::AuthorChanged(changed) => {
                self.meet(&changed.author);
                self.give(revision, at, &changed.skill.coordinate(), &changed.author.handle);
            }
            PublicChange::PersonRenamed(person) => self.meet(&person),
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

    /// The pages of the mirror feed.
    pub fn feed(&self) -> &FeedIndex {
        &self.feed
    }

    /// A skill by its name.
    pub fn skill(&self, coordinate: &Coordinate) -> Option<&Skill> {
        self.skills.get(coordinate)
    }

    /// A skill that was removed, as it was.
    pub fn removed(&self, coordinate: &Coordinate) -> Option<&Skill> {
        self.removed.get(coordinate)
    }

    /// All removed skills, in no order.
    pub fn all_removed(&self) -> impl ExactSizeIterator<Item = &Skill> {
        self.removed.values()
    }

    /// The name of a skill, removed or not.
    pub fn name_of(&self, id: Id) -> Option<&Coordinate> {
        self.names.get(&id)
    }

    /// A skill by its id.
    pub fn skill_by_id(&self, id: Id) -> Option<&Skill> {
        self.name_of(id).and_then(|coordinate| self.skill(coordinate))
    }

    /// The skills, removed ones left out, that show someone as author or as
    /// publisher of a version; the oldest first.
    pub fn showing(&self, handle: &Handle) -> impl Iterator<Item = &Skill> {
        self.shown.get(handle).into_iter().flatten().filter_map(|id| self.skill_by_id(*id))
    }

    /// The skills, removed ones left out, that say of another one that they were
    /// promoted from it; the oldest first. That one need not be there (any more).
    pub fn promoted_from(&self, source: &Coordinate) -> impl Iterator<Item = &Skill> {
        let skills = self.promoted.get(source).into_iter().flatten();
        skills.filter_map(|id| self.skill_by_id(*id))
    }

    /// Whether the public has ever been told of someone.
    pub fn knows(&self, handle: &Handle) -> bool {
        self.people.contains_key(handle)
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
        self.listed_namespaces.len()
    }

    /// The namespaces that stand in lists, the one with most skills first, then by
    /// name.
    pub fn largest_namespaces(&self) -> impl Iterator<Item = &NamespaceEntry> {
        self.listed_namespaces.iter().filter_map(|(_, name)| self.namespaces.get(name))
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

    /// Whether anything leads to a skill: its namespace is not archived, and it
    /// has a latest version.
    pub fn is_live(&self, skill: &Skill) -> bool {
        self.is_listed(&skill.coordinate.namespace) && skill.latest().is_some()
    }

    /// How many skills are live.
    pub fn live_total(&self) -> usize {
        self.lists.live_total()
    }

    /// Part of the live skills, the latest change first: `take` after the first
    /// `skip`.
    pub fn live(&self, skip: usize, take: usize) -> impl Iterator<Item = &Skill> {
        // A page past the end is found out without walking there.
        let take = if skip < self.live_total() { take } else { 0 };
        self.lists.live(skip, take).filter_map(|coordinate| self.skills.get(coordinate))
    }

    /// A moment, for [`Self::changed_since`].
    pub fn clock(&self) -> CatalogClock {
        self.change_log.now()
    }

    /// The skills that may be others than they were at a moment, or may not have
    /// been live or not be it any more; other counters alone do not count. None
    /// where the moment is one of another catalog: then any may be.
    pub fn changed_since(&self, moment: CatalogClock) -> Option<impl Iterator<Item = Id>> {
        self.change_log.since(moment)
    }
}

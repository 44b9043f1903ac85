//! The public catalog, from which all public documents are rendered.

mod bundles;
mod change_log;
mod changes;
mod counters;
mod indexes;
mod look_alikes;
mod namespaces;
mod replay;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::lists::Lists;
use super::{
    Advisories, BundleEntry, CounterShards, DecodedRow, FeedIndex, History, Id, NamespaceState,
    NamespaceStatus, Person, PublicChange, Skill, VersionStatus,
};
use crate::names::{BundleName, Coordinate, Digest, Handle, Namespace, Slug};
use crate::public::{Epoch, PublicRow, Revision};
use crate::time::Timestamp;
use crate::transparency_log::{EpochStatement, LogIndex, LogName};
use change_log::ChangeLog;
use look_alikes::LookAlikes;

pub use change_log::CatalogClock;

/// The public state of a namespace.
#[derive(Debug, Clone)]
pub struct NamespaceEntry {
    /// The last published state.
    pub state: NamespaceState,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of its last change.
    pub updated_at: Timestamp,
    skills: BTreeSet<Coordinate>,
}

impl NamespaceEntry {
    /// The skills of the namespace, by slug.
    pub fn skills(&self) -> impl ExactSizeIterator<Item = &Coordinate> {
        self.skills.iter()
    }

    /// Whether the namespace and its skills are listed. Archived ones are not.
    pub fn is_listed(&self) -> bool {
        self.state.status != NamespaceStatus::Archived
    }
}

/// The canonical archive of a package content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Archive {
    /// The sha256 of the archive.
    pub sha256: Digest,
    /// The size in bytes.
    pub size: u64,
}

/// The state after a prefix of the public rows. Only [`PublicCatalog::apply`]
/// changes it, and only that code decides which version is the latest, where tags
/// point, and which skills are in which list.
#[derive(Default)]
pub struct PublicCatalog {
    revision: Revision,
    at: Timestamp,
    people: HashMap<Handle, Arc<str>>,
    namespaces: BTreeMap<Namespace, NamespaceEntry>,
    /// The listed namespaces, the largest first.
    listed_namespaces: BTreeSet<(Reverse<usize>, Namespace)>,
    /// In boxes, so that a growing map moves pointers and not skills.
    skills: HashMap<Coordinate, Box<Skill>>,
    /// Removed skills, which can be restored.
    removed: HashMap<Coordinate, Box<Skill>>,
    /// The names of all skills, including removed ones.
    names: HashMap<Id, Coordinate>,
    /// The skills whose documents show a person.
    shown: HashMap<Handle, BTreeSet<Id>>,
    /// The skills that were promoted from another skill, by the name of the
    /// source.
    promoted: HashMap<Coordinate, BTreeSet<Id>>,
    bundles: BTreeMap<Namespace, BTreeMap<Slug, BundleEntry>>,
    /// The bundles that have a skill.
    bundled: HashMap<Coordinate, BTreeSet<BundleName>>,
    look_alikes: LookAlikes,
    advisories: Advisories,
    archives: HashMap<Digest, Archive>,
    lists: Lists,
    change_log: ChangeLog,
    counters: CounterShards,
    history: History,
    /// The names of the history before backups were restored.
    earlier_epochs: BTreeSet<Epoch>,
    /// The row that says so last, and the last revision of the backup.
    restored: Option<(Revision, Revision)>,
}

impl PublicCatalog {
    /// The catalog before the first row of a history.
    pub fn new(epoch: Epoch) -> Self {
        Self { history: History::new(epoch), ..Self::default() }
    }

    /// Applies the next public row, given as JSON and decoded.
    pub fn apply(&mut self, row: &PublicRow, decoded: DecodedRow) {
        self.history.push(row);
        self.apply_change(decoded);
    }

    /// Applies a row to everything but the history.
    fn apply_change(&mut self, decoded: DecodedRow) {
        self.revision = decoded.revision;
        self.at = decoded.at;
        let DecodedRow { revision, at, change } = decoded;
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
            PublicChange::Scanned(scanned) => {
                self.change(&scanned.skill.coordinate(), |skill| skill.judge(revision, at, &scanned));
            }
            PublicChange::TagSet(set) => self.set_tag(at, set),
            PublicChange::TagRemoved(name) => {
                self.change(&name.skill.coordinate(), |skill| drop(skill.tags.remove(&name.tag)))
            }
            PublicChange::SkillRemoved(name) => self.remove(&name.coordinate()),
            PublicChange::SkillRestored(name) => self.restore(revision, at, &name.coordinate()),
            PublicChange::AdvisoryPublished(advisory) => {
                // Only a false feed names other namespaces.
                if self.namespaces.contains_key(&advisory.skill.namespace) {
                    self.advisories.publish(revision, at, *advisory);
                }
            }
            PublicChange::AdvisoryWithdrawn(withdrawn) => self.advisories.withdraw(revision, at, withdrawn),
            PublicChange::AuthorChanged(changed) => {
                self.meet(&changed.author);
                self.give(revision, at, &changed.skill.coordinate(), &changed.author.handle);
            }
            PublicChange::BundleSet(bundle) => self.set_bundle(revision, at, *bundle),
            PublicChange::BundleRemoved(name) => self.remove_bundle(&name),
            PublicChange::PersonRenamed(person) => self.meet(&person),
            PublicChange::HistoryRestored(restored) => {
                self.earlier_epochs.extend(restored.earlier_epochs);
                self.restored = Some((revision, restored.backup_revision));
            }
            // The state is computed without the row from its start.
            PublicChange::Redacted(_) | PublicChange::RowRedacted(_) => {}
        }
    }

    /// Adds a row to feed and log alone. A partial mirror does not show what it changes.
    pub fn skip(&mut self, row: &PublicRow, decoded: &DecodedRow) {
        self.revision = decoded.revision;
        self.at = decoded.at;
        self.history.push(row);
    }

    /// Whether the skills of a namespace are listed.
    fn is_listed(&self, namespace: &Namespace) -> bool {
        self.namespaces.get(namespace).is_none_or(NamespaceEntry::is_listed)
    }

    /// The last public revision.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The time of the last public row.
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// The names of this history: the current one, then those before backups were restored.
    pub fn epochs(&self) -> impl Iterator<Item = &Epoch> {
        [self.history.feed.epoch()].into_iter().chain(&self.earlier_epochs)
    }

    /// What the registry of this name signs about its epoch. None if no backup was restored.
    pub fn epoch_statement(&self, name: &LogName) -> Option<EpochStatement> {
        let (row, backup_revision) = self.restored?;
        let size = self.history.log.index_of(row)?;
        Some(EpochStatement {
            name: name.clone(),
            epoch: self.history.feed.epoch().clone(),
            backup_revision,
            size,
            root: self.history.log.root_at(size)?,
            earlier: self.earlier_epochs.clone(),
        })
    }

    /// Whether a backup was restored.
    pub fn is_restored(&self) -> bool {
        self.restored.is_some()
    }

    /// The pages of the mirror feed.
    pub fn feed(&self) -> &FeedIndex {
        &self.history.feed
    }

    /// The transparency log of all public rows.
    pub fn log(&self) -> &LogIndex {
        &self.history.log
    }

    /// The skill with this name.
    pub fn skill(&self, coordinate: &Coordinate) -> Option<&Skill> {
        self.skills.get(coordinate).map(|skill| &**skill)
    }

    /// The removed skill with this name.
    pub fn removed(&self, coordinate: &Coordinate) -> Option<&Skill> {
        self.removed.get(coordinate).map(|skill| &**skill)
    }

    /// All removed skills, in no particular order.
    pub fn all_removed(&self) -> impl ExactSizeIterator<Item = &Skill> {
        self.removed.values().map(|skill| &**skill)
    }

    /// All advisories.
    pub fn advisories(&self) -> &Advisories {
        &self.advisories
    }

    /// The name of a skill, removed or not.
    pub fn name_of(&self, id: Id) -> Option<&Coordinate> {
        self.names.get(&id)
    }

    /// A skill by its id.
    pub fn skill_by_id(&self, id: Id) -> Option<&Skill> {
        self.name_of(id).and_then(|coordinate| self.skill(coordinate))
    }

    /// Whether any public row has shown this person.
    pub fn knows(&self, handle: &Handle) -> bool {
        self.people.contains_key(handle)
    }

    /// All skills, in no particular order.
    pub fn skills(&self) -> impl ExactSizeIterator<Item = &Skill> {
        self.skills.values().map(|skill| &**skill)
    }

    /// The archive that was created when this content was first published.
    pub fn archive(&self, content: &Digest) -> Option<Archive> {
        self.archives.get(content).copied()
    }

    /// How a person is shown.
    pub fn person(&self, handle: &Handle) -> Person {
        let name = self.people.get(handle);
        let display_name = name.map_or_else(|| handle.to_string(), ToString::to_string);
        Person { handle: handle.clone(), display_name }
    }

    /// Whether a skill is live: its namespace is not archived, and it has a
    /// latest version.
    pub fn is_live(&self, skill: &Skill) -> bool {
        self.is_listed(&skill.coordinate.namespace) && skill.latest().is_some()
    }

    /// The current state, for [`Self::changed_since`].
    pub fn clock(&self) -> CatalogClock {
        self.change_log.now()
    }

    /// The skills that may have changed, or become live or stopped being live,
    /// after `clock`. Changed counters alone do not count. None if the clock
    /// belongs to another catalog: then any skill may have changed.
    pub fn changed_since(&self, moment: CatalogClock) -> Option<impl Iterator<Item = Id>> {
        self.change_log.since(moment)
    }
}

//! Decides which documents a change outdates.
//!
//! It may name too many: unchanged documents are not written again, and missing ones are removed.
//! It must not name too few, because an incremental tree must equal a rebuilt one.

mod extent;
mod pages;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use registry::journal::Revision;
use registry::names::{Coordinate, Namespace, TagName};
use registry::public::{
    CounterShards, DecodedRow, Id, NamespaceStatus, PublicCatalog, PublicChange, Skill, TagRemoved, TagSet,
    Unyanked, Yanked,
};

use crate::address::skill::{
    about_all_of, about_repository, about_skill, about_tag, about_tags, about_version,
};
use crate::address::{ClawhubDocument, DEFAULT_SIZE, Document, LogTile, SkillList, WebPage};
use crate::settings::TreeSettings;

pub(crate) use self::extent::{Extent, extent, subject};

/// Collects the documents that changes outdate. The catalog already includes the changes.
pub(crate) struct Plan<'a> {
    catalog: &'a PublicCatalog,
    settings: &'a TreeSettings,
    outdated: BTreeSet<Document>,
    /// How many skills were added to each namespace or removed from it.
    member_changes: BTreeMap<Namespace, usize>,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(catalog: &'a PublicCatalog, settings: &'a TreeSettings) -> Self {
        Self { catalog, settings, outdated: BTreeSet::new(), member_changes: BTreeMap::new() }
    }

    /// The outdated documents.
    pub(crate) fn into_documents(mut self) -> BTreeSet<Document> {
        self.pages_with_another_number();
        self.outdated
    }

    /// Adds the documents that a row outdates.
    pub(crate) fn add_row(&mut self, row: &DecodedRow) {
        match &row.change {
            PublicChange::Published(published) => {
                let c = published.coordinate();
                self.outdated.extend(about_version(&c, &published.version));
                self.outdated.extend(about_skill(&c));
                for tag in published.tags.iter().cloned().chain([TagName::latest()]) {
                    self.outdated.extend(about_tag(&c, &tag));
                }
                self.repository(&c);
                self.lists_with(&published.namespace, 0);
                self.indexes_for_clients(&published.namespace);
                // Shows the number of skills, which a new skill changes.
                self.namespace(&published.namespace);
                match self.catalog.skill(&c) {
                    Some(skill) if skill.created_revision != row.revision => self.entry_pages(&c),
                    _ => self.member_pages(&c),
                }
            }
            PublicChange::NamespaceCreated(state) => {
                self.lists(Some(&state.slug), 0);
                self.namespace(&state.slug);
                self.namespace_pages(&state.slug);
            }
            PublicChange::NamespaceUpdated(state) => {
                self.namespace(&state.slug);
                self.namespace_pages(&state.slug);
                // Its skills may have left the lists or come back.
                let own = self.catalog.namespace(&state.slug).map_or(0, |entry| entry.skills().len());
                let gone = if state.status == NamespaceStatus::Archived { own } else { 0 };
                self.lists_with(&state.slug, gone);
                self.indexes_for_clients(&state.slug);
            }
            PublicChange::Yanked(Yanked { skill: name, version, .. })
            | PublicChange::Unyanked(Unyanked { skill: name, version }) => {
                let c = name.coordinate();
                self.outdated.extend(about_version(&c, version));
                self.outdated.extend(about_skill(&c));
                self.outdated.extend(self.known(&c).into_iter().flat_map(about_tags));
                self.repository(&c);
                self.lists_with(&name.namespace, 0);
                self.indexes_for_clients(&name.namespace);
                self.entry_pages(&c);
            }
            PublicChange::TagSet(TagSet { skill: name, tag, .. })
            | PublicChange::TagRemoved(TagRemoved { skill: name, tag }) => {
                let c = name.coordinate();
                self.outdated.extend(about_tag(&c, tag));
                self.page(WebPage::Skill(c.clone()));
                self.records_of(&c);
                self.lists_with(&name.namespace, 0);
            }
            PublicChange::SkillRemoved(name) | PublicChange::SkillRestored(name) => {
                let c = name.coordinate();
                self.outdated.extend(self.known(&c).into_iter().flat_map(about_all_of));
                self.lists_with(&name.namespace, 1);
                self.indexes_for_clients(&name.namespace);
                self.namespace(&name.namespace);
                self.member_pages(&c);
            }
            PublicChange::AuthorChanged(changed) => {
                let c = changed.skill.coordinate();
                self.entry_pages(&c);
                self.records_of(&c);
                self.lists_with(&changed.skill.namespace, 0);
                self.indexes_for_clients(&changed.skill.namespace);
            }
            PublicChange::PersonRenamed(person) => {
                let mut namespaces = BTreeSet::new();
                for shown in self.catalog.showing(&person.handle) {
                    let c = &shown.coordinate;
                    namespaces.insert(&c.namespace);
                    self.page(WebPage::Skill(c.clone()));
                    self.outdated.extend([Document::Skill(c.clone()), Document::Versions(c.clone())]);
                    let own = shown.versions.iter().filter(|entry| entry.published_by == person.handle);
                    self.outdated
                        .extend(own.map(|entry| Document::Version(c.clone(), entry.version.clone())));
                }
                for namespace in namespaces {
                    self.lists_with(namespace, 0);
                    self.all_pages_of(namespace);
                }
                self.page(WebPage::Home);
            }
            // The new history makes every document outdated anyway.
            PublicChange::HistoryRestored(_) | PublicChange::Redacted(_) | PublicChange::RowRedacted(_) => {}
        }
        let page = self.catalog.feed().page_of(row.revision);
        self.outdated.extend(page.map(|page| Document::Feed(page.number)));
        self.log_tiles(row.revision);
        self.outdated.extend([Document::Checkpoint, Document::Head]);
    }

    /// Adds the documents that new counters of a skill outdate.
    pub(crate) fn add_counters(&mut self, id: Id) {
        if let Some(skill) = self.catalog.skill_by_id(id) {
            self.outdated.insert(Document::Skill(skill.coordinate.clone()));
            self.lists_with(&skill.coordinate.namespace, 0);
            self.entry_pages(&skill.coordinate);
        }
        self.outdated.insert(Document::Counters(CounterShards::shard_of(id)));
    }

    /// The skill as it is now, even if it is removed: a later row may have restored or removed it.
    fn known(&self, c: &Coordinate) -> Option<&'a Skill> {
        self.catalog.skill(c).or_else(|| self.catalog.removed(c))
    }

    /// The git repository of a skill, which may have another latest version.
    fn repository(&mut self, c: &Coordinate) {
        if self.settings.git {
            self.outdated.extend(about_repository(c));
        }
    }

    /// The lists with a skill of this namespace, and search. They may have lost `gone` skills.
    fn lists_with(&mut self, namespace: &Namespace, gone: usize) {
        self.lists(Some(namespace), gone);
        self.lists(None, gone);
        // Writing the manifest also writes the pieces that it names.
        self.outdated.extend([Document::Skills, Document::Search, Document::SearchManifest]);
        self.outdated.extend(ClawhubDocument::lists().map(Document::Clawhub));
    }

    /// The records of a skill that show its tags and its author.
    fn records_of(&mut self, c: &Coordinate) {
        let clawhub = Document::Clawhub(ClawhubDocument::Skill(c.clone()));
        self.outdated.extend([Document::Skill(c.clone()), clawhub]);
    }

    /// A list in all orders. It may have lost `gone` skills.
    fn lists(&mut self, namespace: Option<&Namespace>, gone: usize) {
        let total = self.catalog.list_total(namespace) + gone;
        for sort in TreeSettings::orders(namespace).iter().copied() {
            for page in page_range(total, DEFAULT_SIZE, self.settings.depth_of(sort)) {
                let namespace = namespace.cloned();
                let list = SkillList { namespace, sort, page, size: DEFAULT_SIZE };
                self.outdated.insert(Document::SkillList(list));
            }
        }
    }

    /// The indexes from which other clients install the skills of a namespace. They show no counters,
    /// tags or people, and hold the skills that changed last.
    fn indexes_for_clients(&mut self, namespace: &Namespace) {
        let namespace = || namespace.clone();
        self.outdated.extend([
            Document::Marketplace(None),
            Document::Marketplace(Some(namespace())),
            Document::AgentSkills(namespace()),
        ]);
    }

    /// The tiles of the log that a row adds to, and the partial ones that they replace.
    fn log_tiles(&mut self, revision: Revision) {
        let Some(index) = self.catalog.log().index_of(revision) else { return };
        for tile in LogTile::new_ones(index, index + 1) {
            let replaced = (tile.width > 1).then(|| LogTile { width: tile.width - 1, ..tile });
            self.outdated.extend([tile].into_iter().chain(replaced).map(Document::LogTile));
        }
    }

    fn namespace(&mut self, name: &Namespace) {
        self.outdated.extend([Document::Namespace(name.clone()), Document::Namespaces]);
        let pages = page_range(self.catalog.listed_namespaces() + 1, DEFAULT_SIZE, self.settings.list_depth);
        self.outdated.extend(pages.map(|page| Document::NamespaceList { page, size: DEFAULT_SIZE }));
    }
}

/// The pages that a list of `total` items has or had, and one more.
fn page_range(total: usize, size: u64, depth: u64) -> RangeInclusive<u64> {
    let last = (total as u64).div_ceil(size) + 1;
    1..=if depth == 0 { last } else { last.min(depth) }
}

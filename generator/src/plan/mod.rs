//! Decides which documents a change outdates.
//!
//! It may name too many: unchanged documents are not written again, and missing ones are removed.
//! It must not name too few, because an incremental tree must equal a rebuilt one.

mod extent;
mod pages;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use registry::journal::Revision;
use registry::names::{BundleName, Coordinate, Namespace, TagName};
use registry::public::{
    AdvisoryId, CounterShards, DecodedRow, Id, NamespaceStatus, PublicCatalog, PublicChange, Skill,
    TagRemoved, TagSet, Unyanked, Yanked,
};

use crate::address::{DEFAULT_SIZE, Document, LogTile, WebPage};
use crate::documents::kind::Cause;
use crate::documents::list_pages::first_pages;
use crate::documents::{Subject, outdated_by, subjects_of};
use crate::settings::TreeSettings;

pub(crate) use self::extent::{Extent, extent, subject};

/// Collects the documents that changes outdate. The catalog already includes the changes.
pub(crate) struct Plan<'a> {
    catalog: &'a PublicCatalog,
    settings: &'a TreeSettings,
    outdated: BTreeSet<Document>,
    /// Skills that rows added, removed or restored, and the first of these rows.
    members: BTreeSet<Coordinate>,
    first_member: Option<Revision>,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(catalog: &'a PublicCatalog, settings: &'a TreeSettings) -> Self {
        let (outdated, members) = (BTreeSet::new(), BTreeSet::new());
        Self { catalog, settings, outdated, members, first_member: None }
    }

    /// The outdated documents.
    pub(crate) fn into_documents(mut self) -> BTreeSet<Document> {
        self.member_pages();
        self.outdated
    }

    /// Adds the documents that a row outdates.
    pub(crate) fn add_row(&mut self, row: &DecodedRow) {
        match &row.change {
            PublicChange::Published(published) => {
                let c = published.coordinate();
                self.add(Cause::Published, Subject::Version(&c, &published.version));
                for tag in published.tags.iter().chain([&TagName::latest()]) {
                    self.add(Cause::Published, Subject::Tag(&c, tag));
                }
                self.skill(Cause::Published, &c, 0);
                match self.catalog.skill(&c) {
                    Some(skill) if skill.created_revision != row.revision => self.entry_pages(&c),
                    _ => self.member(c, row.revision),
                }
            }
            PublicChange::NamespaceCreated(state) => {
                self.namespace(Cause::NamespaceCreated, &state.slug, 0);
                self.namespace_pages(&state.slug);
            }
            PublicChange::NamespaceUpdated(state) => {
                // Its skills may have left the lists or come back.
                let own = self.catalog.namespace(&state.slug).map_or(0, |entry| entry.skills().len());
                let gone = if state.status == NamespaceStatus::Archived { own } else { 0 };
                self.namespace(Cause::NamespaceUpdated, &state.slug, gone);
                self.namespace_pages(&state.slug);
            }
            PublicChange::Yanked(Yanked { skill: name, version, .. })
            | PublicChange::Unyanked(Unyanked { skill: name, version }) => {
                let c = name.coordinate();
                self.add(Cause::Yanked, Subject::Version(&c, version));
                let latest = TagName::latest();
                for tag in self.known(&c).into_iter().flat_map(|skill| skill.tags.keys()).chain([&latest]) {
                    self.add(Cause::Yanked, Subject::Tag(&c, tag));
                }
                self.skill(Cause::Yanked, &c, 0);
                self.entry_pages(&c);
            }
            PublicChange::AdvisoryPublished(advisory) => {
                self.advisory(&advisory.skill.coordinate(), AdvisoryId(Id(row.revision)));
            }
            PublicChange::AdvisoryWithdrawn(withdrawn) => {
                self.advisory(&withdrawn.skill.coordinate(), withdrawn.advisory);
            }
            // Only records and pages of the skill and its version show verdicts.
            PublicChange::Scanned(scanned) => {
                let c = scanned.skill.coordinate();
                self.add(Cause::Advisory, Subject::Version(&c, &scanned.version));
                self.add(Cause::Advisory, Subject::Skill(&c));
            }
            PublicChange::TagSet(TagSet { skill: name, tag, .. })
            | PublicChange::TagRemoved(TagRemoved { skill: name, tag }) => {
                let c = name.coordinate();
                self.add(Cause::Tag, Subject::Tag(&c, tag));
                self.skill(Cause::Tag, &c, 0);
            }
            PublicChange::SkillRemoved(name) | PublicChange::SkillRestored(name) => {
                let c = name.coordinate();
                for subject in self.known(&c).into_iter().flat_map(subjects_of) {
                    self.add(Cause::Removed, subject);
                }
                self.skill(Cause::Removed, &c, 1);
                self.member(c, row.revision);
            }
            PublicChange::AuthorChanged(changed) => {
                let c = changed.skill.coordinate();
                self.skill(Cause::Author, &c, 0);
                self.entry_pages(&c);
            }
            PublicChange::BundleSet(bundle) => self.bundle_and_page(&bundle.name),
            PublicChange::BundleRemoved(name) => self.bundle_and_page(name),
            PublicChange::PersonRenamed(person) => {
                let mut namespaces = BTreeSet::new();
                for shown in self.catalog.showing(&person.handle) {
                    let c = &shown.coordinate;
                    namespaces.insert(&c.namespace);
                    self.entry_pages(c);
                    self.add(Cause::Person, Subject::Skill(c));
                    for own in shown.versions.iter().filter(|entry| entry.published_by == person.handle) {
                        self.add(Cause::Person, Subject::Version(c, &own.version));
                    }
                }
                for namespace in namespaces {
                    self.namespace(Cause::Person, namespace, 0);
                }
            }
            // The new history makes every document outdated anyway.
            PublicChange::HistoryRestored(_) | PublicChange::Redacted(_) | PublicChange::RowRedacted(_) => {}
        }
        let page = self.catalog.feed().page_of(row.revision);
        self.outdated.extend(page.map(|page| Document::Feed(page.number)));
        self.log_tiles(row.revision);
        self.add(Cause::Row, Subject::Registry);
    }

    /// Adds the documents that an advisory about a skill outdates.
    fn advisory(&mut self, c: &Coordinate, id: AdvisoryId) {
        self.outdated.extend([Document::Advisory(id), Document::SkillAdvisories(c.clone())]);
        let advisory = self.catalog.advisories().get(id);
        if let (Some(advisory), Some(skill)) = (advisory, self.catalog.skill(c)) {
            for entry in skill.versions.iter().filter(|entry| advisory.is_about(&entry.version)) {
                self.add(Cause::Advisory, Subject::Version(c, &entry.version));
            }
            self.add(Cause::Advisory, Subject::Skill(c));
        }
        self.add(Cause::Advisory, Subject::Registry);
    }

    /// Adds the documents that new counters of a skill outdate.
    pub(crate) fn add_counters(&mut self, id: Id) {
        if let Some(skill) = self.catalog.skill_by_id(id) {
            self.skill(Cause::Counters, &skill.coordinate, 0);
            self.entry_pages(&skill.coordinate);
        }
        self.outdated.insert(Document::Counters(CounterShards::shard_of(id)));
    }

    /// Adds the documents of a subject that a change of it outdates.
    fn add(&mut self, cause: Cause, subject: Subject<'_>) {
        let documents = outdated_by(cause, subject);
        // A tree without repositories need not look for them.
        self.outdated.extend(documents.filter(|of| self.settings.git || !matches!(of, Document::Git(..))));
    }

    /// Adds the documents that a change of a skill outdates: its own, and those that show it. Lists may
    /// have lost `gone` skills.
    fn skill(&mut self, cause: Cause, c: &Coordinate, gone: usize) {
        self.add(cause, Subject::Skill(c));
        // Counters and people are not in the documents of bundles.
        if !matches!(cause, Cause::Counters | Cause::Person) {
            self.catalog.bundles_with(c).for_each(|name| self.bundle(name));
        }
        self.namespace(cause, &c.namespace, gone);
    }

    /// Adds the documents that a change of a bundle, or of a skill in it, outdates.
    fn bundle(&mut self, name: &BundleName) {
        self.add(Cause::Bundle, Subject::Bundle(name));
        self.add(Cause::Bundle, Subject::Namespace(&name.namespace));
    }

    /// The page of its namespace lists the bundle.
    fn bundle_and_page(&mut self, name: &BundleName) {
        self.bundle(name);
        self.page(WebPage::Namespace(name.namespace.clone()));
    }

    /// Adds the documents that a change of a namespace, or of a skill in it, outdates: those that show
    /// the namespace, and those of the registry. Pages for browsers are in `pages.rs`.
    fn namespace(&mut self, cause: Cause, name: &Namespace, gone: usize) {
        self.add(cause, Subject::Namespace(name));
        self.add(cause, Subject::Registry);
        for first in first_pages(Some(name)).into_iter().chain(first_pages(None)) {
            if first.kind().outdated_by.contains(&cause) {
                self.list(&first, gone);
            }
        }
    }

    /// Adds the pages that a list has, or had before it lost `gone` items.
    fn list(&mut self, first: &Document, gone: usize) {
        let (total, depth) = match first {
            Document::SkillList(list) => {
                (self.catalog.list_total(list.namespace.as_ref()) + gone, self.settings.depth_of(list.sort))
            }
            // A namespace that was archived has left the list.
            _ => (self.catalog.listed_namespaces() + 1, self.settings.list_depth),
        };
        let pages = page_range(total, DEFAULT_SIZE, depth);
        self.outdated.extend(pages.filter_map(|page| first.with_page(page)));
    }

    /// The skill as it is now, even if it is removed: a later row may have restored or removed it.
    fn known(&self, c: &Coordinate) -> Option<&'a Skill> {
        self.catalog.skill(c).or_else(|| self.catalog.removed(c))
    }

    /// The tiles of the log that a row adds to, and the partial ones that they replace.
    fn log_tiles(&mut self, revision: Revision) {
        let Some(index) = self.catalog.log().index_of(revision) else { return };
        for tile in LogTile::new_ones(index, index + 1) {
            let replaced = (tile.width > 1).then(|| LogTile { width: tile.width - 1, ..tile });
            self.outdated.extend([tile].into_iter().chain(replaced).map(Document::LogTile));
        }
    }
}

/// The pages that a list of `total` items has or had, and one more.
fn page_range(total: usize, size: u64, depth: u64) -> RangeInclusive<u64> {
    let last = (total as u64).div_ceil(size) + 1;
    1..=if depth == 0 { last } else { last.min(depth) }
}

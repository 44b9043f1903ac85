//! Decides which documents a change outdates.
//!
//! It may name too many: unchanged documents are not written again, and missing ones are removed.
//! It must not name too few, because an incremental tree must equal a rebuilt one.

mod pages;

use std::collections::BTreeSet;

use registry::names::{Coordinate, Namespace, TagName, Version};
use registry::public::{
    CounterShards, DecodedRow, Id, NamespaceStatus, PublicCatalog, PublicChange, Sort, TagRemoved, TagSet,
    Unyanked, Yanked,
};

use crate::address::{DEFAULT_SIZE, Document, Pointer, SkillList, WebPage};
use crate::settings::TreeSettings;

/// Adds the documents that `row` outdates to `stale`. The catalog already includes the row.
pub(crate) fn plan(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    row: &DecodedRow,
    stale: &mut BTreeSet<Document>,
) {
    match &row.change {
        PublicChange::Published(published) => {
            let c = published.coordinate();
            version(&c, &published.version, stale);
            skill(&c, stale);
            for tag in published.tags.iter().cloned().chain([TagName::latest()]) {
                pointer(&c, &Pointer::Tag(tag), stale);
            }
            lists_with(catalog, settings, &published.namespace, 0, stale);
            // Shows the number of skills, which a new skill changes.
            namespace(catalog, settings, &published.namespace, stale);
            match catalog.skill(&c) {
                Some(skill) if skill.created_revision != row.revision => {
                    pages::entry(catalog, settings, &c, stale);
                }
                _ => pages::member(catalog, settings, &c, stale),
            }
        }
        PublicChange::NamespaceCreated(state) => {
            lists(catalog, settings, Some(&state.slug), 0, stale);
            namespace(catalog, settings, &state.slug, stale);
            pages::namespace(catalog, settings, &state.slug, stale);
        }
        PublicChange::NamespaceUpdated(state) => {
            namespace(catalog, settings, &state.slug, stale);
            pages::namespace(catalog, settings, &state.slug, stale);
            // Its skills may have left the lists or come back.
            let own = catalog.namespace(&state.slug).map_or(0, |entry| entry.skills().len());
            let gone = if state.status == NamespaceStatus::Archived { own } else { 0 };
            lists_with(catalog, settings, &state.slug, gone, stale);
        }
        PublicChange::Yanked(Yanked { skill: name, version: v, .. })
        | PublicChange::Unyanked(Unyanked { skill: name, version: v }) => {
            let c = name.coordinate();
            version(&c, v, stale);
            skill(&c, stale);
            tags(catalog, &c, stale);
            lists_with(catalog, settings, &name.namespace, 0, stale);
            pages::entry(catalog, settings, &c, stale);
        }
        PublicChange::TagSet(TagSet { skill: name, tag, .. })
        | PublicChange::TagRemoved(TagRemoved { skill: name, tag }) => {
            let c = name.coordinate();
            pointer(&c, &Pointer::Tag(tag.clone()), stale);
            pages::skill(&c, stale);
            stale.insert(Document::Skill(c));
            lists_with(catalog, settings, &name.namespace, 0, stale);
        }
        PublicChange::SkillRemoved(name) | PublicChange::SkillRestored(name) => {
            let c = name.coordinate();
            skill(&c, stale);
            tags(catalog, &c, stale);
            // The skill as it is now: another row may have restored or removed it again.
            let known = catalog.skill(&c).or_else(|| catalog.removed(&c));
            for entry in known.into_iter().flat_map(|skill| &skill.versions) {
                version(&c, &entry.version, stale);
            }
            lists_with(catalog, settings, &name.namespace, 1, stale);
            namespace(catalog, settings, &name.namespace, stale);
            pages::member(catalog, settings, &c, stale);
        }
        PublicChange::AuthorChanged(changed) => {
            let c = changed.skill.coordinate();
            pages::entry(catalog, settings, &c, stale);
            stale.insert(Document::Skill(c));
            lists_with(catalog, settings, &changed.skill.namespace, 0, stale);
        }
        PublicChange::PersonRenamed(person) => {
            let mut namespaces = BTreeSet::new();
            for shown in catalog.showing(&person.handle) {
                let c = &shown.coordinate;
                namespaces.insert(&c.namespace);
                pages::skill(c, stale);
                stale.insert(Document::Skill(c.clone()));
                stale.insert(Document::Versions(c.clone()));
                let own = shown.versions.iter().filter(|entry| entry.published_by == person.handle);
                stale.extend(own.map(|entry| Document::Version(c.clone(), entry.version.clone())));
            }
            for namespace in namespaces {
                lists_with(catalog, settings, namespace, 0, stale);
                pages::of_namespace(catalog, settings, namespace, stale);
            }
            stale.insert(Document::Page(WebPage::Home));
        }
    }
    stale.extend(catalog.feed().page_of(row.revision).map(|page| Document::Feed(page.number)));
    stale.insert(Document::Head);
}

/// Adds the documents that new counters of a skill outdate to `stale`.
pub(crate) fn plan_counters(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    id: Id,
    stale: &mut BTreeSet<Document>,
) {
    if let Some(skill) = catalog.skill_by_id(id) {
        stale.insert(Document::Skill(skill.coordinate.clone()));
        lists_with(catalog, settings, &skill.coordinate.namespace, 0, stale);
        pages::entry(catalog, settings, &skill.coordinate, stale);
    }
    stale.insert(Document::Counters(CounterShards::shard_of(id)));
}

fn version(c: &Coordinate, version: &Version, stale: &mut BTreeSet<Document>) {
    let version = || version.clone();
    stale.insert(Document::Package(c.clone(), version()));
    stale.insert(Document::Version(c.clone(), version()));
    stale.insert(Document::Files(c.clone(), version()));
    pointer(c, &Pointer::Version(version()), stale);
}

fn pointer(c: &Coordinate, pointer: &Pointer, stale: &mut BTreeSet<Document>) {
    stale.insert(Document::Resolve(c.clone(), Some(pointer.clone())));
    stale.insert(Document::CompatResolve(c.clone(), Some(pointer.clone())));
    stale.insert(Document::CompatPackage(c.clone(), pointer.clone()));
}

fn skill(c: &Coordinate, stale: &mut BTreeSet<Document>) {
    stale.insert(Document::Skill(c.clone()));
    stale.insert(Document::Versions(c.clone()));
    stale.insert(Document::Resolve(c.clone(), None));
    stale.insert(Document::CompatResolve(c.clone(), None));
    stale.insert(Document::LatestPackage(c.clone()));
}

/// All tags of a skill, including `latest`.
fn tags(catalog: &PublicCatalog, c: &Coordinate, stale: &mut BTreeSet<Document>) {
    let known = catalog.skill(c).or_else(|| catalog.removed(c));
    let tags = known.into_iter().flat_map(|skill| skill.tags.keys().cloned());
    for tag in tags.chain([TagName::latest()]) {
        pointer(c, &Pointer::Tag(tag), stale);
    }
}

/// The pages that a list of `total` items has or had, and one more.
fn page_range(total: usize, size: u64, depth: u64) -> std::ops::RangeInclusive<u64> {
    let last = (total as u64).div_ceil(size) + 1;
    1..=if depth == 0 { last } else { last.min(depth) }
}

/// The lists with a skill of this namespace, and search. They may have lost `gone` skills.
fn lists_with(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    namespace: &Namespace,
    gone: usize,
    stale: &mut BTreeSet<Document>,
) {
    lists(catalog, settings, Some(namespace), gone, stale);
    lists(catalog, settings, None, gone, stale);
    stale.insert(Document::Skills);
    // Writing the manifest also writes the pieces that it names.
    stale.extend([Document::Search, Document::SearchManifest]);
}

/// A list in all orders. It may have lost `gone` skills.
fn lists(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    namespace: Option<&Namespace>,
    gone: usize,
    stale: &mut BTreeSet<Document>,
) {
    let total = catalog.list_total(namespace) + gone;
    for sort in Sort::ALL {
        for page in page_range(total, DEFAULT_SIZE, settings.depth_of(sort)) {
            let namespace = namespace.cloned();
            stale.insert(Document::SkillList(SkillList { namespace, sort, page, size: DEFAULT_SIZE }));
        }
    }
}

fn namespace(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    name: &Namespace,
    stale: &mut BTreeSet<Document>,
) {
    stale.insert(Document::Namespace(name.clone()));
    stale.insert(Document::Namespaces);
    for page in page_range(catalog.listed_namespaces() + 1, DEFAULT_SIZE, settings.list_depth) {
        stale.insert(Document::NamespaceList { page, size: DEFAULT_SIZE });
    }
}

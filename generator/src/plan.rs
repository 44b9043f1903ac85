//! Which documents a change makes stale: the one place that knows.
//!
//! It may name too many (what turns out equal is not written again, what does
//! not exist is removed), never too few: an incremental tree must equal a full
//! regeneration.

use std::collections::BTreeSet;

use registry::names::{Coordinate, Namespace, TagName};
use registry::public::{DecodedRow, NamespaceStatus, PublicCatalog, PublicChange, Published, Sort};

use crate::address::{DEFAULT_SIZE, Document, Pointer, SkillList};
use crate::settings::TreeSettings;

/// Adds to `stale` what `row` touches; `catalog` has taken it in already.
pub(crate) fn plan(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    row: &DecodedRow,
    stale: &mut BTreeSet<Document>,
) {
    match &row.change {
        PublicChange::Published(published) => {
            let c = published.coordinate();
            version(&c, published, stale);
            skill(&c, stale);
            for tag in published.tags.iter().cloned().chain([TagName::latest()]) {
                pointer(&c, &Pointer::Tag(tag), stale);
            }
            lists(catalog, settings, Some(&published.namespace), 0, stale);
            lists(catalog, settings, None, 0, stale);
            stale.insert(Document::Skills);
            // The number of its skills, where the skill is new.
            namespace(catalog, settings, &published.namespace, stale);
        }
        PublicChange::NamespaceCreated(state) => {
            lists(catalog, settings, Some(&state.slug), 0, stale);
            namespace(catalog, settings, &state.slug, stale);
        }
        PublicChange::NamespaceUpdated(state) => {
            namespace(catalog, settings, &state.slug, stale);
            // Its skills may have left the lists, or come back.
            let own = catalog.namespace(&state.slug).map_or(0, |entry| entry.skills().len());
            let gone = if state.status == NamespaceStatus::Archived { own } else { 0 };
            lists(catalog, settings, Some(&state.slug), gone, stale);
            lists(catalog, settings, None, gone, stale);
            stale.insert(Document::Skills);
        }
    }
    stale.extend(catalog.feed().page_of(row.revision).map(|page| Document::Feed(page.number)));
    stale.insert(Document::Head);
}

fn version(c: &Coordinate, published: &Published, stale: &mut BTreeSet<Document>) {
    let version = || published.version.clone();
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

/// The pages that a list of that many items has or had, and one more.
fn pages(total: usize, settings: &TreeSettings) -> std::ops::RangeInclusive<u64> {
    let most = (total as u64).div_ceil(DEFAULT_SIZE) + 1;
    1..=if settings.list_depth == 0 { most } else { most.min(settings.list_depth) }
}

/// All orders of a list that lost `gone` skills at most.
fn lists(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    namespace: Option<&Namespace>,
    gone: usize,
    stale: &mut BTreeSet<Document>,
) {
    for page in pages(catalog.list_total(namespace) + gone, settings) {
        for sort in Sort::ALL {
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
    for page in pages(catalog.listed_namespaces() + 1, settings) {
        stale.insert(Document::NamespaceList { page, size: DEFAULT_SIZE });
    }
}

//! Which documents there are at a revision.

use registry::names::{Coordinate, Namespace, TagName};
use registry::public::{NamespaceEntry, PublicCatalog, Skill, Sort};

use super::{DEFAULT_SIZE, Document, Pointer, SkillList, Stage};
use crate::settings::TreeSettings;

/// Whether the tree has this document. Others may still be rendered, such as
/// pages of another size.
pub fn exists(catalog: &PublicCatalog, settings: &TreeSettings, document: &Document) -> bool {
    let skill = |c: &Coordinate| catalog.skill(c);
    let points = |c: &Coordinate, pointer: &Pointer| match pointer {
        Pointer::Version(version) => skill(c).is_some_and(|skill| skill.version(version).is_some()),
        Pointer::Tag(tag) => skill(c).is_some_and(|skill| skill.tagged(tag).is_some()),
    };
    match document {
        Document::Package(c, v) | Document::Version(c, v) | Document::Files(c, v) => {
            skill(c).is_some_and(|skill| skill.version(v).is_some())
        }
        Document::CompatPackage(c, pointer)
        | Document::Resolve(c, Some(pointer))
        | Document::CompatResolve(c, Some(pointer)) => points(c, pointer),
        Document::LatestPackage(c) | Document::Resolve(c, None) | Document::CompatResolve(c, None) => {
            skill(c).is_some_and(|skill| skill.latest().is_some())
        }
        Document::Skill(c) | Document::Versions(c) => skill(c).is_some(),
        Document::Namespace(name) => catalog.namespace(name).is_some(),
        Document::SkillList(list) => {
            let listed = |name| catalog.namespace(name).is_some_and(NamespaceEntry::is_listed);
            list.size == DEFAULT_SIZE
                && list.namespace.as_ref().is_none_or(listed)
                && list.page <= pages(catalog.list_total(list.namespace.as_ref()), settings)
        }
        Document::NamespaceList { page, size } => {
            *size == DEFAULT_SIZE && *page <= pages(catalog.listed_namespaces(), settings)
        }
        Document::Feed(page) => catalog.feed().page(*page).is_some(),
        Document::Skills
        | Document::Namespaces
        | Document::Discovery
        | Document::Counters(_)
        | Document::Settings
        | Document::Head => true,
    }
}

/// How many pages of a list are documents: at least the first, even empty.
fn pages(total: usize, settings: &TreeSettings) -> u64 {
    let all = (total as u64).div_ceil(DEFAULT_SIZE).max(1);
    if settings.list_depth == 0 { all } else { all.min(settings.list_depth) }
}

/// Calls `visit` with each document of a stage that exists.
pub fn for_each<E>(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    stage: Stage,
    visit: &mut dyn FnMut(Document) -> Result<(), E>,
) -> Result<(), E> {
    match stage {
        Stage::Package | Stage::Version => {
            for skill in catalog.skills() {
                of_versions(skill, stage, visit)?;
            }
        }
        Stage::Skill => {
            for skill in catalog.skills() {
                of_skill(skill).try_for_each(&mut *visit)?;
            }
            for entry in catalog.namespaces() {
                visit(Document::Namespace(entry.state.slug.clone()))?;
            }
        }
        Stage::List => {
            [Document::Discovery, Document::Skills, Document::Namespaces]
                .into_iter()
                .try_for_each(&mut *visit)?;
            for page in 1..=pages(catalog.listed_namespaces(), settings) {
                visit(Document::NamespaceList { page, size: DEFAULT_SIZE })?;
            }
            let names =
                catalog.namespaces().filter(|entry| entry.is_listed()).map(|entry| Some(&entry.state.slug));
            for namespace in std::iter::once(None).chain(names) {
                lists(catalog, settings, namespace).try_for_each(&mut *visit)?;
            }
        }
        Stage::Feed => {
            (0..=u8::MAX).map(Document::Counters).try_for_each(&mut *visit)?;
            visit(Document::Settings)?;
            (1..=catalog.feed().pages()).map(Document::Feed).try_for_each(&mut *visit)?;
        }
        Stage::Head => visit(Document::Head)?,
    }
    Ok(())
}

fn of_versions<E>(
    skill: &Skill,
    stage: Stage,
    visit: &mut dyn FnMut(Document) -> Result<(), E>,
) -> Result<(), E> {
    let c = || skill.coordinate.clone();
    for version in skill.versions.iter().map(|entry| &entry.version) {
        let pointer = || Pointer::Version(version.clone());
        if stage == Stage::Package {
            visit(Document::Package(c(), version.clone()))?;
            visit(Document::CompatPackage(c(), pointer()))?;
        } else {
            visit(Document::Version(c(), version.clone()))?;
            visit(Document::Files(c(), version.clone()))?;
            visit(Document::Resolve(c(), Some(pointer())))?;
            visit(Document::CompatResolve(c(), Some(pointer())))?;
        }
    }
    Ok(())
}

/// What is said about a skill as a whole, by its tags and by no version.
fn of_skill(skill: &Skill) -> impl Iterator<Item = Document> + '_ {
    let c = || skill.coordinate.clone();
    let latest = skill.latest().is_some();
    let always = [Document::Skill(c()), Document::Versions(c())];
    let defaults =
        [Document::Resolve(c(), None), Document::CompatResolve(c(), None), Document::LatestPackage(c())];
    let tags = skill.tags.keys().cloned().chain(latest.then(TagName::latest));
    let tagged = tags.flat_map(move |tag| {
        let pointer = || Pointer::Tag(tag.clone());
        [
            Document::Resolve(c(), Some(pointer())),
            Document::CompatResolve(c(), Some(pointer())),
            Document::CompatPackage(c(), pointer()),
        ]
    });
    always.into_iter().chain(defaults.into_iter().filter(move |_| latest)).chain(tagged)
}

fn lists<'a>(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    namespace: Option<&'a Namespace>,
) -> impl Iterator<Item = Document> + 'a {
    let pages = pages(catalog.list_total(namespace), settings);
    Sort::ALL.into_iter().flat_map(move |sort| {
        (1..=pages).map(move |page| {
            let namespace = namespace.cloned();
            Document::SkillList(SkillList { namespace, sort, page, size: DEFAULT_SIZE })
        })
    })
}

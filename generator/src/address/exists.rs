//! Decides which documents a tree has.

use std::sync::Arc;

use registry::names::{Coordinate, Namespace, TagName};
use registry::public::{NamespaceEntry, PublicCatalog, Skill, Sort};

use super::site::{self, last_page};
use super::{AssetPath, DEFAULT_SIZE, Document, Pointer, SkillList, Stage, WebPage};
use crate::render::RenderContext;
use crate::settings::TreeSettings;

/// Whether the tree has this document. The server can render more, such as pages of another size.
pub fn exists(context: RenderContext<'_>, document: &Document) -> bool {
    let RenderContext { catalog, settings, .. } = context;
    let skill = |c: &Coordinate| catalog.skill(c);
    let points = |c: &Coordinate, pointer: &Pointer| match pointer {
        Pointer::Version(version) => skill(c).is_some_and(|skill| skill.offered(version).is_some()),
        Pointer::Tag(tag) => skill(c).is_some_and(|skill| skill.tagged(tag).is_some()),
    };
    match document {
        Document::Package(c, v)
        | Document::CompatPackage(c, Pointer::Version(v))
        | Document::Version(c, v)
        | Document::Files(c, v) => skill(c).is_some_and(|skill| skill.version(v).is_some()),
        Document::CompatPackage(c, pointer @ Pointer::Tag(_))
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
                && list.page
                    <= pages(catalog.list_total(list.namespace.as_ref()), settings.depth_of(list.sort))
        }
        Document::NamespaceList { page, size } => {
            *size == DEFAULT_SIZE && *page <= pages(catalog.listed_namespaces(), settings.list_depth)
        }
        Document::Feed(page) => catalog.feed().page(*page).is_some(),
        Document::SearchPiece(name) => context.search.current(catalog).piece(*name).is_some(),
        Document::SearchPage(asked) => {
            (asked.page, asked.limit) == (1, DEFAULT_SIZE)
                && context.search.current(catalog).is_precomputed(&asked.q)
        }
        Document::KeywordList(_) => false,
        Document::Page(page) => site::has(catalog, page, settings),
        Document::Skills
        | Document::Namespaces
        | Document::Search
        | Document::SearchManifest
        | Document::Discovery
        | Document::OpenApi
        | Document::Counters(_)
        | Document::Settings
        | Document::Head
        | Document::Asset(_) => true,
    }
}

/// Documents of the list stage that every registry has exactly once.
const ONCE: [Document; 6] = [
    Document::Discovery,
    Document::OpenApi,
    Document::Skills,
    Document::Namespaces,
    Document::Search,
    Document::SearchManifest,
];

/// How many pages of a list are documents: at least the first, even if the list is empty.
fn pages(total: usize, depth: u64) -> u64 {
    last_page(total, DEFAULT_SIZE, depth)
}

/// A part of a registry whose documents can be listed separately, so that the catalog is never
/// locked for all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unit {
    /// A skill and its versions.
    Skill(Coordinate),
    /// A namespace, its lists and its pages.
    Namespace(Namespace),
    /// Everything that exists once.
    Registry,
    /// A query with a precomputed answer.
    Query(Arc<str>),
    /// A page of the feed.
    Feed(u64),
}

/// Lists the registry's parts.
pub fn units(context: RenderContext<'_>) -> Vec<Unit> {
    let catalog = context.catalog;
    let skills = catalog.skills().map(|skill| Unit::Skill(skill.coordinate.clone()));
    let namespaces = catalog.namespaces().map(|entry| Unit::Namespace(entry.state.slug.clone()));
    let feed = (1..=catalog.feed().pages()).map(Unit::Feed);
    let index = context.search.current(catalog);
    let queries = index.precomputed().cloned().map(Unit::Query);
    skills.chain(namespaces).chain([Unit::Registry]).chain(queries).chain(feed).collect()
}

/// Calls `visit` with each existing document of a stage.
pub fn for_each<E>(
    context: RenderContext<'_>,
    stage: Stage,
    visit: &mut dyn FnMut(Document) -> Result<(), E>,
) -> Result<(), E> {
    units(context).iter().try_for_each(|unit| of_unit(context, stage, unit, visit))
}

/// Calls `visit` with each existing document of a part and stage.
pub fn of_unit<E>(
    context: RenderContext<'_>,
    stage: Stage,
    unit: &Unit,
    visit: &mut dyn FnMut(Document) -> Result<(), E>,
) -> Result<(), E> {
    let RenderContext { catalog, settings, .. } = context;
    match (unit, stage) {
        (Unit::Skill(c), Stage::Package | Stage::Version) => match catalog.skill(c) {
            Some(skill) => of_versions(skill, stage, visit),
            None => Ok(()),
        },
        (Unit::Skill(c), Stage::Skill) => catalog.skill(c).into_iter().flat_map(of_skill).try_for_each(visit),
        (Unit::Namespace(name), Stage::Skill) => visit(Document::Namespace(name.clone())),
        (Unit::Namespace(name), Stage::List) => {
            let is_listed = catalog.namespace(name).is_some_and(NamespaceEntry::is_listed);
            lists(catalog, settings, Some(name)).filter(|_| is_listed).try_for_each(&mut *visit)?;
            site::of_namespace(catalog, name, settings).try_for_each(visit)
        }
        (Unit::Registry, Stage::Package) => AssetPath::all().map(Document::Asset).try_for_each(visit),
        (Unit::Registry, Stage::Piece) => {
            // Collected first, because `visit` may lock the index again.
            let pieces: Vec<_> = context.search.current(catalog).pieces().collect();
            pieces.into_iter().map(Document::SearchPiece).try_for_each(visit)
        }
        (Unit::Registry, Stage::List) => {
            ONCE.into_iter().try_for_each(&mut *visit)?;
            for page in 1..=pages(catalog.listed_namespaces(), settings.list_depth) {
                visit(Document::NamespaceList { page, size: DEFAULT_SIZE })?;
            }
            lists(catalog, settings, None).try_for_each(&mut *visit)?;
            site::of_registry(catalog, settings).try_for_each(visit)
        }
        (Unit::Query(query), Stage::List) => {
            let document = Document::answer(query);
            if exists(context, &document) { visit(document) } else { Ok(()) }
        }
        (Unit::Registry, Stage::Feed) => {
            (0..=u8::MAX).map(Document::Counters).try_for_each(&mut *visit)?;
            visit(Document::Settings)
        }
        (Unit::Feed(page), Stage::Feed) => visit(Document::Feed(*page)),
        (Unit::Registry, Stage::Head) => visit(Document::Head),
        _ => Ok(()),
    }
}

fn of_versions<E>(
    skill: &Skill,
    stage: Stage,
    visit: &mut dyn FnMut(Document) -> Result<(), E>,
) -> Result<(), E> {
    let c = || skill.coordinate.clone();
    for (version, is_yanked) in skill.versions.iter().map(|entry| (&entry.version, entry.is_yanked())) {
        let pointer = || Pointer::Version(version.clone());
        if stage == Stage::Package {
            visit(Document::Package(c(), version.clone()))?;
            visit(Document::CompatPackage(c(), pointer()))?;
        } else {
            visit(Document::Version(c(), version.clone()))?;
            visit(Document::Files(c(), version.clone()))?;
            if is_yanked {
                continue;
            }
            visit(Document::Resolve(c(), Some(pointer())))?;
            visit(Document::CompatResolve(c(), Some(pointer())))?;
        }
    }
    Ok(())
}

/// The documents about a skill as a whole.
fn of_skill(skill: &Skill) -> impl Iterator<Item = Document> + '_ {
    let c = || skill.coordinate.clone();
    let latest = skill.latest().is_some();
    let always = [Document::Skill(c()), Document::Versions(c())];
    let defaults =
        [Document::Resolve(c(), None), Document::CompatResolve(c(), None), Document::LatestPackage(c())];
    let leads = |tag: &&TagName| skill.tagged(tag).is_some();
    let tags = skill.tags.keys().filter(leads).cloned().chain(latest.then(TagName::latest));
    let tagged = tags.flat_map(move |tag| {
        let pointer = || Pointer::Tag(tag.clone());
        [
            Document::Resolve(c(), Some(pointer())),
            Document::CompatResolve(c(), Some(pointer())),
            Document::CompatPackage(c(), pointer()),
        ]
    });
    let page = Document::Page(WebPage::Skill(c()));
    always.into_iter().chain(defaults.into_iter().filter(move |_| latest)).chain(tagged).chain([page])
}

fn lists<'a>(
    catalog: &PublicCatalog,
    settings: &TreeSettings,
    namespace: Option<&'a Namespace>,
) -> impl Iterator<Item = Document> + 'a {
    let total = catalog.list_total(namespace);
    let depths = Sort::ALL.map(|sort| (sort, settings.depth_of(sort)));
    depths.into_iter().flat_map(move |(sort, depth)| {
        (1..=pages(total, depth)).map(move |page| {
            let namespace = namespace.cloned();
            Document::SkillList(SkillList { namespace, sort, page, size: DEFAULT_SIZE })
        })
    })
}

//! Decides which documents a tree has, in two ways: [`exists`] for one document, and
//! [`of_part`], which lists them. A new document needs both. `tests/incremental.rs` compares
//! trees written by either.

use std::ops::RangeInclusive;
use std::sync::Arc;

use registry::names::{Coordinate, Namespace};
use registry::public::{NamespaceEntry, PublicCatalog};

use super::existing_pages::{self, last_page};
use super::skill::about_all_of;
use super::{
    AssetPath, ClawhubDocument, DEFAULT_SIZE, Document, FoundSkills, LogTile, Pointer, SkillList, Stage,
    WebPage,
};
use crate::git::Repository;
use crate::render::RenderContext;
use crate::render::clients::{has_marketplace, skills_of_index};
use crate::settings::TreeSettings;

/// Whether the tree has this document. The server can render more, such as pages of another size.
pub fn exists(context: RenderContext<'_>, document: &Document) -> bool {
    let RenderContext { catalog, settings, .. } = context;
    match document {
        Document::Skill(c) | Document::Versions(c) => catalog.skill(c).is_some(),
        Document::Namespace(name) => catalog.namespace(name).is_some(),
        Document::SkillList(SkillList { page, .. }) | Document::NamespaceList { page, .. } => {
            file_pages(context, document).is_some_and(|last| *page <= last)
        }
        Document::Feed(page) => catalog.feed().page(*page).is_some(),
        Document::SearchPiece(name) => context.search.current(catalog).piece(*name).is_some(),
        Document::FoundSkills(asked) => {
            *asked == FoundSkills::of_word(&asked.q)
                && settings.public_url.is_some()
                && context.search.current(catalog).is_precomputed(&asked.q)
        }
        Document::Marketplace(namespace) => has_marketplace(context, namespace.as_ref()),
        Document::AgentSkills(namespace) => skills_of_index(catalog, namespace).is_some(),
        Document::SearchPage(asked) => {
            (asked.page, asked.limit) == (1, DEFAULT_SIZE)
                && context.search.current(catalog).is_precomputed(&asked.q)
        }
        // The server answers the partial forms of earlier sizes, too.
        Document::LogTile(tile) => {
            let is_of_checkpoint = |size| !tile.is_full() && tile.is_in(size);
            tile.is_in(catalog.log().size())
                || context.signing.signed_size(catalog.log()).is_some_and(is_of_checkpoint)
        }
        Document::Clawhub(document) => match document {
            ClawhubDocument::Discovery => settings.public_url.is_some(),
            ClawhubDocument::Skill(c) => catalog.skill(c).is_some(),
            ClawhubDocument::Skills(sort) => ClawhubDocument::ORDERS.contains(sort),
        },
        Document::Checkpoint => context.signing.has_checkpoint(catalog.log()),
        Document::EpochStatement => context.signing.has_statement(catalog),
        // Only the server answers these.
        Document::KeywordList(_)
        | Document::Proof(..)
        | Document::Resolve(_, Some(Pointer::Version(_)))
        | Document::CompatResolve(_, Some(_)) => false,
        Document::Resolve(_, Some(Pointer::Tag(tag))) if tag.is_latest() => false,
        Document::Page(page) => existing_pages::has(catalog, page, settings),
        Document::Git(..) => {
            settings.git && document.entry(catalog).is_some_and(|(_, entry)| Repository::is_possible(entry))
        }
        Document::Skills
        | Document::Namespaces
        | Document::Search
        | Document::SearchManifest
        | Document::Discovery
        | Document::OpenApi
        | Document::Counters(_)
        | Document::Settings
        | Document::RegistryKeys
        | Document::LlmsTxt
        | Document::Head
        | Document::Asset(_) => true,
        Document::Package(..)
        | Document::CompatPackage(..)
        | Document::LatestPackage(_)
        | Document::Version(..)
        | Document::Files(..)
        | Document::Resolve(..)
        | Document::AgentSkill(_)
        | Document::SkillMarkdown(_)
        | Document::CompatResolve(..) => document.entry(catalog).is_some(),
    }
}

/// How many pages of the list that `document` is a page of are in the tree. `None` if the document is
/// no page of a JSON list, or one of a size or order that only the server renders.
pub(crate) fn file_pages(context: RenderContext<'_>, document: &Document) -> Option<u64> {
    let RenderContext { catalog, settings, .. } = context;
    match document {
        Document::SkillList(SkillList { namespace, sort, size: DEFAULT_SIZE, .. }) => {
            let namespace = namespace.as_ref();
            let is_listed = |name| catalog.namespace(name).is_some_and(NamespaceEntry::is_listed);
            let has_files = TreeSettings::orders(namespace).contains(sort) && namespace.is_none_or(is_listed);
            has_files.then(|| pages(catalog.list_total(namespace), settings.depth_of(*sort)))
        }
        Document::NamespaceList { size: DEFAULT_SIZE, .. } => {
            Some(pages(catalog.listed_namespaces(), settings.list_depth))
        }
        _ => None,
    }
}

/// Documents that a registry has at most once.
const ONCE: [Document; 13] = [
    Document::Discovery,
    Document::OpenApi,
    Document::Skills,
    Document::Namespaces,
    Document::Search,
    Document::SearchManifest,
    Document::Settings,
    Document::RegistryKeys,
    Document::LlmsTxt,
    Document::Marketplace(None),
    Document::Checkpoint,
    Document::EpochStatement,
    Document::Head,
];

/// How many pages of a list are documents: at least the first, even if the list is empty.
fn pages(total: usize, depth: u64) -> u64 {
    last_page(total, DEFAULT_SIZE, depth)
}

/// A part of a registry whose documents can be listed separately, so that the catalog is never
/// locked for all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
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
pub fn parts(context: RenderContext<'_>) -> Vec<Part> {
    let catalog = context.catalog;
    let skills = catalog.skills().map(|skill| Part::Skill(skill.coordinate.clone()));
    let namespaces = catalog.namespaces().map(|entry| Part::Namespace(entry.state.slug.clone()));
    let feed = (1..=catalog.feed().pages()).map(Part::Feed);
    let index = context.search.current(catalog);
    let queries = index.precomputed().cloned().map(Part::Query);
    skills.chain(namespaces).chain([Part::Registry]).chain(queries).chain(feed).collect()
}

/// All existing documents of a stage.
pub fn documents(context: RenderContext<'_>, stage: Stage) -> impl Iterator<Item = Document> {
    parts(context).into_iter().flat_map(move |part| of_part(context, &part, &(stage..=stage)))
}

/// The existing documents of a part and some stages.
pub fn of_part(context: RenderContext<'_>, part: &Part, stages: &RangeInclusive<Stage>) -> Vec<Document> {
    let RenderContext { catalog, settings, .. } = context;
    let mut documents: Vec<_> = match part {
        Part::Skill(c) => catalog.skill(c).into_iter().flat_map(about_all_of).collect(),
        Part::Namespace(name) => {
            let pages = 1..=existing_pages::pages_of(catalog, name, settings).unwrap_or(0);
            let pages = pages.map(|page| Document::Page(WebPage::Namespace(name.clone(), page)));
            let lists = lists(catalog, settings, Some(name));
            let clients = [Document::Marketplace(Some(name.clone())), Document::AgentSkills(name.clone())];
            [Document::Namespace(name.clone())].into_iter().chain(clients).chain(lists).chain(pages).collect()
        }
        Part::Registry => {
            let namespaces = 1..=pages(catalog.listed_namespaces(), settings.list_depth);
            let web_pages = (1..=existing_pages::pages_of_namespaces(catalog)).map(WebPage::Namespaces);
            let web_pages = web_pages.chain([WebPage::Search, WebPage::Home, WebPage::Missing]);
            let once = ONCE.into_iter().chain(AssetPath::all().map(Document::Asset));
            once.chain(namespaces.map(|page| Document::NamespaceList { page, size: DEFAULT_SIZE }))
                .chain(lists(catalog, settings, None))
                .chain(ClawhubDocument::once().map(Document::Clawhub))
                .chain(web_pages.map(Document::Page))
                .chain(context.search.current(catalog).pieces().map(Document::SearchPiece))
                .chain((0..=u8::MAX).map(Document::Counters))
                .chain(log_tiles(context).map(Document::LogTile))
                .collect()
        }
        Part::Query(query) => Document::answers(query).into(),
        Part::Feed(page) => vec![Document::Feed(*page)],
    };
    documents.retain(|document| stages.contains(&document.stage()) && exists(context, document));
    documents
}

/// The tiles of the log, and the partial ones of an earlier size that the checkpoint is about.
fn log_tiles(context: RenderContext<'_>) -> impl Iterator<Item = LogTile> {
    let log = context.catalog.log();
    let (size, signed) = (log.size(), context.signing.signed_size(log).unwrap_or(0));
    let of_checkpoint = LogTile::partial_ones(signed).filter(move |tile| !tile.is_in(size));
    LogTile::new_ones(0, size).chain(of_checkpoint)
}

fn lists<'a>(
    catalog: &PublicCatalog,
    settings: &'a TreeSettings,
    namespace: Option<&'a Namespace>,
) -> impl Iterator<Item = Document> + 'a {
    let total = catalog.list_total(namespace);
    let depths = TreeSettings::orders(namespace).iter().map(|sort| (*sort, settings.depth_of(*sort)));
    depths.flat_map(move |(sort, depth)| {
        (1..=pages(total, depth)).map(move |page| {
            let namespace = namespace.cloned();
            Document::SkillList(SkillList { namespace, sort, page, size: DEFAULT_SIZE })
        })
    })
}

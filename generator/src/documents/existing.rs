//! Decides which documents a tree has. [`exists`] says it of one; [`of_part`] lists the candidates of a
//! part, and asks [`exists`].

use std::iter::successors;
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};

use ::registry::names::{BundleName, Coordinate, Namespace, TagName};
use ::registry::public::{PublicCatalog, Skill};

use super::client_lists::{
    has_marketplace, skills_of_bundle_repository, skills_of_index, skills_of_repository,
};
use super::kind::{Cause, Each, Kind, Needs, Shows};
use super::{
    CrawlerFile, Document, Initial, LogTile, RepositoryName, Subject, WebPage, groups, kinds, list_pages,
};
use crate::address::Stage;
use crate::context::RenderContext;
use crate::git::Repository;

/// Whether the tree has this document. The server can render more, such as pages of another size.
pub fn exists(context: RenderContext<'_>, document: &Document) -> bool {
    let catalog = context.catalog;
    let (kind, subject) = document.kind_and_subject();
    let has_subject = match (kind.each, subject) {
        (Each::Asked, _) => false,
        (Each::Skill(_), Subject::Skill(c)) if kind.shows == Shows::Nothing => catalog.skill(c).is_some(),
        (Each::Skill(_) | Each::Version(_) | Each::Tag(_), _) => document.entry(catalog).is_some(),
        (Each::Namespace(_), Subject::Namespace(name)) => catalog.namespace(name).is_some(),
        (Each::Bundle(_), Subject::Bundle(name)) => catalog.bundle(name).is_some(),
        (Each::Query(_), Subject::Query(query)) => context.search.current(catalog).is_precomputed(query),
        _ => true,
    };
    has_subject && has_needs(context, kind.needs, document)
}

/// Whether the registry has what a document needs besides its subject.
fn has_needs(context: RenderContext<'_>, needs: Needs, document: &Document) -> bool {
    let RenderContext { catalog, search, settings, signing, .. } = context;
    match (needs, document) {
        (Needs::Nothing, _) => true,
        (Needs::PublicUrl, _) => settings.public_url.is_some(),
        (Needs::Sitemap, Document::Crawlers(CrawlerFile::Sitemap(initial))) => {
            let mut named = list_pages::in_sitemaps(catalog).map(|entry| Initial::of(&entry.state.slug));
            settings.public_url.is_some() && named.any(|of| of == Some(*initial))
        }
        (Needs::Bundles, Document::Bundles(name)) => catalog.bundles_of(name).next().is_some(),
        (Needs::BundleSkills, Document::BundleSkills(name)) => has_skills(catalog, name),
        (Needs::Marketplace, Document::BundleMarketplace(name)) => {
            settings.public_url.is_some() && has_skills(catalog, name)
        }
        (Needs::Marketplace, Document::Marketplace(name)) => has_marketplace(context, name.as_ref()),
        (Needs::AgentSkills, Document::AgentSkills(name) | Document::RawSkills(name)) => {
            skills_of_index(catalog, name).is_some()
        }
        (Needs::Repository, Document::Git(RepositoryName::Namespace(name), _)) => {
            settings.git && skills_of_repository(context, name).is_some()
        }
        (Needs::Repository, Document::Git(RepositoryName::Bundle(name), _)) => {
            settings.git && skills_of_bundle_repository(context, name).is_some()
        }
        (Needs::Repository, _) => {
            let shown = || document.entry(catalog);
            settings.git && shown().is_some_and(|(_, entry)| Repository::is_possible([entry]))
        }
        (Needs::Piece, Document::SearchPiece(name)) => search.current(catalog).piece(*name).is_some(),
        (Needs::Page, Document::Feed(page)) => catalog.feed().page(*page).is_some(),
        (Needs::Page, _) => list_pages::has(context, document),
        // The server answers the partial forms of earlier sizes, too.
        (Needs::Tile, Document::LogTile(tile)) => {
            let is_signed = |size| !tile.is_full() && tile.is_in(size);
            tile.is_in(catalog.log().size()) || signing.signed_size(catalog.log()).is_some_and(is_signed)
        }
        (Needs::Checkpoint, _) => signing.has_checkpoint(catalog.log()),
        (Needs::Statement, _) => signing.has_statement(catalog),
        (Needs::Asset, Document::Asset(path)) => settings.site.assets().find(*path).is_some(),
        (Needs::Attestation, _) => {
            document.entry(catalog).is_some_and(|(_, entry)| entry.attestation.is_some())
        }
        (Needs::Advisory, Document::Advisory(id)) => catalog.advisories().get(*id).is_some(),
        (Needs::Advisory, Document::SkillAdvisories(c)) => catalog.advisories().of_skill(c).next().is_some(),
        (Needs::About, _) => settings.site.has_about(),
        (
            Needs::Server
            | Needs::Sitemap
            | Needs::Bundles
            | Needs::BundleSkills
            | Needs::Marketplace
            | Needs::AgentSkills
            | Needs::Advisory
            | Needs::Piece
            | Needs::Tile
            | Needs::Asset,
            _,
        ) => false,
    }
}

/// Whether some member of a bundle has a fitting version.
fn has_skills(catalog: &PublicCatalog, name: &BundleName) -> bool {
    catalog.bundle(name).is_some_and(|entry| !entry.versions(catalog).is_empty())
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
    let is_there = |document: &Document| stages.contains(&document.stage()) && exists(context, document);
    let each = |subject| of_subject(subject, |kind| stages.contains(&kind.stage));
    let (single, first_pages): (Vec<_>, _) = match part {
        Part::Skill(c) => {
            let subjects = context.catalog.skill(c).into_iter().flat_map(subjects_of);
            (subjects.flat_map(each).collect(), Vec::new())
        }
        Part::Namespace(name) => {
            let groups = || groups::all(context.catalog, name).into_iter();
            let groups = stages.contains(&Stage::NamespacePage).then(groups).into_iter().flatten();
            let groups = groups.map(|prefix| Document::Page(WebPage::Group(name.clone(), prefix)));
            let bundles = context.catalog.bundles_of(name).map(|entry| Subject::Bundle(&entry.bundle.name));
            let own = each(Subject::Namespace(name)).chain(bundles.flat_map(each));
            (own.chain(groups).collect(), list_pages::first_pages(Some(name)))
        }
        Part::Registry => {
            (each(Subject::Registry).chain(others(context)).collect(), list_pages::first_pages(None))
        }
        Part::Query(query) => (each(Subject::Query(query)).collect(), Vec::new()),
        Part::Feed(page) => (vec![Document::Feed(*page)], Vec::new()),
    };
    let pages = |first| successors(Some(first), Document::next_page).take_while(is_there);
    let pages = first_pages.into_iter().flat_map(pages);
    single.into_iter().filter(is_there).chain(pages).collect()
}

/// What a registry has several of: files that pages load, counters, advisories, pieces of the search index, and
/// tiles of the log, also the partial ones of an earlier size that the checkpoint is about.
fn others(context: RenderContext<'_>) -> Vec<Document> {
    let log = context.catalog.log();
    let (size, signed) = (log.size(), context.signing.signed_size(log).unwrap_or(0));
    let of_checkpoint = LogTile::partial_ones(signed).filter(move |tile| !tile.is_in(size));
    let tiles = LogTile::new_ones(0, size).chain(of_checkpoint);
    let index = context.search.current(context.catalog);
    let pieces = index.pieces().map(Document::SearchPiece);
    let once = context
        .settings
        .site
        .assets()
        .paths()
        .map(Document::Asset)
        .chain((0..=u8::MAX).map(Document::Counters));
    let sitemaps = Initial::all().map(|initial| Document::Crawlers(CrawlerFile::Sitemap(initial)));
    let advisories = context.catalog.advisories();
    let of_skills = advisories.skills().cloned().map(Document::SkillAdvisories);
    let advisories =
        advisories.last_changed().map(|advisory| Document::Advisory(advisory.id)).chain(of_skills);
    once.chain(sitemaps).chain(advisories).chain(pieces).chain(tiles.map(Document::LogTile)).collect()
}

/// The documents of a subject and of some kinds.
fn of_subject(subject: Subject<'_>, is_wanted: impl Fn(&Kind) -> bool) -> impl Iterator<Item = Document> {
    kinds().filter(move |kind| is_wanted(kind)).filter_map(move |kind| kind.of(subject))
}

/// The documents of a subject that a change outdates, also those that do not exist.
pub(crate) fn outdated_by(cause: Cause, subject: Subject<'_>) -> impl Iterator<Item = Document> {
    of_subject(subject, move |kind| kind.outdated_by.contains(&cause))
}

static LATEST: LazyLock<TagName> = LazyLock::new(TagName::latest);

/// A skill, its versions and its tags, including `latest`.
pub(crate) fn subjects_of(skill: &Skill) -> Vec<Subject<'_>> {
    let c = &skill.coordinate;
    let versions = skill.versions.iter().map(|entry| Subject::Version(c, &entry.version));
    let tags = skill.tags.keys().map(|tag| Subject::Tag(c, tag));
    versions.chain([Subject::Skill(c), Subject::Tag(c, &LATEST)]).chain(tags).collect()
}

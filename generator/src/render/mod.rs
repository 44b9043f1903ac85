//! From the public catalog to the bytes of a document: pure, and the same for
//! the tree, for the server's answers and on every mirror.

mod feed;
mod lists;
pub mod pages;
pub mod record;
mod resolve;
mod search;
mod skills;

use std::io;
use std::sync::Arc;

use registry::journal::{JournalError, PublicStore};
use registry::names::Digest;
use registry::public::PublicCatalog;

use crate::address::{Document, SearchPage};
use crate::encoding::json;
use crate::pages::PageError;
use crate::search::Shared;
use crate::settings::TreeSettings;
use pages::Page;

/// All that documents are made from, at one revision.
#[derive(Clone, Copy)]
pub struct RenderContext<'a> {
    /// The state.
    pub catalog: &'a PublicCatalog,
    /// The index of its live skills. Nobody may ask for a document, or whether
    /// there is one, while holding what this gives out: that waits for itself.
    pub search: &'a Shared,
    /// The rows behind it, for what is not kept in memory.
    pub store: &'a dyn PublicStore,
    /// What the tree depends on besides.
    pub settings: &'a TreeSettings,
}

/// What a document is.
#[derive(Debug, Clone)]
pub enum Rendered {
    /// These bytes.
    Bytes(Vec<u8>),
    /// A piece of the search index, which holds these bytes too.
    Piece(Arc<[u8]>),
    /// A package, as it is in the blob store.
    Package(Package),
    /// A page, of which more is to be made without the catalog's lock.
    Page(Box<Page>),
}

impl Rendered {
    /// The same with the bytes of a page in its place, which is for when nobody
    /// waits for the catalog.
    pub fn finished(self, store: &dyn PublicStore) -> Result<Self, RenderError> {
        match self {
            Self::Page(page) => page.finish(store).map(Self::Bytes),
            other => Ok(other),
        }
    }
}

/// A package by its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// The sha256 of its bytes.
    pub sha256: Digest,
    /// How many they are.
    pub size: u64,
    /// The document at its immutable address, which may be this one.
    pub home: Document,
}

/// Why a document cannot be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The rows behind it cannot be read.
    #[error(transparent)]
    Store(#[from] JournalError),
    /// A row behind it cannot be understood.
    #[error(transparent)]
    Row(#[from] registry::public::DecodeError),
    /// A row that the catalog was made from is not there.
    #[error("revision {0} has no public row, though the catalog was made from it")]
    Missing(u64),
    /// The package that a page shows the text of cannot be read.
    #[error("the text of a package cannot be read: {0}")]
    Package(io::Error),
    /// A page's template does not fit it.
    #[error(transparent)]
    Page(#[from] PageError),
}

/// Renders a document. None where there is nothing of that name.
pub fn render(context: RenderContext<'_>, document: &Document) -> Result<Option<Rendered>, RenderError> {
    let catalog = context.catalog;
    let bytes = match document {
        Document::Package(c, v) => return Ok(skills::package(catalog, c, v)),
        Document::CompatPackage(c, pointer) => return Ok(resolve::package(catalog, c, Some(pointer))),
        Document::LatestPackage(c) => return Ok(resolve::package(catalog, c, None)),
        Document::Version(c, v) => skills::version(context, c, v)?,
        Document::Files(c, v) => skills::files(context, c, v)?,
        Document::Resolve(c, pointer) => resolve::native(catalog, c, pointer.as_ref()),
        Document::CompatResolve(c, pointer) => resolve::compatible(catalog, c, pointer.as_ref()),
        Document::Skill(c) => skills::skill(catalog, c),
        Document::Versions(c) => skills::versions(catalog, c),
        Document::Namespace(name) => lists::namespace(catalog, name),
        Document::Skills => Some(lists::skills(catalog, &crate::address::SkillList::default_page())),
        Document::SkillList(list) => Some(lists::skills(catalog, list)),
        Document::Namespaces => Some(lists::namespaces(catalog, 1, crate::address::DEFAULT_SIZE)),
        Document::NamespaceList { page, size } => Some(lists::namespaces(catalog, *page, *size)),
        Document::Search => Some(search::page(context, &SearchPage::default_page())),
        Document::SearchPage(page) => Some(search::page(context, page)),
        Document::KeywordList(list) => Some(search::keyword(context, list)),
        Document::SearchManifest => Some(context.search.of(catalog).manifest().encode()),
        Document::SearchPiece(name) => {
            return Ok(context.search.of(catalog).piece(*name).map(Rendered::Piece));
        }
        Document::Discovery => Some(json(&record::Discovery { api_base: "/api/v1" })),
        Document::OpenApi => Some(crate::openapi::DOCUMENT.as_bytes().to_vec()),
        Document::Counters(shard) => Some(feed::counters(catalog, *shard)),
        Document::Settings => Some(context.settings.to_json()),
        Document::Feed(page) => feed::page(context, *page)?,
        Document::Head => Some(feed::head(context)),
        Document::Asset(path) => path.asset().map(|asset| asset.bytes.to_vec()),
        Document::Page(page) => {
            return Ok(pages::page(context, page)?.map(|page| Rendered::Page(Box::new(page))));
        }
    };
    Ok(bytes.map(Rendered::Bytes))
}

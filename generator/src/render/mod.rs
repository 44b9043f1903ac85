//! Renders documents: from the public catalog to bytes.
//!
//! Rendering is pure, so the tree, the server's answers and every mirror have the same bytes.

pub mod clawhub;
pub(crate) mod clients;
pub(crate) mod feed;
pub(crate) mod lists;
pub(crate) mod log;
pub mod pages;
pub(crate) mod search;
pub(crate) mod skills;

pub use clients::FoundSkillList;

use std::io;
use std::sync::Arc;

use registry::journal::{BlobReader, JournalError, PublicStore};
use registry::names::Digest;
use registry::public::PublicCatalog;

use crate::address::{Document, GitFile};
use crate::git::Repository;
use crate::pages::PageError;
use crate::search::SharedIndex;
use crate::settings::TreeSettings;
use crate::signing::Signing;
use pages::Page;

/// Everything that documents are rendered from, at one revision.
#[derive(Clone, Copy)]
pub struct RenderContext<'a> {
    /// The catalog, which the caller has locked.
    pub catalog: &'a PublicCatalog,
    /// The search index of the catalog's live skills. Do not render documents while holding its
    /// lock: that would deadlock.
    pub search: &'a SharedIndex,
    /// The journal's rows, for what is not kept in memory.
    pub store: &'a dyn PublicStore,
    /// The settings that the tree depends on.
    pub settings: &'a TreeSettings,
    /// Who signs the checkpoints of the log.
    pub signing: &'a Signing,
}

/// A rendered document.
#[derive(Debug, Clone)]
pub enum Rendered {
    /// The document's bytes.
    Bytes(Vec<u8>),
    /// A piece of the search index, sharing its bytes with the index.
    Piece(Arc<[u8]>),
    /// A package in the blob store.
    Package(Package),
    /// A page that must be finished after the catalog is unlocked.
    Page(Box<Page>),
    /// A file of a repository, which must be made from the package after the catalog is unlocked.
    Git(Box<Repository>, GitFile),
}

impl From<Page> for Rendered {
    fn from(page: Page) -> Self {
        Self::Page(Box::new(page))
    }
}

impl Rendered {
    /// Finishes pages and files of git; returns other documents unchanged. Call it after the catalog
    /// is unlocked.
    pub fn finished(self, store: &dyn PublicStore) -> Result<Self, RenderError> {
        match self {
            Self::Page(page) => page.finish(store).map(Self::Bytes),
            Self::Git(repository, file) => {
                repository.render(file, store).map(Self::Bytes).map_err(RenderError::Package)
            }
            other => Ok(other),
        }
    }
}

/// A package in the blob store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// The sha256 of the package.
    pub sha256: Digest,
    /// The size in bytes.
    pub size: u64,
    /// The document at the package's immutable address, which may be the rendered one.
    pub home: Document,
}

/// A document cannot be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The journal cannot be read.
    #[error(transparent)]
    Store(#[from] JournalError),
    /// A row cannot be decoded.
    #[error(transparent)]
    Row(#[from] registry::public::DecodeError),
    /// The journal lacks a row that the catalog was built from.
    #[error("revision {0} has no public row, though the catalog was made from it")]
    Missing(u64),
    /// The package that a document shows cannot be read.
    #[error("a package cannot be read")]
    Package(#[source] io::Error),
    /// A page's template and content do not match.
    #[error(transparent)]
    Page(#[from] PageError),
}

/// Renders a document. Returns `None` if the registry has nothing of that name.
pub fn render(context: RenderContext<'_>, document: &Document) -> Result<Option<Rendered>, RenderError> {
    document.render(context)
}

/// Opens a package in the blob store. A missing package is an error.
pub(crate) fn open_blob(store: &dyn PublicStore, sha256: Digest) -> io::Result<Box<dyn BlobReader>> {
    let missing =
        || io::Error::new(io::ErrorKind::NotFound, format!("the blob {sha256} is not in the data folder"));
    store.open_blob(sha256).map_err(io::Error::other)?.ok_or_else(missing)
}

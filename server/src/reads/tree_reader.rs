//! Reading documents: from memory, from the files of the tree, or rendered from
//! the catalog by the code that writes the tree.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use bytes::Bytes;
use generator::Signing;
use generator::address::{Document, exists};
use generator::gzip;
use generator::render::{RenderContext, Rendered, render};
use generator::search::SharedIndex;
use generator::settings::TreeSettings;
use generator::tree::Tree;
use parking_lot::RwLock;
use registry::journal::PublicStore;
use registry::public::PublicCatalog;

use crate::problem::Problem;
use crate::reads::document_cache::{DocumentCache, keys};
use crate::reads::git::repositories::Repositories;
use crate::reads::representation::{Content, Prepared};

/// Reads public documents.
pub struct TreeReader {
    /// The catalog.
    pub(crate) public: Arc<RwLock<PublicCatalog>>,
    /// The public half of the journal.
    pub(crate) store: Arc<dyn PublicStore>,
    /// The search index.
    pub(crate) search: Arc<SharedIndex>,
    pub(crate) tree: Tree,
    pub(crate) settings: TreeSettings,
    pub(crate) signing: Signing,
    /// Whether this process writes the tree. If not, every read is rendered.
    pub(crate) has_tree: bool,
    pub(crate) documents: Arc<DocumentCache>,
    /// The repositories that the tree does not have.
    pub(crate) repositories: Repositories,
}

impl TreeReader {
    /// Opens the tree's file of a document, if this process writes a tree.
    pub fn open(&self, document: &Document) -> Result<Option<File>, Problem> {
        if !self.has_tree {
            return Ok(None);
        }
        self.tree.open(document).map_err(Problem::internal)
    }

    /// Renders a document. `None` if it does not exist.
    pub fn render(&self, document: &Document) -> Result<Option<Rendered>, Problem> {
        self.read_with(&self.settings_for(document), |context| render(context, document))
            .map_err(Problem::from)
    }

    /// Whether a document exists. Waits while a write is being applied.
    pub fn exists(&self, document: &Document) -> bool {
        self.read(|context| exists(context, document))
    }

    /// Reads what documents are rendered from. Nothing is written while `read` runs.
    pub fn read<R>(&self, read: impl FnOnce(RenderContext<'_>) -> R) -> R {
        self.read_with(&self.settings, read)
    }

    fn read_with<R>(&self, settings: &TreeSettings, read: impl FnOnce(RenderContext<'_>) -> R) -> R {
        let catalog = self.public.read();
        let (search, store) = (&*self.search, &*self.store);
        read(RenderContext { catalog: &catalog, search, store, settings, signing: &self.signing })
    }

    /// A document that is no package and no file of git, for a request with this target. A rendered one
    /// is compressed only for a request that `accepts_gzip`, because nobody else will be sent it.
    pub fn document(
        &self,
        document: &Document,
        target: &str,
        accepts_gzip: bool,
    ) -> Result<Option<Arc<Prepared>>, Problem> {
        if let Some(document) = self.in_tree(document, target)? {
            return Ok(Some(document));
        }
        // Only documents with a file are cached: nothing reports changes of others.
        let bytes = match self.render(document)? {
            Some(Rendered::Bytes(bytes)) => Bytes::from(bytes),
            Some(Rendered::Page(page)) => Bytes::from(page.finish(&*self.store)?),
            Some(Rendered::File(file)) => Bytes::from(file.read(&*self.store).map_err(Problem::internal)?),
            Some(Rendered::Piece(bytes)) => Bytes::from_owner(bytes),
            Some(Rendered::Package(_) | Rendered::Git(..)) | None => return Ok(None),
        };
        let is_compressed =
            accepts_gzip && self.settings.gzip && document.is_worth_compressing(bytes.len() as u64);
        let gzip = is_compressed.then(|| gzip::gzip(&bytes).map(Bytes::from));
        let gzip = gzip.transpose().map_err(Problem::internal)?;
        let content = Content { bytes, gzip, modified: None };
        Ok(Some(Arc::new(Prepared::new(document, content, self.settings.gzip))))
    }

    /// A document from memory or from the tree's file. `None` if the tree lacks it, or may lack an
    /// answered write in it.
    pub fn in_tree(&self, document: &Document, target: &str) -> Result<Option<Arc<Prepared>>, Problem> {
        if document.may_lag() && self.documents.is_behind() {
            return Ok(None);
        }
        // All spellings but that of the file share the key of the usual one.
        let [usual, file] = keys(document);
        let key = if target == file { &file } else { &usual };
        self.documents.find_or(document, key, || self.read_from_tree(document))
    }

    /// The settings for rendering a document. A process that does not write the
    /// tree may lack the public URL; the tree of the process that does has it.
    fn settings_for(&self, document: &Document) -> Cow<'_, TreeSettings> {
        let shows_url = document.is_site_bound() || matches!(document, Document::Settings | Document::Head);
        if self.has_tree || self.settings.public_url.is_some() || !shows_url {
            return Cow::Borrowed(&self.settings);
        }
        let public_url = self.tree.settings().and_then(|settings| settings.public_url);
        Cow::Owned(TreeSettings { public_url, ..self.settings.clone() })
    }

    fn read_from_tree(&self, document: &Document) -> Result<Option<Arc<Prepared>>, Problem> {
        let Some(file) = self.open(document)? else { return Ok(None) };
        let modified = file.metadata().and_then(|meta| meta.modified()).ok();
        let bytes = read_all(file).map_err(Problem::internal)?;
        let mut gzip = None;
        if self.settings.gzip && document.is_worth_compressing(bytes.len() as u64) {
            let file = self.tree.open_gzip(document).map_err(Problem::internal)?;
            gzip = match file {
                Some(file) => Some(read_all(file)),
                // Lists and small documents have no siblings.
                None => Some(gzip::gzip(&bytes).map(Bytes::from)),
            };
        }
        let gzip = gzip.transpose().map_err(Problem::internal)?;
        let content = Content { bytes, gzip, modified };
        Ok(Some(Arc::new(Prepared::new(document, content, self.settings.gzip))))
    }
}

fn read_all(mut file: File) -> io::Result<Bytes> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes.into())
}

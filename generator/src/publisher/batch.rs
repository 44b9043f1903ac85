//! Renders a batch of documents from one state of the catalog.

use std::collections::BTreeSet;
use std::io;

use parking_lot::Mutex;
use registry::public::PublicCatalog;

use super::parallel::map;
use super::pieces::Pieces;
use crate::address::{Document, exists};
use crate::render::{RenderContext, Rendered, render};
use crate::search::{Index, PieceName};
use crate::tree::{Failures, Siblings, State, StateTime, Verify};

/// How documents are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct WriteOptions {
    pub siblings: Siblings,
    /// How existing pieces are checked.
    pub verify: Verify,
}

/// A document and its content.
pub(super) type DocumentContent = (Document, Rendered);

/// Documents rendered from one state of the catalog, and documents to remove.
pub(super) struct WriteBatch {
    pub(super) put: Vec<DocumentContent>,
    pub(super) remove: BTreeSet<Document>,
    pub(super) at: StateTime,
    pub(super) options: WriteOptions,
    /// The pieces that the manifest names, if it is in the batch.
    pub(super) named: Option<BTreeSet<PieceName>>,
    /// Documents that could not be rendered.
    pub(super) failures: Failures,
}

impl WriteBatch {
    pub(super) fn new(catalog: &PublicCatalog, time_offset: u64, options: WriteOptions) -> Self {
        let at = StateTime::of(State::of(catalog), time_offset);
        let (put, remove, failures) = (Vec::new(), BTreeSet::new(), Failures::default());
        Self { put, remove, at, options, named: None, failures }
    }

    /// Renders documents. Those that do not exist will be removed.
    pub(super) fn add(&mut self, context: RenderContext<'_>, documents: &[Document], pieces: &Mutex<Pieces>) {
        let is_needed = |document: &Document| exists(context, document);
        let rendered = map(documents, |document| match document {
            Document::SearchManifest => Ok(None),
            document if !is_needed(document) => Ok(None),
            document => render(context, document),
        });
        for (document, rendered) in documents.iter().zip(rendered) {
            match rendered {
                _ if *document == Document::SearchManifest => {
                    self.put_index(&context.search.current(context.catalog), pieces);
                }
                Ok(Some(rendered)) => self.put(document.clone(), rendered),
                Ok(None) => self.remove(document.clone()),
                Err(why) => self.failures.0.push((document.name(), io::Error::other(why))),
            }
        }
    }

    /// Adds a rendered document.
    pub(super) fn put(&mut self, document: Document, rendered: Rendered) {
        self.put.push((document, rendered));
    }

    /// Removes a document.
    pub(super) fn remove(&mut self, document: Document) {
        self.remove.insert(document);
    }

    /// Adds the manifest of an index and the pieces that the tree may lack.
    pub(super) fn put_index(&mut self, index: &Index, pieces: &Mutex<Pieces>) {
        let current: BTreeSet<_> = index.pieces().collect();
        let known = pieces.lock();
        let missing =
            current.iter().filter(|name| self.options.verify == Verify::Content || !known.has(**name));
        let missing = missing.filter_map(|name| Some((*name, index.piece(*name)?)));
        self.put.extend(missing.map(|(name, piece)| (Document::SearchPiece(name), Rendered::Piece(piece))));
        self.put(Document::SearchManifest, Rendered::Bytes(index.manifest().encode()));
        self.named = Some(current);
    }

    /// Whether there is nothing to write.
    pub(super) fn is_empty(&self) -> bool {
        self.put.is_empty() && self.failures.0.is_empty()
    }

    /// Takes the removals out of the batch, for later.
    pub(super) fn take_removals(&mut self) -> BTreeSet<Document> {
        std::mem::take(&mut self.remove)
    }
}

//! Renders a batch of documents from one state of the catalog, and writes them.

use std::collections::BTreeSet;
use std::io;

use parking_lot::Mutex;
use registry::journal::PublicStore;
use registry::public::PublicCatalog;

use super::document_writer::DocumentWriter;
use super::parallel::map;
use super::pieces::Pieces;
use crate::address::{Document, GitFile, Stage, Tier, exists};
use crate::render::{RenderContext, Rendered, open_blob, render};
use crate::search::{Index, PieceName};
use crate::tree::{Failures, LockedTree, Siblings, State, StateTime, Verify};

/// Documents of equal rank that are written together.
const DOCUMENTS_AT_ONCE: usize = 16;

/// How documents are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct WriteOptions {
    pub siblings: Siblings,
    /// How existing pieces are checked.
    pub verify: Verify,
}

/// A document and its content.
type DocumentContent = (Document, Rendered);

/// Documents rendered from one state of the catalog, and documents to remove.
pub(super) struct WriteBatch {
    put: Vec<DocumentContent>,
    remove: BTreeSet<Document>,
    at: StateTime,
    pub(super) options: WriteOptions,
    /// The pieces that the manifest names, if it is in the batch.
    named: Option<BTreeSet<PieceName>>,
    failures: Failures,
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

    /// Takes the removals of documents of [`Tier::Own`] out of the batch, for later.
    pub(super) fn take_own_removals(&mut self) -> BTreeSet<Document> {
        let is_own = |document: &Document| document.stage().tier() == Tier::Own;
        let (own, others) = self.take_removals().into_iter().partition(is_own);
        self.remove = others;
        own
    }

    /// Writes documents in the order of their ranks. Removes documents in the opposite order,
    /// before the feed says that they are gone. Writes checkpoint and head only if nothing has failed. Calls
    /// `between` after every few documents of [`Tier::Shared`].
    pub(super) fn write(
        mut self,
        writer: &DocumentWriter,
        tree: &LockedTree,
        between: &mut dyn FnMut(),
    ) -> Failures {
        let (store, pieces) = (&*writer.sources.store, &writer.pieces);
        // Pieces may also have been added one by one, and two threads must not write one document.
        self.put.sort_by(|(a, _), (b, _)| (a.rank(), a).cmp(&(b.rank(), b)));
        self.put.dedup_by(|(a, _), (b, _)| a == b);
        if !(self.put.is_empty() && self.remove.is_empty())
            && let Err(why) = tree.begin_change()
        {
            self.failures.0.push(("the record of changes".into(), why));
            return self.failures;
        }
        let (all, mut has_removed) = (std::mem::take(&mut self.put), false);
        let (mut lacks_pieces, mut lacks_packs) = (false, false);
        for group in all.chunk_by(|(a, _), (b, _)| a.rank() == b.rank()) {
            let stage = group[0].0.stage();
            if stage >= Stage::Feed && !has_removed {
                // The old checkpoint refers to partial tiles until the new one is written. A tree with
                // a new head has no others.
                let is_tile = |document: &Document| matches!(document, Document::LogTile(_));
                let (tiles, others) = self.take_removals().into_iter().partition(is_tile);
                self.remove = others;
                self.remove_all(writer, tree);
                self.remove = tiles;
                has_removed = true;
            }
            if stage == Stage::Head {
                self.remove_all(writer, tree);
            }
            let failed = self.failures.0.len();
            for few in group.chunks(DOCUMENTS_AT_ONCE) {
                // These would refer to documents that are missing.
                let is_misleading = |document: &Document| match document {
                    Document::SearchManifest => lacks_pieces,
                    Document::Git(_, GitFile::Refs) => lacks_packs,
                    Document::Checkpoint | Document::EpochStatement | Document::Head => failed > 0,
                    _ => false,
                };
                let done = map(few, |(document, rendered)| match is_misleading(document) {
                    true => Ok(false),
                    false => self.write_one(tree, store, pieces, document, rendered),
                });
                for ((document, _), done) in few.iter().zip(done) {
                    self.record(document, done);
                }
                if stage.tier() == Tier::Shared {
                    between();
                }
            }
            lacks_packs |= stage == Stage::GitPack && self.failures.0.len() > failed;
            lacks_pieces |= stage == Stage::Piece && self.failures.0.len() > failed;
        }
        self.remove_all(writer, tree);
        self.failures
    }

    /// Removes documents, each before those that it refers to. If a list has become shorter, the
    /// tree's files tell how many pages it had. What has come back meanwhile stays.
    fn remove_all(&mut self, writer: &DocumentWriter, tree: &LockedTree) {
        let mut remove: Vec<_> = self.take_removals().into_iter().collect();
        remove.sort_by_cached_key(|document| std::cmp::Reverse((document.rank(), document.clone())));
        for document in &remove {
            // This thread writes what comes back later, so the catalog need not stay locked meanwhile. The
            // caller may have locked it, too.
            let is_back = || exists(writer.context(&writer.sources.public.read_recursive()), document);
            if document.stage().tier() == Tier::Own && is_back() {
                continue;
            }
            match tree.tree().pages_after(document) {
                Ok(pages) => {
                    for page in [document].into_iter().chain(pages.iter().rev()) {
                        self.record(page, tree.remove(page));
                    }
                }
                Err(why) => self.record(document, Err(why)),
            }
        }
    }

    fn write_one(
        &self,
        tree: &LockedTree,
        store: &dyn PublicStore,
        pieces: &Mutex<Pieces>,
        document: &Document,
        rendered: &Rendered,
    ) -> io::Result<bool> {
        let WriteOptions { siblings, verify } = self.options;
        match (rendered, document) {
            (Rendered::Bytes(bytes), Document::SearchManifest) => {
                let is_new = tree.put_bytes(document, bytes, self.at, siblings)?;
                if let Some(current) = &self.named {
                    pieces.lock().set_current(tree, current)?;
                }
                Ok(is_new)
            }
            (Rendered::Piece(bytes), Document::SearchPiece(name)) => {
                let is_new = tree.put_piece(*name, bytes, self.at, verify)?;
                pieces.lock().put(*name);
                Ok(is_new)
            }
            (Rendered::Piece(bytes), _) => tree.put_bytes(document, bytes, self.at, siblings),
            (Rendered::Bytes(bytes), _) => tree.put_bytes(document, bytes, self.at, siblings),
            (Rendered::Page(page), _) => {
                let bytes = page.finish(store).map_err(io::Error::other)?;
                tree.put_bytes(document, &bytes, self.at, siblings)
            }
            (Rendered::Git(repository, file), _) => {
                let bytes = repository.render(*file, store)?;
                tree.put_bytes(document, &bytes, self.at, siblings)
            }
            (Rendered::Package(package), _) => {
                tree.put_package(document, package, || open_blob(store, package.sha256), self.at)
            }
        }
    }

    fn record(&mut self, document: &Document, done: io::Result<bool>) {
        if let Err(why) = done {
            self.failures.0.push((document.name(), why));
        }
    }
}

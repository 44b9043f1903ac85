//! Renders a batch of documents from one state of the catalog, and writes them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

use parking_lot::Mutex;
use registry::journal::PublicStore;
use registry::public::PublicCatalog;

use super::parallel::for_each;
use super::pieces::Pieces;
use super::write_order::{WriteGroup, WriteRank};
use crate::address::{Document, Stage, exists};
use crate::render::{RenderContext, Rendered, open_blob, render};
use crate::search::PieceName;
use crate::tree::{Failures, LockedTree, Siblings, State, StateTime, Verify};

/// How documents are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct WriteOptions {
    pub siblings: Siblings,
    /// How existing pieces are checked.
    pub verify: Verify,
    /// Whether documents of a stage that do not refer to each other are written in parallel.
    pub is_parallel: bool,
}

/// A document and its content.
type DocumentContent = (Document, Rendered);

/// Documents rendered from one state of the catalog, and documents to remove.
pub(super) struct WriteBatch<'a> {
    put: Vec<DocumentContent>,
    remove: Vec<Document>,
    at: StateTime,
    options: WriteOptions,
    pieces: &'a Mutex<Pieces>,
    /// The pieces that the manifest names, if it is in the batch.
    named: Option<BTreeSet<PieceName>>,
}

impl<'a> WriteBatch<'a> {
    pub(super) fn new(
        catalog: &PublicCatalog,
        time_offset: u64,
        options: WriteOptions,
        pieces: &'a Mutex<Pieces>,
    ) -> Self {
        let at = StateTime::of(State::of(catalog), time_offset);
        Self { put: Vec::new(), remove: Vec::new(), at, options, pieces, named: None }
    }

    /// Renders a document. A document that does not exist will be removed.
    pub(super) fn add(&mut self, context: RenderContext<'_>, document: Document, failures: &mut Failures) {
        if document == Document::SearchManifest {
            return self.add_manifest(context);
        }
        if !exists(context, &document) {
            return self.remove.push(document);
        }
        match render(context, &document) {
            Ok(Some(rendered)) => self.put.push((document, rendered)),
            Ok(None) => self.remove.push(document),
            Err(why) => failures.0.push((document.name(), io::Error::other(why))),
        }
    }

    /// Renders the manifest and, from the same state of the index, the pieces that the tree may
    /// lack.
    fn add_manifest(&mut self, context: RenderContext<'_>) {
        if self.named.is_some() {
            return;
        }
        let index = context.search.current(context.catalog);
        let current: BTreeSet<_> = index.pieces().collect();
        let known = self.pieces.lock();
        let missing =
            current.iter().filter(|name| self.options.verify == Verify::Content || !known.has(**name));
        let missing = missing.filter_map(|name| Some((*name, index.piece(*name)?)));
        self.put.extend(missing.map(|(name, piece)| (Document::SearchPiece(name), Rendered::Piece(piece))));
        let manifest = Rendered::Bytes(index.manifest().encode());
        self.put.push((Document::SearchManifest, manifest));
        self.named = Some(current);
    }

    /// Takes the removals out of the batch, for later.
    pub(super) fn hold_removals(&mut self) -> Vec<Document> {
        std::mem::take(&mut self.remove)
    }

    /// Writes documents in the order of the stages. Removes documents in the opposite order, before
    /// the feed mentions it. Writes the head only if nothing has failed.
    pub(super) fn write(mut self, tree: &LockedTree, store: &dyn PublicStore, failures: &mut Failures) {
        // Rows and counters may both have added a document, and two threads must not write it.
        self.put.sort_by(|(a, _), (b, _)| (a.stage(), a).cmp(&(b.stage(), b)));
        self.put.dedup_by(|(a, _), (b, _)| a == b);
        // Documents are removed before those that they refer to.
        let rank = |document: &Document| Reverse((document.stage(), WriteRank::of(document, tree.tree())));
        self.remove.sort_by_cached_key(rank);
        let failed_so_far = Mutex::new(failures);
        let mut lacks_pieces = false;
        for stage in Stage::ALL {
            if stage == Stage::Feed {
                self.remove_all(tree, &failed_so_far);
            }
            let all = &self.put[self.start_of(stage)..];
            let all = &all[..all.partition_point(|(document, _)| document.stage() == stage)];
            let failed = failed_so_far.lock().0.len();
            // It would refer to documents that are missing.
            let is_misleading = |document: &Document| match document {
                Document::SearchManifest => lacks_pieces,
                Document::Head => failed > 0,
                _ => false,
            };
            let put = |(document, rendered): &DocumentContent| {
                if !is_misleading(document) {
                    record(&failed_so_far, document, self.put(tree, store, document, rendered));
                }
            };
            self.put_all(all, tree, put);
            // Sorted, so that repeated failures produce identical log lines.
            failed_so_far.lock().0[failed..].sort_by(|(a, _), (b, _)| a.cmp(b));
            lacks_pieces |= stage == Stage::Piece && failed_so_far.lock().0.len() > failed;
        }
    }

    /// The index of a stage's first document.
    fn start_of(&self, stage: Stage) -> usize {
        self.put.partition_point(|(document, _)| document.stage() < stage)
    }

    /// Writes documents of a stage, group by group.
    fn put_all(&self, all: &[DocumentContent], tree: &LockedTree, put: impl Fn(&DocumentContent) + Sync) {
        let mut all: Vec<_> = all.iter().map(|one| (WriteRank::of(&one.0, tree.tree()), one)).collect();
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut groups: BTreeMap<WriteGroup, Vec<&DocumentContent>> = BTreeMap::new();
        for (rank, one) in all {
            groups.entry(rank.group).or_default().push(one);
        }
        for (group, documents) in groups {
            if self.options.is_parallel && group.is_unordered() {
                for_each(&documents, |one| put(one));
            } else {
                documents.into_iter().for_each(&put);
            }
        }
    }

    /// Removes documents. If a list has become shorter, the tree's files tell how many pages it
    /// had.
    fn remove_all(&self, tree: &LockedTree, failed_so_far: &Mutex<&mut Failures>) {
        for document in &self.remove {
            match tree.tree().pages_after(document) {
                Ok(pages) => {
                    for page in [document].into_iter().chain(pages.iter().rev()) {
                        record(failed_so_far, page, tree.remove(page));
                    }
                }
                Err(why) => record(failed_so_far, document, Err(why)),
            }
        }
    }

    fn put(
        &self,
        tree: &LockedTree,
        store: &dyn PublicStore,
        document: &Document,
        rendered: &Rendered,
    ) -> io::Result<bool> {
        let WriteOptions { siblings, verify, .. } = self.options;
        match (rendered, document) {
            (Rendered::Bytes(bytes), Document::SearchManifest) => {
                let is_new = tree.put_bytes(document, bytes, self.at, siblings)?;
                if let Some(current) = &self.named {
                    self.pieces.lock().set_current(tree, current)?;
                }
                Ok(is_new)
            }
            (Rendered::Piece(bytes), Document::SearchPiece(name)) => {
                let is_new = tree.put_piece(*name, bytes, self.at, verify)?;
                self.pieces.lock().put(*name);
                Ok(is_new)
            }
            (Rendered::Piece(bytes), _) => tree.put_bytes(document, bytes, self.at, siblings),
            (Rendered::Bytes(bytes), _) => tree.put_bytes(document, bytes, self.at, siblings),
            (Rendered::Page(page), _) => {
                let bytes = page.finish(store).map_err(io::Error::other)?;
                tree.put_bytes(document, &bytes, self.at, siblings)
            }
            (Rendered::Package(package), _) => {
                tree.put_package(document, package, || open_blob(store, package.sha256), self.at)
            }
        }
    }
}

fn record(failed_so_far: &Mutex<&mut Failures>, document: &Document, done: io::Result<bool>) {
    if let Err(why) = done {
        failed_so_far.lock().0.push((document.name(), why));
    }
}

//! Documents on their way into the tree.

use std::collections::BTreeSet;
use std::io;

use parking_lot::Mutex;
use registry::journal::{BlobReader, PublicStore};
use registry::names::Digest;
use registry::public::PublicCatalog;

use super::pieces::Pieces;
use crate::address::{Document, Stage, exists};
use crate::render::{Rendered, View, render};
use crate::search::PieceName;
use crate::tree::{Failures, LockedTree, Look, Siblings, State, StateTime};

/// How documents are put.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    pub siblings: Siblings,
    /// How closely pieces are looked at.
    pub look: Look,
}

/// What one state of the catalog makes of some documents.
pub(super) struct Update<'a> {
    put: Vec<(Document, Rendered)>,
    remove: Vec<Document>,
    at: StateTime,
    manner: Manner,
    pieces: &'a Mutex<Pieces>,
    /// Where the manifest leads to, if it is among the documents.
    led_to: Option<BTreeSet<PieceName>>,
}

impl<'a> Update<'a> {
    pub(super) fn new(catalog: &PublicCatalog, manner: Manner, pieces: &'a Mutex<Pieces>) -> Self {
        let at = StateTime::of(State::of(catalog));
        Self { put: Vec::new(), remove: Vec::new(), at, manner, pieces, led_to: None }
    }

    /// Renders a document; one that does not exist is to be removed.
    pub(super) fn add(&mut self, view: View<'_>, document: Document, failures: &mut Failures) {
        if document == Document::SearchManifest {
            return self.add_manifest(view);
        }
        if !exists(view, &document) {
            return self.remove.push(document);
        }
        match render(view, &document) {
            Ok(Some(rendered)) => self.put.push((document, rendered)),
            Ok(None) => self.remove.push(document),
            Err(why) => failures.0.push((document.name(), io::Error::other(why))),
        }
    }

    /// Renders the manifest, and with it what it leads to in the same state of
    /// the index and the tree may not have.
    fn add_manifest(&mut self, view: View<'_>) {
        if self.led_to.is_some() {
            return;
        }
        let index = view.search.of(view.catalog);
        let current: BTreeSet<_> = index.pieces().collect();
        let known = self.pieces.lock();
        let missing = current.iter().filter(|name| self.manner.look == Look::Close || !known.has(**name));
        let missing = missing.filter_map(|name| Some((*name, index.piece(*name)?)));
        self.put.extend(missing.map(|(name, piece)| (Document::SearchPiece(name), Rendered::Piece(piece))));
        let manifest = Rendered::Bytes(index.manifest().encode());
        self.put.push((Document::SearchManifest, manifest));
        self.led_to = Some(current);
    }

    /// Removes a document, whether or not it should be there.
    pub(super) fn remove(&mut self, document: Document) {
        self.remove.push(document);
    }

    /// Takes out what is to be removed, for later.
    pub(super) fn hold_removals(&mut self) -> Vec<Document> {
        std::mem::take(&mut self.remove)
    }

    /// Writes in the order of the stages; removes, in the opposite one, before
    /// the feed tells of it; and writes the head when nothing has failed.
    pub(super) fn write(mut self, tree: &LockedTree, store: &dyn PublicStore, failures: &mut Failures) {
        self.put.sort_by_key(|(document, _)| document.stage());
        self.remove.sort_by_key(|document| std::cmp::Reverse(document.stage()));
        let feed = self.put.partition_point(|(document, _)| document.stage() < Stage::Feed);
        let (documents, feed) = self.put.split_at(feed);
        let mut lacks_pieces = false;
        for (document, rendered) in documents {
            // It would lead to what is not there.
            if *document == Document::SearchManifest && lacks_pieces {
                continue;
            }
            let put = self.put(tree, store, document, rendered);
            lacks_pieces |= put.is_err() && document.stage() == Stage::Piece;
            note(failures, document, put);
        }
        for document in &self.remove {
            match beyond(tree, document) {
                // The last page first, so that what a crash leaves is found again.
                Ok(pages) => {
                    for page in pages.iter().rev().chain([document]) {
                        note(failures, page, tree.remove(page));
                    }
                }
                Err(why) => failures.0.push((document.name(), why)),
            }
        }
        for (document, rendered) in feed {
            if *document != Document::Head || failures.0.is_empty() {
                note(failures, document, self.put(tree, store, document, rendered));
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
        let Manner { siblings, look } = self.manner;
        match (rendered, document) {
            (Rendered::Bytes(bytes), Document::SearchManifest) => {
                let is_new = tree.put_bytes(document, bytes, self.at, siblings)?;
                if let Some(current) = &self.led_to {
                    self.pieces.lock().led_to(tree, current)?;
                }
                Ok(is_new)
            }
            (Rendered::Piece(bytes), Document::SearchPiece(name)) => {
                let is_new = tree.put_piece(*name, bytes, self.at, look)?;
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

/// The pages behind a page that is to be removed. How many a list had before
/// the rows that shortened it is not known any more: those that are there tell.
fn beyond(tree: &LockedTree, document: &Document) -> io::Result<Vec<Document>> {
    let mut pages = Vec::new();
    let mut last = document.next_page();
    while let Some(page) = last.take() {
        if tree.tree().open(&page)?.is_none() {
            break;
        }
        last = page.next_page();
        pages.push(page);
    }
    Ok(pages)
}

fn note(failures: &mut Failures, document: &Document, done: io::Result<bool>) {
    if let Err(why) = done {
        failures.0.push((document.name(), why));
    }
}

fn open_blob(store: &dyn PublicStore, digest: Digest) -> io::Result<Box<dyn BlobReader>> {
    let missing =
        || io::Error::new(io::ErrorKind::NotFound, format!("the blob {digest} is not in the data folder"));
    store.open_blob(digest).map_err(io::Error::other)?.ok_or_else(missing)
}

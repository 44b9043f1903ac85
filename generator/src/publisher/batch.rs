//! Documents on their way into the tree.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

use parking_lot::Mutex;
use registry::journal::{BlobReader, PublicStore};
use registry::names::Digest;
use registry::public::PublicCatalog;

use super::parallel::for_each;
use super::pieces::Pieces;
use super::write_order::{WriteGroup, WriteRank};
use crate::address::{Document, Stage, exists};
use crate::render::{RenderContext, Rendered, render};
use crate::search::PieceName;
use crate::tree::{Failures, LockedTree, Siblings, State, StateTime, Verify};

/// How documents are put.
#[derive(Debug, Clone, Copy)]
pub(super) struct WriteOptions {
    pub siblings: Siblings,
    /// How closely pieces are looked at.
    pub verify: Verify,
    /// Whether documents of a stage that do not refer to each other are written in parallel.
    pub is_parallel: bool,
}

/// A document, and what it is to be.
type Put = (Document, Rendered);

/// What one state of the catalog makes of some documents.
pub(super) struct WriteBatch<'a> {
    put: Vec<Put>,
    remove: Vec<Document>,
    at: StateTime,
    options: WriteOptions,
    pieces: &'a Mutex<Pieces>,
    /// Where the manifest leads to, if it is among the documents.
    led_to: Option<BTreeSet<PieceName>>,
}

impl<'a> WriteBatch<'a> {
    pub(super) fn new(catalog: &PublicCatalog, options: WriteOptions, pieces: &'a Mutex<Pieces>) -> Self {
        let at = StateTime::of(State::of(catalog));
        Self { put: Vec::new(), remove: Vec::new(), at, options, pieces, led_to: None }
    }

    /// Renders a document; one that does not exist is to be removed.
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

    /// Renders the manifest, and with it what it leads to in the same state of
    /// the index and the tree may not have.
    fn add_manifest(&mut self, context: RenderContext<'_>) {
        if self.led_to.is_some() {
            return;
        }
        let index = context.search.of(context.catalog);
        let current: BTreeSet<_> = index.pieces().collect();
        let known = self.pieces.lock();
        let missing =
            current.iter().filter(|name| self.options.verify == Verify::Content || !known.has(**name));
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
        // Rows and counters may both have asked for one, which no two threads may write.
        self.put.sort_by(|(a, _), (b, _)| (a.stage(), a).cmp(&(b.stage(), b)));
        self.put.dedup_by(|(a, _), (b, _)| a == b);
        // What leads to others goes before them.
        let rank = |document: &Document| Reverse((document.stage(), WriteRank::of(document, tree.tree())));
        self.remove.sort_by_cached_key(rank);
        let noted = Mutex::new(failures);
        let mut lacks_pieces = false;
        for stage in Stage::ALL {
            if stage == Stage::Feed {
                self.remove_all(tree, &noted);
            }
            let all = &self.put[self.start_of(stage)..];
            let all = &all[..all.partition_point(|(document, _)| document.stage() == stage)];
            let failed = noted.lock().0.len();
            // Either would lead to what is not there.
            let is_misleading = |document: &Document| match document {
                Document::SearchManifest => lacks_pieces,
                Document::Head => failed > 0,
                _ => false,
            };
            let put = |(document, rendered): &Put| {
                if !is_misleading(document) {
                    note(&noted, document, self.put(tree, store, document, rendered));
                }
            };
            self.put_all(all, tree, put);
            // The same ones are told of in the same words each time.
            noted.lock().0[failed..].sort_by(|(a, _), (b, _)| a.cmp(b));
            lacks_pieces |= stage == Stage::Piece && noted.lock().0.len() > failed;
        }
    }

    /// Where the documents of a stage begin.
    fn start_of(&self, stage: Stage) -> usize {
        self.put.partition_point(|(document, _)| document.stage() < stage)
    }

    /// Puts documents of one stage, group by group.
    fn put_all(&self, all: &[Put], tree: &LockedTree, put: impl Fn(&Put) + Sync) {
        let mut all: Vec<_> = all.iter().map(|one| (WriteRank::of(&one.0, tree.tree()), one)).collect();
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut groups: BTreeMap<WriteGroup, Vec<&Put>> = BTreeMap::new();
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

    /// Removes what is to be removed. How many pages a list had before the rows that
    /// shortened it is not known any more: those that are there tell.
    fn remove_all(&self, tree: &LockedTree, noted: &Mutex<&mut Failures>) {
        for document in &self.remove {
            match tree.tree().pages_behind(document) {
                Ok(pages) => {
                    for page in [document].into_iter().chain(pages.iter().rev()) {
                        note(noted, page, tree.remove(page));
                    }
                }
                Err(why) => note(noted, document, Err(why)),
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
                if let Some(current) = &self.led_to {
                    self.pieces.lock().led_to(tree, current)?;
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

fn note(noted: &Mutex<&mut Failures>, document: &Document, done: io::Result<bool>) {
    if let Err(why) = done {
        noted.lock().0.push((document.name(), why));
    }
}

fn open_blob(store: &dyn PublicStore, digest: Digest) -> io::Result<Box<dyn BlobReader>> {
    let missing =
        || io::Error::new(io::ErrorKind::NotFound, format!("the blob {digest} is not in the data folder"));
    store.open_blob(digest).map_err(io::Error::other)?.ok_or_else(missing)
}

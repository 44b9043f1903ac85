//! Documents on their way into the tree.

use std::io;

use registry::journal::{BlobReader, PublicStore};
use registry::names::Digest;
use registry::public::PublicCatalog;

use crate::address::{Document, Stage, exists};
use crate::render::{Rendered, View, render};
use crate::tree::{Failures, LockedTree, Siblings, State, StateTime};

/// What one state of the catalog makes of some documents.
pub(super) struct Update {
    put: Vec<(Document, Rendered)>,
    remove: Vec<Document>,
    at: StateTime,
    siblings: Siblings,
}

impl Update {
    pub(super) fn new(catalog: &PublicCatalog, siblings: Siblings) -> Self {
        let at = StateTime::of(State::of(catalog));
        Self { put: Vec::new(), remove: Vec::new(), at, siblings }
    }

    /// Renders a document; one that does not exist is to be removed.
    pub(super) fn add(&mut self, view: View<'_>, document: Document, failures: &mut Failures) {
        if !exists(view.catalog, view.settings, &document) {
            return self.remove.push(document);
        }
        match render(view, &document) {
            Ok(Some(rendered)) => self.put.push((document, rendered)),
            Ok(None) => self.remove.push(document),
            Err(why) => failures.0.push((document.file(), io::Error::other(why))),
        }
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
        for (document, rendered) in documents {
            note(failures, document, put(tree, store, document, rendered, (self.at, self.siblings)));
        }
        for document in &self.remove {
            match beyond(tree, document) {
                // The last page first, so that what a crash leaves is found again.
                Ok(pages) => {
                    for page in pages.iter().rev().chain([document]) {
                        note(failures, page, tree.remove(page));
                    }
                }
                Err(why) => failures.0.push((document.file(), why)),
            }
        }
        for (document, rendered) in feed {
            if *document != Document::Head || failures.0.is_empty() {
                note(failures, document, put(tree, store, document, rendered, (self.at, self.siblings)));
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
        failures.0.push((document.file(), why));
    }
}

fn put(
    tree: &LockedTree,
    store: &dyn PublicStore,
    document: &Document,
    rendered: &Rendered,
    (at, siblings): (StateTime, Siblings),
) -> io::Result<bool> {
    match rendered {
        Rendered::Bytes(bytes) => tree.put_bytes(document, bytes, at, siblings),
        Rendered::Package(package) => {
            tree.put_package(document, package, || open_blob(store, package.sha256), at)
        }
    }
}

fn open_blob(store: &dyn PublicStore, digest: Digest) -> io::Result<Box<dyn BlobReader>> {
    let missing =
        || io::Error::new(io::ErrorKind::NotFound, format!("the blob {digest} is not in the data folder"));
    store.open_blob(digest).map_err(io::Error::other)?.ok_or_else(missing)
}

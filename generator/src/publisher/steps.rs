//! The steps in which a batch is written: a list in the order of writing, which is decided before the first
//! file is touched.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io;

use super::batch::{DocumentContent, WriteBatch, WriteOptions};
use super::document_writer::DocumentWriter;
use super::parallel::map;
use crate::address::{Document, GitFile, Stage, Tier, exists};
use crate::blobs::open_blob;
use crate::render::Rendered;
use crate::search::PieceName;
use crate::tree::{Failures, LockedTree, StateTime};

/// Documents of one step. Skills that change meanwhile wait for the end of a step.
const DOCUMENTS_PER_STEP: usize = 16;

/// A part of the work on a batch.
pub(super) enum WriteStep {
    /// Writes documents of equal rank, which do not refer to each other.
    Put(Vec<DocumentContent>),
    /// Removes documents, each before those that it refers to.
    Remove(Vec<Document>),
}

impl WriteBatch {
    /// Divides the batch into steps, in the order of the ranks. Documents are removed after everything that
    /// referred to them is written, and before the feed says that they are gone.
    pub(super) fn into_steps(self) -> (Vec<WriteStep>, StepWriter) {
        let Self { mut put, remove, at, options, named, failures } = self;
        // Pieces may also have been added one by one, and two threads must not write one document.
        put.sort_by(|(a, _), (b, _)| (a.rank(), a).cmp(&(b.rank(), b)));
        put.dedup_by(|(a, _), (b, _)| a == b);
        let from_feed = put.split_off(put.partition_point(|(document, _)| document.stage() < Stage::Feed));
        let (mut steps, mut last) = (put_steps(put), put_steps(from_feed));
        // The old checkpoint refers to partial tiles until the new one is written.
        let is_tile = |document: &Document| matches!(document, Document::LogTile(_));
        let (tiles, others): (Vec<_>, Vec<_>) = remove.into_iter().partition(is_tile);
        steps.extend(remove_step(others));
        let before_head = last.iter().position(|step| step.stage() == Some(Stage::Head));
        last.splice(before_head.map_or(last.len()..last.len(), |at| at..at), remove_step(tiles));
        steps.extend(last);
        (steps, StepWriter { at, options, named, failures, failed: BTreeSet::new() })
    }
}

/// Puts documents in steps. They are sorted by rank.
fn put_steps(documents: Vec<DocumentContent>) -> Vec<WriteStep> {
    let mut steps: Vec<Vec<DocumentContent>> = Vec::new();
    for document in documents {
        match steps.last_mut() {
            Some(step) if step.len() < DOCUMENTS_PER_STEP && step[0].0.rank() == document.0.rank() => {
                step.push(document);
            }
            _ => steps.push(vec![document]),
        }
    }
    steps.into_iter().map(WriteStep::Put).collect()
}

/// The step that removes documents, if there are any.
fn remove_step(mut documents: Vec<Document>) -> Option<WriteStep> {
    documents.sort_by_cached_key(|document| Reverse((document.rank(), document.clone())));
    (!documents.is_empty()).then_some(WriteStep::Remove(documents))
}

impl WriteStep {
    /// The stage of the documents that it writes.
    fn stage(&self) -> Option<Stage> {
        match self {
            Self::Put(documents) => documents.first().map(|(document, _)| document.stage()),
            Self::Remove(_) => None,
        }
    }
}

/// Carries out the steps of one batch. A document that cannot be written keeps back only those that would
/// mislead without it.
pub(super) struct StepWriter {
    at: StateTime,
    options: WriteOptions,
    /// The pieces that the manifest names, if it is in the batch.
    named: Option<BTreeSet<PieceName>>,
    failures: Failures,
    /// The stages of documents that could not be written.
    failed: BTreeSet<Stage>,
}

impl StepWriter {
    /// Carries out a step.
    pub(super) fn carry_out(&mut self, step: WriteStep, writer: &DocumentWriter, tree: &LockedTree) {
        match step {
            WriteStep::Put(documents) => {
                let done = map(&documents, |(document, rendered)| match self.is_misleading(document) {
                    true => Ok(false),
                    false => self.write(writer, tree, document, rendered),
                });
                for ((document, _), done) in documents.iter().zip(done) {
                    self.record(document, done);
                }
            }
            WriteStep::Remove(documents) => {
                documents.iter().for_each(|document| self.remove(writer, tree, document));
            }
        }
    }

    /// The documents that could not be rendered, written or removed.
    pub(super) fn failures(self) -> Failures {
        self.failures
    }

    /// Whether a document would refer to one that is missing.
    fn is_misleading(&self, document: &Document) -> bool {
        match document {
            Document::SearchManifest => self.failed.contains(&Stage::Piece),
            Document::Git(_, GitFile::Refs) => self.failed.contains(&Stage::GitPack),
            Document::Checkpoint | Document::EpochStatement | Document::Head => !self.failures.0.is_empty(),
            _ => false,
        }
    }

    fn write(
        &self,
        writer: &DocumentWriter,
        tree: &LockedTree,
        document: &Document,
        rendered: &Rendered,
    ) -> io::Result<bool> {
        let (store, pieces, WriteOptions { siblings, verify }) =
            (&*writer.sources.store, &writer.pieces, self.options);
        let put = |bytes: &[u8]| tree.put_bytes(document, bytes, self.at, siblings);
        match (rendered, document) {
            (Rendered::Bytes(bytes), Document::SearchManifest) => {
                let is_new = put(bytes)?;
                if let Some(named) = &self.named {
                    pieces.lock().set_current(tree, named)?;
                }
                Ok(is_new)
            }
            (Rendered::Piece(bytes), Document::SearchPiece(name)) => {
                let is_new = tree.put_piece(*name, bytes, self.at, verify)?;
                pieces.lock().put(*name);
                Ok(is_new)
            }
            (Rendered::Piece(bytes), _) => put(bytes),
            (Rendered::Bytes(bytes), _) => put(bytes),
            (Rendered::Page(page), _) => put(&page.finish(store).map_err(io::Error::other)?),
            (Rendered::File(file), _) => put(&file.read(store)?),
            (Rendered::Git(repository, file), _) => put(&repository.render(*file, store)?),
            (Rendered::Package(package), _) => {
                tree.put_package(document, package, || open_blob(store, package.sha256), self.at)
            }
        }
    }

    /// Removes a document, unless it has come back meanwhile. If a list has become shorter, the tree's files
    /// tell how many pages it had.
    fn remove(&mut self, writer: &DocumentWriter, tree: &LockedTree, document: &Document) {
        // This thread writes what comes back later, so the catalog need not stay locked meanwhile.
        let is_back = || exists(writer.context(&writer.sources.public.read_recursive()), document);
        if document.stage().tier() == Tier::Own && is_back() {
            return;
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

    fn record(&mut self, document: &Document, done: io::Result<bool>) {
        if let Err(why) = done {
            self.failed.insert(document.stage());
            self.failures.0.push((document.name(), why));
        }
    }
}

//! Renders documents from the catalog and writes them to the tree.

use std::sync::Arc;

use parking_lot::Mutex;
use registry::journal::Revision;
use registry::public::PublicCatalog;

use super::TreeError;
use super::batch::{WriteBatch, WriteOptions};
use super::outdated::Outdated;
use super::pieces::Pieces;
use crate::Sources;
use crate::address::{Document, Stage};
use crate::render::RenderContext;
use crate::settings::TreeSettings;
use crate::tree::{Failures, LockedTree};

/// Documents that are rendered under one lock of the catalog. New changes wait for that.
pub(super) const DOCUMENTS_PER_STEP: usize = 256;

/// A tree, and everything that its documents are made from.
pub(super) struct DocumentWriter {
    pub(super) sources: Sources,
    pub(super) settings: TreeSettings,
    pub(super) tree: LockedTree,
    /// The time offset of all files that are written now.
    pub(super) time_offset: u64,
    pub(super) pieces: Mutex<Pieces>,
}

impl DocumentWriter {
    pub(super) fn context<'a>(&'a self, catalog: &'a PublicCatalog) -> RenderContext<'a> {
        RenderContext {
            catalog,
            search: &self.sources.search,
            store: &*self.sources.store,
            settings: &self.settings,
            signing: &self.sources.signing,
        }
    }

    /// Renders documents from one state of the catalog.
    pub(super) fn render(
        &self,
        catalog: &PublicCatalog,
        documents: &[Document],
        options: WriteOptions,
    ) -> WriteBatch {
        let mut batch = WriteBatch::new(catalog, self.time_offset, options);
        batch.add(self.context(catalog), documents, &self.pieces);
        batch
    }

    /// Writes rendered documents to `staging`, or to the tree.
    pub(super) fn write(&self, batch: WriteBatch, staging: Option<&LockedTree>) -> Failures {
        batch.write(staging.unwrap_or(&self.tree), &*self.sources.store, &self.pieces, &mut || {})
    }

    /// Writes rendered documents to the tree. Between documents that show several skills, it writes
    /// the own documents of skills that change meanwhile, and reports up to which revision.
    pub(super) fn write_and_follow(
        &self,
        batch: WriteBatch,
        outdated: &mut Outdated,
        report: &mut dyn FnMut(Revision),
    ) -> Result<(), TreeError> {
        let (options, mut followed) = (batch.options, Ok(()));
        let follows = !batch.removes_own();
        let failures = batch.write(&self.tree, &*self.sources.store, &self.pieces, &mut || {
            if follows {
                self.follow(outdated, options, report, &mut followed);
            }
        });
        if failures.0.is_empty() { followed } else { Err(failures.into()) }
    }

    /// Writes the own documents of changed skills, unless that failed before.
    pub(super) fn follow(
        &self,
        outdated: &mut Outdated,
        options: WriteOptions,
        report: &mut dyn FnMut(Revision),
        followed: &mut Result<(), TreeError>,
    ) {
        if followed.is_ok() {
            let own = self.write_own(outdated, options);
            *followed = own.map(|revision| revision.into_iter().for_each(report));
        }
    }

    /// Writes the outdated documents of [`Tier::Own`](crate::address::Tier). Returns the revision
    /// that they show; `None` if documents wait for removal.
    pub(super) fn write_own(
        &self,
        outdated: &mut Outdated,
        options: WriteOptions,
    ) -> Result<Option<Revision>, TreeError> {
        loop {
            // Never waits for a writer that waits for another reader: that reader may wait for the
            // search index, which the caller may have locked.
            let catalog = self.sources.public.read_recursive();
            if !outdated.add_rows(&self.sources, &self.settings, &catalog)? {
                continue;
            }
            let batch = self.render_own(&catalog, outdated, options, DOCUMENTS_PER_STEP);
            drop(catalog);
            self.write_all(batch)?;
            if !outdated.has_any(Stage::LAST_OWN) {
                return Ok(outdated.own_revision());
            }
        }
    }

    /// Writes the outdated documents of [`Tier::Own`](crate::address::Tier), of the rows that were
    /// added.
    pub(super) fn write_own_of(
        &self,
        catalog: &PublicCatalog,
        outdated: &mut Outdated,
        options: WriteOptions,
    ) -> Result<(), TreeError> {
        self.write_all(self.render_own(catalog, outdated, options, usize::MAX))
    }

    /// Renders the outdated documents of [`Tier::Own`](crate::address::Tier), `limit` at most.
    pub(super) fn render_own(
        &self,
        catalog: &PublicCatalog,
        outdated: &mut Outdated,
        options: WriteOptions,
        limit: usize,
    ) -> WriteBatch {
        let documents = outdated.take(Stage::LAST_OWN, limit);
        let mut batch = self.render(catalog, &documents, options);
        outdated.removals.extend(batch.take_removals());
        batch
    }

    /// Writes rendered documents to the tree.
    pub(super) fn write_all(&self, batch: WriteBatch) -> Result<(), TreeError> {
        let failures = self.write(batch, None);
        if failures.0.is_empty() { Ok(()) } else { Err(failures.into()) }
    }

    /// Writes a few precomputed answers, after the own documents of skills that changed meanwhile
    /// unless the catalog is locked. Returns the revision that those show, if all are written.
    pub(super) fn write_answers(
        &self,
        queries: &[Arc<str>],
        locked: Option<&PublicCatalog>,
        outdated: &mut Outdated,
        options: WriteOptions,
    ) -> Result<Option<Revision>, TreeError> {
        if let Some(catalog) = locked {
            self.write_all(self.render_answers(catalog, queries, options))?;
            return Ok(None);
        }
        let own = self.write_own(outdated, options)?;
        let catalog = loop {
            let catalog = self.sources.public.read();
            if outdated.add_rows(&self.sources, &self.settings, &catalog)? {
                break catalog;
            }
        };
        self.write_own_of(&catalog, outdated, options)?;
        let batch = self.render_answers(&catalog, queries, options);
        drop(catalog);
        self.write_all(batch)?;
        Ok(own)
    }
}

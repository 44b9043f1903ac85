//! Renders documents from the catalog and writes them to the tree.

use parking_lot::Mutex;
use registry::public::PublicCatalog;

use super::batch::{WriteBatch, WriteOptions};
use super::outdated::Outdated;
use super::pieces::Pieces;
use super::{OwnProgress, TreeError};
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
        batch.write(self, staging.unwrap_or(&self.tree), &mut || {})
    }

    /// Writes rendered documents to the tree. Between documents that show several skills, it writes
    /// the own documents of skills that change meanwhile, and reports how far those are.
    pub(super) fn write_and_follow(
        &self,
        batch: WriteBatch,
        outdated: &mut Outdated,
        report: &mut dyn FnMut(OwnProgress),
    ) -> Result<(), TreeError> {
        let (options, mut followed) = (batch.options, Ok(()));
        let failures =
            batch.write(self, &self.tree, &mut || self.follow(outdated, options, report, &mut followed));
        if failures.0.is_empty() { followed } else { Err(failures.into()) }
    }

    /// Writes the own documents of changed skills, unless that failed before.
    pub(super) fn follow(
        &self,
        outdated: &mut Outdated,
        options: WriteOptions,
        report: &mut dyn FnMut(OwnProgress),
        followed: &mut Result<(), TreeError>,
    ) {
        if followed.is_ok() {
            let own = self.write_own(outdated, options);
            *followed = own.map(|own| own.into_iter().for_each(report));
        }
    }

    /// Writes the outdated documents of [`Tier::Own`](crate::address::Tier), but those of late rows.
    /// Returns how far they are.
    pub(super) fn write_own(
        &self,
        outdated: &mut Outdated,
        options: WriteOptions,
    ) -> Result<Option<OwnProgress>, TreeError> {
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
                return Ok(outdated.own_progress());
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

    /// Writes what `render` makes, after the own documents of skills that changed meanwhile, and reports
    /// how far those are.
    pub(super) fn write_after_own(
        &self,
        outdated: &mut Outdated,
        options: WriteOptions,
        report: &mut dyn FnMut(OwnProgress),
        render: impl FnOnce(&PublicCatalog) -> WriteBatch,
    ) -> Result<(), TreeError> {
        let own = self.write_own(outdated, options)?;
        let catalog = loop {
            let catalog = self.sources.public.read();
            if outdated.add_rows(&self.sources, &self.settings, &catalog)? {
                break catalog;
            }
        };
        self.write_own_of(&catalog, outdated, options)?;
        let mut batch = render(&catalog);
        drop(catalog);
        outdated.removals.extend(batch.take_own_removals());
        self.write_all(batch)?;
        own.into_iter().for_each(report);
        Ok(())
    }
}

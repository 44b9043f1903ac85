//! Renders documents from the catalog and writes them to the tree.

use parking_lot::{Mutex, RwLock, RwLockReadGuard};
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

    /// Locks the catalog in a state of which `outdated` has all rows. A document may be rendered only then.
    pub(super) fn lock_planned<'a>(
        &self,
        public: &'a RwLock<PublicCatalog>,
        outdated: &mut Outdated,
    ) -> Result<RwLockReadGuard<'a, PublicCatalog>, TreeError> {
        loop {
            // Never waits for a writer that waits for another reader: that reader may wait for the
            // search index, which the caller may have locked.
            let catalog = public.read_recursive();
            if outdated.add_rows(&self.sources, &self.settings, &catalog)? {
                return Ok(catalog);
            }
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

    /// Renders the outdated documents of [`Tier::Own`](crate::address::Tier), `limit` at most. Those that are
    /// gone are removed later, when nothing refers to them any more.
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

    /// Writes rendered documents to `staging`, or to the tree.
    pub(super) fn write(&self, batch: WriteBatch, staging: Option<&LockedTree>) -> Failures {
        let tree = staging.unwrap_or(&self.tree);
        let (steps, mut writing) = batch.into_steps();
        if !steps.is_empty()
            && let Err(why) = tree.changes.begin()
        {
            return Failures(vec![("the record of changes".into(), why)]);
        }
        for step in steps {
            writing.carry_out(step, self, tree);
        }
        writing.failures()
    }

    /// Writes rendered documents to the tree.
    pub(super) fn write_all(&self, batch: WriteBatch) -> Result<(), TreeError> {
        let failures = self.write(batch, None);
        if failures.0.is_empty() { Ok(()) } else { Err(failures.into()) }
    }
}

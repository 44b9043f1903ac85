//! The documents of a tree that do not show the catalog's state yet.

use std::collections::BTreeSet;

use registry::journal::{PublicRow, Revision};
use registry::public::{DecodedRow, PublicCatalog};

use super::TreeError;
use crate::Sources;
use crate::address::{Document, Rank, Stage};
use crate::plan::Plan;
use crate::settings::TreeSettings;
use crate::tree::State;

/// How many rows are read while the catalog is locked.
const ROWS_PER_LOCK: usize = 500;

/// The documents that rows and counters have outdated, in the order of writing.
///
/// Documents are rendered from the current catalog, not from the catalog at a row. So all rows of
/// the catalog must be added before a document is taken. Otherwise it could refer to a document
/// that does not exist yet.
#[derive(Debug, Default)]
pub(super) struct Outdated {
    /// The last state whose changes were added.
    pub(super) state: State,
    documents: BTreeSet<(Rank, Document)>,
    /// Documents that no longer exist. They are removed when nothing refers to them any more.
    pub(super) removals: BTreeSet<Document>,
}

impl Outdated {
    /// No documents: the tree shows this state.
    pub(super) fn since(state: State) -> Self {
        Self { state, ..Self::default() }
    }

    /// Adds the documents that the next rows of the catalog have outdated. Returns whether all rows
    /// of the catalog were added; call it again if not.
    pub(super) fn add_rows(
        &mut self,
        sources: &Sources,
        settings: &TreeSettings,
        catalog: &PublicCatalog,
    ) -> Result<bool, TreeError> {
        let mut plan = Plan::new(catalog, settings);
        let rows = new_rows(sources, catalog, self.state.revision)?;
        for row in &rows {
            plan.add_row(&DecodedRow::decode(row)?);
        }
        self.extend(plan.into_documents());
        let is_all = rows.len() < ROWS_PER_LOCK;
        let last = rows.last().map_or(self.state.revision, |row| row.revision);
        self.state.revision = if is_all { catalog.revision() } else { last };
        Ok(is_all)
    }

    /// Adds the documents that new counters have outdated.
    pub(super) fn add_counters(&mut self, settings: &TreeSettings, catalog: &PublicCatalog) {
        let mut plan = Plan::new(catalog, settings);
        for (_, id) in catalog.counters().changed_since(self.state.counters) {
            plan.add_counters(id);
        }
        self.extend(plan.into_documents());
        self.state.counters = catalog.counter_generation();
    }

    /// Adds documents.
    pub(super) fn extend(&mut self, documents: impl IntoIterator<Item = Document>) {
        self.documents.extend(documents.into_iter().map(|document| (document.rank(), document)));
    }

    /// Takes the first `limit` documents up to and including a stage.
    pub(super) fn take(&mut self, last: Stage, limit: usize) -> Vec<Document> {
        let mut taken = Vec::new();
        while taken.len() < limit && self.has_any(last) {
            taken.extend(self.documents.pop_first().map(|(_, document)| document));
        }
        taken
    }

    /// The revision that the documents of [`Tier::Own`](crate::address::Tier) show, if all of them
    /// are written and none waits for removal.
    pub(super) fn own_revision(&self) -> Option<Revision> {
        let is_done = !self.has_any(Stage::LAST_OWN) && self.removals.is_empty();
        is_done.then_some(self.state.revision)
    }

    /// Whether a document up to and including a stage is left.
    pub(super) fn has_any(&self, last: Stage) -> bool {
        self.documents.first().is_some_and(|(rank, _)| rank.stage <= last)
    }
}

/// The next public rows after `from` that the catalog includes. (The journal may be ahead of the
/// catalog.)
fn new_rows(sources: &Sources, catalog: &PublicCatalog, from: Revision) -> Result<Vec<PublicRow>, TreeError> {
    if from >= catalog.revision() {
        return Ok(Vec::new());
    }
    let mut rows = sources.store.public_since(from, ROWS_PER_LOCK)?;
    rows.retain(|row| row.revision <= catalog.revision());
    Ok(rows)
}

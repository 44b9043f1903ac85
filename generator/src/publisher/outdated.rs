//! The documents of a tree that do not show the catalog's state yet.

use std::collections::{BTreeMap, BTreeSet};

use registry::journal::{PublicRow, Revision};
use registry::names::Coordinate;
use registry::public::{DecodedRow, PublicCatalog};

use super::{OwnProgress, TreeError};
use crate::Sources;
use crate::address::{Document, Rank, Stage, Tier};
use crate::plan::{Extent, Plan, extent, subject};
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
    /// Documents of [`Tier::Own`] that late rows have outdated.
    late_documents: BTreeSet<(Rank, Document)>,
    /// Late rows: those whose own documents are written or removed together with the lists.
    late: BTreeSet<Revision>,
    /// The skills with versions that are not written yet, each with the last of its rows.
    incomplete: BTreeMap<Coordinate, Revision>,
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
        let (mut plan, mut late) = (Plan::new(catalog, settings), Plan::new(catalog, settings));
        let rows = new_rows(sources, catalog, self.state.revision)?;
        for row in &rows {
            let row = DecodedRow::decode(row)?;
            let extent = extent(&row.change, catalog);
            self.note_late(&row, extent);
            if extent == Extent::ManySkills { &mut late } else { &mut plan }.add_row(&row);
        }
        self.extend(plan.into_documents());
        let is_own = |document: &Document| document.stage().tier() == Tier::Own;
        let (own, shared): (Vec<_>, Vec<_>) = late.into_documents().into_iter().partition(is_own);
        self.late_documents.extend(own.into_iter().map(|document| (document.rank(), document)));
        self.extend(shared);
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
        for document in documents {
            let is_late = document.stage().tier() == Tier::Own
                && document.skill().is_some_and(|of| self.incomplete.contains_key(of));
            let queue = if is_late { &mut self.late_documents } else { &mut self.documents };
            queue.insert((document.rank(), document));
        }
    }

    /// Takes the first `limit` documents up to and including a stage.
    pub(super) fn take(&mut self, last: Stage, limit: usize) -> Vec<Document> {
        let mut taken = Vec::new();
        while taken.len() < limit && self.has_any(last) {
            taken.extend(self.documents.pop_first().map(|(_, document)| document));
        }
        taken
    }

    /// How far the documents of [`Tier::Own`] are, if all of them are written but those of late rows.
    pub(super) fn own_progress(&self) -> Option<OwnProgress> {
        let is_done = !self.has_any(Stage::LAST_OWN);
        is_done.then(|| OwnProgress { revision: self.state.revision, late: self.late.clone() })
    }

    /// Notes a row as late if nobody else has to wait for it. A row about a skill with unwritten
    /// versions is late as well, because its documents would refer to those.
    fn note_late(&mut self, row: &DecodedRow, extent: Extent) {
        let subject = subject(&row.change);
        let is_incomplete = match &subject {
            Some(subject) => self.incomplete.contains_key(subject),
            None => !self.incomplete.is_empty(),
        };
        if extent != Extent::Few || is_incomplete {
            self.late.insert(row.revision);
        }
        if let Some(subject) = subject.filter(|_| is_incomplete || extent == Extent::ManyVersions) {
            self.incomplete.insert(subject, row.revision);
        }
    }

    /// Takes the documents of late rows, in the order of writing.
    pub(super) fn take_late(&mut self) -> Vec<Document> {
        std::mem::take(&mut self.late_documents).into_iter().map(|(_, document)| document).collect()
    }

    /// Adds documents of late rows whose turn has come.
    pub(super) fn queue(&mut self, documents: Vec<Document>) {
        self.documents.extend(documents.into_iter().map(|document| (document.rank(), document)));
    }

    /// Notes that all documents show a revision.
    pub(super) fn reached(&mut self, revision: Revision) {
        self.late.retain(|late| *late > revision);
        self.incomplete.retain(|_, last| *last > revision);
    }

    /// Whether a document up to and including a stage is left.
    fn has_any(&self, last: Stage) -> bool {
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

//! Tracks up to which revision the documents of each stage are written.

use std::cmp::Reverse;

use registry::journal::Revision;
use registry::public::{DecodedRow, PublicCatalog};

use super::batch::WriteBatch;
use super::write_order::WriteRank;
use super::{ROWS_PER_STEP, TreeError, TreePublisher};
use crate::address::{Document, Stage};
use crate::plan::Plan;
use crate::tree::Failures;

/// The stages with a progress of their own. The head is written after all of them. No row outdates
/// a piece: pieces are written with the manifest.
pub(super) const STAGES: [Stage; 5] =
    [Stage::Package, Stage::Version, Stage::Skill, Stage::List, Stage::Feed];

/// For each of [`STAGES`], the revision up to which its documents are written.
///
/// Documents are rendered from the current catalog, not from the catalog at a row. So before a
/// document of a stage is written, the documents of earlier stages must be written for all rows in
/// the catalog. Otherwise it could refer to a document that does not exist yet.
pub(super) struct StageProgress([Progress; STAGES.len()]);

/// The progress of a stage.
#[derive(Default)]
struct Progress {
    reached: Revision,
    /// Unwritten documents that rows up to `due` have outdated.
    left: Vec<Document>,
    due: Revision,
}

/// Documents that one step renders: a single row may outdate all skills of a person.
const DOCUMENTS_PER_STEP: usize = 1000;

impl StageProgress {
    pub(super) fn all(revision: Revision) -> Self {
        Self(STAGES.map(|_| Progress { reached: revision, ..Progress::default() }))
    }

    /// The revision up to which all stages are written.
    pub(super) fn least(&self) -> Revision {
        self.0.iter().map(|progress| progress.reached).min().unwrap_or(0)
    }

    /// The revision up to which all earlier stages are written.
    pub(super) fn least_before(&self, stage: Stage) -> Revision {
        let before = STAGES.iter().zip(&self.0).take_while(|(other, _)| **other < stage);
        before.map(|(_, progress)| progress.reached).min().unwrap_or(Revision::MAX)
    }

    /// Adds at most [`DOCUMENTS_PER_STEP`] documents of a stage that the next [`ROWS_PER_STEP`]
    /// rows have outdated. Returns whether the stage is complete.
    fn next(
        &mut self,
        index: usize,
        publisher: &TreePublisher,
        catalog: &PublicCatalog,
        batch: &mut WriteBatch<'_>,
        failures: &mut Failures,
    ) -> Result<bool, TreeError> {
        let progress = &mut self.0[index];
        if progress.left.is_empty() {
            let mut rows = publisher.rows(catalog, progress.reached, ROWS_PER_STEP + 1)?;
            let is_all = rows.len() <= ROWS_PER_STEP;
            rows.truncate(ROWS_PER_STEP);
            let mut plan = Plan::new(catalog, &publisher.settings);
            for row in &rows {
                plan.add_row(&DecodedRow::decode(row)?);
            }
            progress.left = plan
                .into_documents()
                .into_iter()
                .filter(|document| document.stage() == STAGES[index])
                .collect();
            if progress.left.len() > DOCUMENTS_PER_STEP {
                // Documents are taken from the end, so those to write first come last.
                progress.left.sort_by_cached_key(|one| Reverse(WriteRank::of(one, publisher.tree())));
            }
            let last = rows.last().map_or(0, |row| row.revision);
            progress.due = if is_all { catalog.revision() } else { last };
        }
        let from = progress.left.len().saturating_sub(DOCUMENTS_PER_STEP);
        for document in progress.left.drain(from..) {
            batch.add(publisher.context(catalog), document, failures);
        }
        if progress.left.is_empty() {
            progress.reached = progress.due;
        }
        // The catalog may include rows that were not planned yet.
        Ok(progress.reached == catalog.revision())
    }

    /// Adds all outdated documents of the stages before `stage`.
    pub(super) fn before(
        &mut self,
        stage: Stage,
        publisher: &TreePublisher,
        catalog: &PublicCatalog,
        batch: &mut WriteBatch<'_>,
        failures: &mut Failures,
    ) -> Result<(), TreeError> {
        for index in (0..STAGES.len()).take_while(|index| STAGES[*index] < stage) {
            while !self.next(index, publisher, catalog, batch, failures)? {}
        }
        Ok(())
    }

    /// Adds the next outdated documents, stage by stage: all of them, unless they are too many.
    /// Returns whether none is left.
    pub(super) fn forward(
        &mut self,
        publisher: &TreePublisher,
        catalog: &PublicCatalog,
        batch: &mut WriteBatch<'_>,
        failures: &mut Failures,
    ) -> Result<bool, TreeError> {
        for index in 0..STAGES.len() {
            if !self.next(index, publisher, catalog, batch, failures)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

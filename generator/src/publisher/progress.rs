//! Up to where each stage's documents are written.

use std::cmp::Reverse;

use registry::journal::Revision;
use registry::public::{DecodedRow, PublicCatalog};

use super::batch::WriteBatch;
use super::write_order::WriteRank;
use super::{ROWS, TreeError, TreePublisher};
use crate::address::{Document, Stage};
use crate::plan::plan;
use crate::tree::Failures;

/// The stages that are followed; the head is written when all are done, and no
/// row makes a piece stale: pieces come with the manifest.
pub(super) const STAGES: [Stage; 5] =
    [Stage::Package, Stage::Version, Stage::Skill, Stage::List, Stage::Feed];

/// For each of [`STAGES`], the revision up to which its documents are written.
///
/// Documents are rendered from the catalog as it is, not as it was at a row. So
/// before one of a stage is written, those of the earlier stages must be, for
/// all rows that the catalog has taken in: else it may refer to what is not
/// there yet.
pub(super) struct StageProgress([Progress; STAGES.len()]);

/// How far one stage is.
#[derive(Default)]
struct Progress {
    reached: Revision,
    /// What the rows up to `due` have made stale and is not written yet.
    left: Vec<Document>,
    due: Revision,
}

/// How many documents of a stage one step renders: a single row may touch all
/// skills of someone.
const DOCUMENTS: usize = 1000;

impl StageProgress {
    pub(super) fn all(revision: Revision) -> Self {
        Self(STAGES.map(|_| Progress { reached: revision, ..Progress::default() }))
    }

    /// Up to where all stages are written.
    pub(super) fn least(&self) -> Revision {
        self.0.iter().map(|progress| progress.reached).min().unwrap_or(0)
    }

    /// Up to where all stages before one are written.
    pub(super) fn least_before(&self, stage: Stage) -> Revision {
        let before = STAGES.iter().zip(&self.0).take_while(|(other, _)| **other < stage);
        before.map(|(_, progress)| progress.reached).min().unwrap_or(Revision::MAX)
    }

    /// Adds documents of one stage, at most [`DOCUMENTS`], that the next
    /// [`ROWS`] rows have made stale. Returns whether that was all there is.
    fn next(
        &mut self,
        index: usize,
        mirror: &TreePublisher,
        catalog: &PublicCatalog,
        batch: &mut WriteBatch<'_>,
        failures: &mut Failures,
    ) -> Result<bool, TreeError> {
        let progress = &mut self.0[index];
        if progress.left.is_empty() {
            let mut rows = mirror.rows(catalog, progress.reached, ROWS + 1)?;
            let is_all = rows.len() <= ROWS;
            rows.truncate(ROWS);
            let mut stale = Default::default();
            for row in &rows {
                plan(catalog, &mirror.settings, &DecodedRow::decode(row)?, &mut stale);
            }
            progress.left = stale.into_iter().filter(|document| document.stage() == STAGES[index]).collect();
            if progress.left.len() > DOCUMENTS {
                // It is taken from its end: there belongs what is written first.
                progress.left.sort_by_cached_key(|one| Reverse(WriteRank::of(one, mirror.tree())));
            }
            let last = rows.last().map_or(0, |row| row.revision);
            progress.due = if is_all { catalog.revision() } else { last };
        }
        let from = progress.left.len().saturating_sub(DOCUMENTS);
        for document in progress.left.drain(from..) {
            batch.add(mirror.context(catalog), document, failures);
        }
        if progress.left.is_empty() {
            progress.reached = progress.due;
        }
        // Rows may have come in since this was planned.
        Ok(progress.reached == catalog.revision())
    }

    /// Adds what is due before documents of `stage` are rendered.
    pub(super) fn before(
        &mut self,
        stage: Stage,
        mirror: &TreePublisher,
        catalog: &PublicCatalog,
        batch: &mut WriteBatch<'_>,
        failures: &mut Failures,
    ) -> Result<(), TreeError> {
        for index in (0..STAGES.len()).take_while(|index| STAGES[*index] < stage) {
            while !self.next(index, mirror, catalog, batch, failures)? {}
        }
        Ok(())
    }

    /// Adds what is due next, stage by stage: all of a stage, unless that is
    /// too much at once. Returns whether nothing is left.
    pub(super) fn forward(
        &mut self,
        mirror: &TreePublisher,
        catalog: &PublicCatalog,
        batch: &mut WriteBatch<'_>,
        failures: &mut Failures,
    ) -> Result<bool, TreeError> {
        for index in 0..STAGES.len() {
            if !self.next(index, mirror, catalog, batch, failures)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

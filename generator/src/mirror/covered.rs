//! Up to where each stage's documents are written.

use registry::journal::Revision;
use registry::public::{DecodedRow, PublicCatalog};

use super::update::Update;
use super::{Mirror, MirrorError, ROWS};
use crate::address::Stage;
use crate::plan::plan;
use crate::tree::Failures;

/// The stages that are followed; the head is written when all are done.
pub(super) const STAGES: [Stage; 5] =
    [Stage::Package, Stage::Version, Stage::Skill, Stage::List, Stage::Feed];

/// For each of [`STAGES`], the revision up to which its documents are written.
///
/// Documents are rendered from the catalog as it is, not as it was at a row. So
/// before one of a stage is written, those of the earlier stages must be, for
/// all rows that the catalog has taken in: else it may refer to what is not
/// there yet.
pub(super) struct Covered([Revision; STAGES.len()]);

impl Covered {
    pub(super) fn all(revision: Revision) -> Self {
        Self([revision; STAGES.len()])
    }

    /// Up to where all stages are written.
    pub(super) fn least(&self) -> Revision {
        self.0.iter().copied().min().unwrap_or(0)
    }

    /// Up to where all stages before one are written.
    pub(super) fn least_before(&self, stage: Stage) -> Revision {
        let before = STAGES.iter().zip(&self.0).take_while(|(other, _)| **other < stage);
        before.map(|(_, revision)| *revision).min().unwrap_or(Revision::MAX)
    }

    /// Adds the documents of one stage that the next [`ROWS`] rows have made
    /// stale. Returns whether there are no more such rows.
    fn next(
        &mut self,
        index: usize,
        mirror: &Mirror,
        catalog: &PublicCatalog,
        update: &mut Update,
        failures: &mut Failures,
    ) -> Result<bool, MirrorError> {
        let mut rows = mirror.rows(catalog, self.0[index], ROWS + 1)?;
        let is_all = rows.len() <= ROWS;
        rows.truncate(ROWS);
        let mut stale = Default::default();
        for row in &rows {
            plan(catalog, &mirror.settings, &DecodedRow::decode(row)?, &mut stale);
        }
        for document in stale.into_iter().filter(|document| document.stage() == STAGES[index]) {
            update.add(mirror.view(catalog), document, failures);
        }
        let last = rows.last().map_or(0, |row| row.revision);
        self.0[index] = if is_all { catalog.revision() } else { last };
        Ok(is_all)
    }

    /// Adds what is due before documents of `stage` are rendered.
    pub(super) fn before(
        &mut self,
        stage: Stage,
        mirror: &Mirror,
        catalog: &PublicCatalog,
        update: &mut Update,
        failures: &mut Failures,
    ) -> Result<(), MirrorError> {
        for index in (0..STAGES.len()).take_while(|index| STAGES[*index] < stage) {
            while !self.next(index, mirror, catalog, update, failures)? {}
        }
        Ok(())
    }

    /// Adds what is due next, stage by stage: all of a stage, unless that is
    /// too much at once. Returns whether nothing is left.
    pub(super) fn forward(
        &mut self,
        mirror: &Mirror,
        catalog: &PublicCatalog,
        update: &mut Update,
        failures: &mut Failures,
    ) -> Result<bool, MirrorError> {
        for index in 0..STAGES.len() {
            if !self.next(index, mirror, catalog, update, failures)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

//! Builds the first tree of an empty output folder, which nobody reads yet.

use std::sync::atomic::{AtomicBool, AtomicU64};

use parking_lot::Mutex;
use registry::journal::Revision;

use super::progress::{STAGES, StageProgress};
use super::rebuild::{AtFailure, Newer, Pass};
use super::{TreeError, TreePublisher};
use crate::address::parts;
use crate::tree::{Failures, LockedTree, State};

impl TreePublisher {
    /// Builds all documents but the head, if the output folder is empty. Returns the state since
    /// which documents may be outdated. Returns `None` if the folder is not empty or a document
    /// failed; the folder is unchanged then.
    pub(super) fn build_initial(&self) -> Result<Option<State>, TreeError> {
        // A rebuild in place meets the same obstacle and names the documents, or does without a
        // staging folder.
        let Ok(Some(tree)) = self.tree.staging() else { return Ok(None) };
        let reached = self.fill(&tree)?;
        let taken = reached.filter(|_| self.tree.move_into_place(&tree).is_ok());
        if taken.is_none() {
            self.tree.clear_staging()?;
        }
        Ok(taken)
    }

    /// Writes all documents of each part together. The order of stages does not matter here, and
    /// files of one folder are created together.
    fn fill(&self, tree: &LockedTree) -> Result<Option<State>, TreeError> {
        self.pieces.lock().list_again(tree.tree())?;
        let (start, parts) = {
            let catalog = self.sources.public.read();
            self.answers.lock().rebuilt(&self.sources.search, &catalog);
            (State::of(&catalog), parts(self.context(&catalog)))
        };
        let newer = Newer {
            progress: Mutex::new(StageProgress::all(start.revision)),
            // Documents of rows that arrive meanwhile are written afterwards.
            reached: AtomicU64::new(Revision::MAX),
        };
        let pass = Pass {
            tree,
            stages: &STAGES,
            parts: &parts,
            options: self.rebuild_options(),
            newer: &newer,
            at_failure: AtFailure::GiveUp,
            is_over: AtomicBool::new(false),
        };
        let mut failures = self.pass(&pass)?;
        let mut progress = newer.progress.into_inner();
        let is_written = self.follow(tree, &mut progress, &mut failures)?;
        Ok(is_written.then(|| State { revision: progress.least(), counters: start.counters }))
    }

    /// Writes the documents outdated meanwhile, until no document refers to a missing one. Returns
    /// whether all were written.
    fn follow(
        &self,
        tree: &LockedTree,
        progress: &mut StageProgress,
        failures: &mut Failures,
    ) -> Result<bool, TreeError> {
        let mut is_even = false;
        while !is_even && failures.0.is_empty() {
            let catalog = self.sources.public.read();
            let mut batch = self.batch(&catalog, self.rebuild_options());
            is_even = progress.forward(self, &catalog, &mut batch, failures)?;
            drop(catalog);
            batch.write(tree, &*self.sources.store, failures);
        }
        Ok(failures.0.is_empty())
    }
}

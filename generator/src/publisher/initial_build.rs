//! Writing every document to a tree that nobody reads yet.

use std::sync::atomic::{AtomicBool, AtomicU64};

use parking_lot::Mutex;
use registry::journal::Revision;

use super::batch::WriteBatch;
use super::progress::{STAGES, StageProgress};
use super::rebuild::{AtFailure, Newer, Pass};
use super::{TreeError, TreePublisher};
use crate::address::units;
use crate::tree::{Failures, LockedTree, State};

impl TreePublisher {
    /// Writes all documents but the head, where the output folder is empty.
    /// Returns the state since which some of them may be stale already; None
    /// where the folder is not empty, or not all could be written: then it is as
    /// it was, and a rebuild finds out what can.
    pub(super) fn build_initial(&self) -> Result<Option<State>, TreeError> {
        // What keeps such a tree from being made or moved, a rebuild in place meets
        // as well, and names the documents: or it gets by without.
        let Ok(Some(tree)) = self.tree.staging() else { return Ok(None) };
        let reached = self.fill(&tree)?;
        let taken = reached.filter(|_| self.tree.move_into_place(&tree).is_ok());
        if taken.is_none() {
            self.tree.clear_staging()?;
        }
        Ok(taken)
    }

    /// Writes part after part, all that belongs to one together: their order
    /// serves nobody here, and files that stand together are made together.
    fn fill(&self, tree: &LockedTree) -> Result<Option<State>, TreeError> {
        self.pieces.lock().list_again(tree.tree())?;
        let (start, parts) = {
            let catalog = self.sources.public.read();
            self.answers.lock().rebuilt(&self.sources.search, &catalog);
            (State::of(&catalog), units(self.context(&catalog)))
        };
        let newer = Newer {
            progress: Mutex::new(StageProgress::all(start.revision)),
            // Nobody waits for what comes in meanwhile: that is written afterwards.
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

    /// Writes what rows have made stale meanwhile, until nothing in the tree refers
    /// to what is not there. Returns whether nothing has failed.
    fn follow(
        &self,
        tree: &LockedTree,
        progress: &mut StageProgress,
        failures: &mut Failures,
    ) -> Result<bool, TreeError> {
        let mut is_even = false;
        while !is_even && failures.0.is_empty() {
            let catalog = self.sources.public.read();
            let mut batch = WriteBatch::new(&catalog, self.rebuild_options(), &self.pieces);
            is_even = progress.forward(self, &catalog, &mut batch, failures)?;
            drop(catalog);
            batch.write(tree, &*self.sources.store, failures);
        }
        Ok(failures.0.is_empty())
    }
}

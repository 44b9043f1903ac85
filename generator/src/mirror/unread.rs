//! Writing every document to a tree that nobody reads yet.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

use parking_lot::Mutex;
use registry::journal::Revision;

use super::covered::{Covered, STAGES};
use super::sweep::{AtFailure, Newer, Pass};
use super::update::Update;
use super::{Mirror, MirrorError};
use crate::address::units;
use crate::tree::{Failures, LockedTree, State};

impl Mirror {
    /// Writes all documents but the head, where the output folder is empty.
    /// Returns the state since which some of them may be stale already; None
    /// where the folder is not empty, or not all could be written: then it is as
    /// it was, and a sweep finds out what can.
    pub(super) fn sweep_unread(&self) -> Result<Option<State>, MirrorError> {
        // What keeps such a tree from being made or moved, a sweep in place meets
        // as well, and names the documents: or it gets by without.
        let Ok(Some(tree)) = self.tree.unread() else { return Ok(None) };
        let reached = self.fill(&tree)?;
        let taken = reached.filter(|_| self.tree.take_in(&tree).is_ok());
        if taken.is_none() {
            self.tree.clear_unread()?;
        }
        Ok(taken)
    }

    /// Writes part after part, all that belongs to one together: their order
    /// serves nobody here, and files that stand together are made together.
    fn fill(&self, tree: &LockedTree) -> Result<Option<State>, MirrorError> {
        self.pieces.lock().list_again(tree.tree())?;
        let (start, parts) = {
            let catalog = self.basis.public.read();
            self.queries.lock().swept(&self.basis.search, &catalog);
            (State::of(&catalog), units(self.view(&catalog)))
        };
        let newer = Newer {
            covered: Mutex::new(Covered::all(start.revision)),
            // Nobody waits for what comes in meanwhile: that is written afterwards.
            reached: AtomicU64::new(Revision::MAX),
        };
        let pass = Pass {
            tree,
            stages: &STAGES,
            parts: &parts,
            next: AtomicUsize::new(0),
            manner: self.swept(),
            newer: &newer,
            at_failure: AtFailure::GiveUp,
            is_over: AtomicBool::new(false),
        };
        let mut failures = self.pass(&pass)?;
        let mut covered = newer.covered.into_inner();
        let is_written = self.follow(tree, &mut covered, &mut failures)?;
        Ok(is_written.then(|| State { revision: covered.least(), counters: start.counters }))
    }

    /// Writes what rows have made stale meanwhile, until nothing in the tree refers
    /// to what is not there. Returns whether nothing has failed.
    fn follow(
        &self,
        tree: &LockedTree,
        covered: &mut Covered,
        failures: &mut Failures,
    ) -> Result<bool, MirrorError> {
        let mut is_even = false;
        while !is_even && failures.0.is_empty() {
            let catalog = self.basis.public.read();
            let mut update = Update::new(&catalog, self.swept(), &self.pieces);
            is_even = covered.forward(self, &catalog, &mut update, failures)?;
            drop(catalog);
            update.write(tree, &*self.basis.store, failures);
        }
        Ok(failures.0.is_empty())
    }
}

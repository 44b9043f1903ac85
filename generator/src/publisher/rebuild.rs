//! Rebuilds the tree: writes every document, part by part.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use rayon::prelude::*;
use registry::journal::Epoch;
use registry::public::PublicCatalog;

use super::batch::{WriteBatch, WriteOptions};
use super::parallel::in_pool;
use super::progress::{STAGES, StageProgress};
use super::{TreeError, TreePublisher};
use crate::FORMAT;
use crate::address::{Document, Part, Stage, exists, of_part, parts};
use crate::tree::{Failures, LockedTree, Siblings, State, StateTime, Verify};

/// How many parts are rendered while the catalog is locked.
const PARTS_PER_LOCK: usize = 16;

/// A pass of a rebuild over the documents of some stages.
pub(super) struct Pass<'a> {
    pub(super) tree: &'a LockedTree,
    pub(super) stages: &'a [Stage],
    pub(super) parts: &'a [Part],
    pub(super) options: WriteOptions,
    pub(super) newer: &'a Newer,
    pub(super) at_failure: AtFailure,
    /// A failure has ended the pass.
    pub(super) is_over: AtomicBool,
}

impl Pass<'_> {
    fn first(&self) -> Stage {
        self.stages.first().copied().unwrap_or(Stage::Package)
    }
}

/// What a failed document means for the pass.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AtFailure {
    /// The other documents are still written.
    GoOn,
    /// The pass ends: the others are useless without it.
    GiveUp,
}

/// The documents outdated by rows that arrive during the rebuild.
pub(super) struct Newer {
    pub(super) progress: Mutex<StageProgress>,
    /// The revision up to which documents of earlier stages are written. Documents of this stage
    /// may be rendered from a catalog of that revision.
    pub(super) reached: AtomicU64,
}

impl TreePublisher {
    /// Writes all documents but the head, and removes unknown files. Returns the state since which
    /// documents may be outdated.
    pub(super) fn rebuild(&mut self) -> Result<State, TreeError> {
        self.tree.make_folders()?;
        // From here on, the tree counts as unfinished.
        let (epoch, state) = {
            let catalog = self.sources.public.read();
            (catalog.feed().epoch().clone(), State::of(&catalog))
        };
        self.time_offset = self.offset_of_rebuild(&epoch, state);
        self.tree.begin_rebuild(&self.cursor_at(epoch, state))?;
        self.cursor = None;
        let start = match self.build_initial()? {
            Some(start) => start,
            None => self.rebuild_in_place()?,
        };
        self.reached = Some(start);
        Ok(start)
    }

    /// The time offset of a rebuild. It changes if the same numbers stand for other bytes than in
    /// the last tree, or if the numbers are lower.
    fn offset_of_rebuild(&self, epoch: &Epoch, state: State) -> u64 {
        let Some(last) = self.tree.record() else { return 0 };
        let is_same = last.epoch == *epoch
            && last.settings == self.settings.digest()
            && last.format == FORMAT
            && state.covers(last.state);
        if is_same { last.time_offset } else { StateTime::next_offset(state, last.state, last.time_offset) }
    }

    fn rebuild_in_place(&self) -> Result<State, TreeError> {
        let (start, parts) = {
            let catalog = self.sources.public.read();
            self.answers.lock().rebuilt(&self.sources.search, &catalog);
            (State::of(&catalog), parts(self.context(&catalog)))
        };
        self.pieces.lock().list_again(self.tree.tree())?;
        let newer = Newer {
            progress: Mutex::new(StageProgress::all(start.revision)),
            reached: AtomicU64::new(start.revision),
        };
        let mut failures = Failures::default();
        for stage in STAGES {
            if stage == Stage::Feed {
                let belongs =
                    |document: &Document| exists(self.context(&self.sources.public.read()), document);
                self.tree.prune(&self.settings, belongs)?;
            }
            // Documents of the previous stage are written now, too.
            newer.reached.store(newer.progress.lock().least_before(stage), Ordering::Relaxed);
            let pass = Pass {
                tree: &self.tree,
                stages: &[stage],
                parts: &parts,
                options: self.rebuild_options(),
                newer: &newer,
                at_failure: AtFailure::GoOn,
                is_over: AtomicBool::new(false),
            };
            failures.0.extend(self.pass(&pass)?.0);
        }
        if !failures.0.is_empty() {
            return Err(failures.into());
        }
        Ok(start)
    }

    /// How a rebuild writes documents.
    pub(super) fn rebuild_options(&self) -> WriteOptions {
        let siblings = if self.settings.gzip { Siblings::Compared } else { Siblings::None };
        // The parts are already written in parallel.
        WriteOptions { siblings, verify: Verify::Content, is_parallel: false }
    }

    /// Writes the documents of a pass in parallel.
    ///
    /// No two threads write the same document, as a [`TreeObserver`](crate::tree::TreeObserver)
    /// requires: parts do not overlap, and outdated documents of earlier stages are written under
    /// a lock.
    pub(super) fn pass(&self, pass: &Pass<'_>) -> Result<Failures, TreeError> {
        // A bridge hands out the parts in their order.
        let parts = pass.parts.chunks(PARTS_PER_LOCK).par_bridge();
        let written: Result<Vec<_>, _> =
            in_pool(|| parts.map(|parts| self.write_parts(pass, parts)).collect());
        let mut failures: Vec<_> = written?.into_iter().flat_map(|failures| failures.0).collect();
        // Sorted, so that repeated failures produce identical log lines.
        failures.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(Failures(failures))
    }

    fn write_parts(&self, pass: &Pass<'_>, parts: &[Part]) -> Result<Failures, TreeError> {
        let mut failures = Failures::default();
        if pass.is_over.load(Ordering::Relaxed) {
            return Ok(failures);
        }
        let catalog = self.sources.public.read();
        if catalog.revision() <= pass.newer.reached.load(Ordering::Acquire) {
            let mut batch = self.batch(&catalog, pass.options);
            self.render_parts(pass.stages, parts, &catalog, &mut batch, &mut failures);
            drop(catalog);
            self.write_rendered(pass, batch, &mut failures);
            return Ok(failures);
        }
        drop(catalog);
        // Rows have arrived since the pass began. The documents of earlier stages that they outdate
        // are written by one thread, before any thread renders from the same catalog.
        let mut progress = pass.newer.progress.lock();
        if pass.is_over.load(Ordering::Relaxed) {
            return Ok(failures);
        }
        let catalog = self.sources.public.read();
        let revision = catalog.revision();
        let mut batch = self.batch(&catalog, pass.options);
        progress
            .before(pass.first(), self, &catalog, &mut batch, &mut failures)
            // `progress` claims documents that were not written, so no thread may rely on it.
            .inspect_err(|_| pass.is_over.store(true, Ordering::Relaxed))?;
        self.render_parts(pass.stages, parts, &catalog, &mut batch, &mut failures);
        drop(catalog);
        self.write_rendered(pass, batch, &mut failures);
        pass.newer.reached.store(revision, Ordering::Release);
        Ok(failures)
    }

    fn write_rendered(&self, pass: &Pass<'_>, mut batch: WriteBatch<'_>, failures: &mut Failures) {
        // Removed documents are pruned later, when nothing refers to them any more.
        batch.hold_removals();
        batch.write(pass.tree, &*self.sources.store, failures);
        if pass.at_failure == AtFailure::GiveUp && !failures.0.is_empty() {
            pass.is_over.store(true, Ordering::Relaxed);
        }
    }

    fn render_parts(
        &self,
        stages: &[Stage],
        parts: &[Part],
        catalog: &PublicCatalog,
        batch: &mut WriteBatch<'_>,
        failures: &mut Failures,
    ) {
        for document in parts.iter().flat_map(|part| of_part(self.context(catalog), part, stages)) {
            batch.add(self.context(catalog), document, failures);
        }
    }
}

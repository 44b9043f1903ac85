//! Writing every document, part by part.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;

use parking_lot::Mutex;
use registry::public::PublicCatalog;

use super::covered::{Covered, STAGES};
use super::together::threads;
use super::update::{Manner, Update};
use super::{Mirror, MirrorError};
use crate::address::{Document, Stage, Unit, exists, of_unit, units};
use crate::tree::{Failures, LockedTree, Look, Siblings, State};

/// How many parts are rendered under one lock.
const PARTS: usize = 16;

/// One pass of a sweep: the documents of some stages.
pub(super) struct Pass<'a> {
    pub(super) tree: &'a LockedTree,
    pub(super) stages: &'a [Stage],
    pub(super) parts: &'a [Unit],
    /// The parts before this one are taken.
    pub(super) next: AtomicUsize,
    pub(super) manner: Manner,
    pub(super) newer: &'a Newer,
    pub(super) at_failure: AtFailure,
    /// Something fails that another part would not mend.
    pub(super) is_over: AtomicBool,
}

impl Pass<'_> {
    fn first(&self) -> Stage {
        self.stages.first().copied().unwrap_or(Stage::Package)
    }
}

/// What to do about a document that cannot be written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AtFailure {
    /// It blocks no other.
    GoOn,
    /// Without it, the others are of no use.
    GiveUp,
}

/// What the rows that came in during the sweep have made stale.
pub(super) struct Newer {
    pub(super) covered: Mutex<Covered>,
    /// The revision up to which documents of earlier stages are written, so
    /// that those of this stage may be rendered from a catalog of that revision.
    pub(super) reached: AtomicU64,
}

impl Mirror {
    /// Writes all documents but the head, and removes what does not belong.
    /// Returns the state since which some of them may be stale already.
    pub(super) fn sweep(&mut self) -> Result<State, MirrorError> {
        self.tree.make_folders()?;
        // Whatever happens from here on, the tree counts as unfinished.
        self.tree.forget_cursor()?;
        self.cursor = None;
        let start = match self.sweep_unread()? {
            Some(start) => start,
            None => self.sweep_in_place()?,
        };
        self.reached = Some(start);
        Ok(start)
    }

    fn sweep_in_place(&self) -> Result<State, MirrorError> {
        let (start, parts) = {
            let catalog = self.basis.public.read();
            self.queries.lock().swept(&self.basis.search, &catalog);
            (State::of(&catalog), units(self.view(&catalog)))
        };
        self.pieces.lock().list_again(self.tree.tree())?;
        let newer = Newer {
            covered: Mutex::new(Covered::all(start.revision)),
            reached: AtomicU64::new(start.revision),
        };
        let mut failures = Failures::default();
        for stage in STAGES {
            if stage == Stage::Feed {
                let belongs = |document: &Document| exists(self.view(&self.basis.public.read()), document);
                self.tree.prune(&self.settings, belongs)?;
            }
            // The stages before this one have grown by one.
            newer.reached.store(newer.covered.lock().least_before(stage), Ordering::Relaxed);
            let pass = Pass {
                tree: &self.tree,
                stages: &[stage],
                parts: &parts,
                next: AtomicUsize::new(0),
                manner: self.swept(),
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

    /// How a sweep puts documents.
    pub(super) fn swept(&self) -> Manner {
        let siblings = if self.settings.gzip { Siblings::Compared } else { Siblings::None };
        // Each thread of a sweep writes by itself.
        Manner { siblings, look: Look::Close, threads: 1 }
    }

    /// Writes the documents of a pass, with all processors. No document is
    /// written by two threads at once (a [`Witness`](crate::tree::Witness) relies
    /// on that): parts do not overlap, and what is due of earlier stages is
    /// written under a lock.
    pub(super) fn pass(&self, pass: &Pass<'_>) -> Result<Failures, MirrorError> {
        thread::scope(|scope| {
            let work = || -> Result<Failures, MirrorError> {
                let mut failures = Failures::default();
                loop {
                    if pass.is_over.load(Ordering::Relaxed) {
                        return Ok(failures);
                    }
                    let from = pass.next.fetch_add(PARTS, Ordering::Relaxed);
                    let Some(rest) = pass.parts.get(from..).filter(|rest| !rest.is_empty()) else {
                        return Ok(failures);
                    };
                    let parts = rest.get(..PARTS).unwrap_or(rest);
                    self.write_parts(pass, parts, &mut failures)?;
                    if pass.at_failure == AtFailure::GiveUp && !failures.0.is_empty() {
                        pass.is_over.store(true, Ordering::Relaxed);
                    }
                }
            };
            // Fewer threads than wished for do the same work.
            let spawn = |_| thread::Builder::new().name("sweep".into()).spawn_scoped(scope, work);
            let others: Vec<_> = (1..threads()).map_while(|number| spawn(number).ok()).collect();
            let mut failures = work()?;
            for other in others {
                let lost = |_| Err(io::Error::other("a thread that wrote it has panicked").into());
                failures.0.extend(other.join().unwrap_or_else(lost)?.0);
            }
            // The same ones are told of in the same words each time.
            failures.0.sort_by(|(a, _), (b, _)| a.cmp(b));
            Ok(failures)
        })
    }

    fn write_parts(
        &self,
        pass: &Pass<'_>,
        parts: &[Unit],
        failures: &mut Failures,
    ) -> Result<(), MirrorError> {
        let catalog = self.basis.public.read();
        if catalog.revision() <= pass.newer.reached.load(Ordering::Acquire) {
            let mut update = Update::new(&catalog, pass.manner, &self.pieces);
            self.render_parts(pass.stages, parts, &catalog, &mut update, failures)?;
            drop(catalog);
            // What is gone is pruned, when nothing leads to it any more.
            update.hold_removals();
            update.write(pass.tree, &*self.basis.store, failures);
            return Ok(());
        }
        drop(catalog);
        // Rows have come in. What they made stale in earlier stages is written
        // by one thread, and before anyone renders from the same catalog.
        let mut covered = pass.newer.covered.lock();
        let catalog = self.basis.public.read();
        let revision = catalog.revision();
        let mut update = Update::new(&catalog, pass.manner, &self.pieces);
        let rendered = match pass.is_over.load(Ordering::Relaxed) {
            true => return Ok(()),
            false => covered
                .before(pass.first(), self, &catalog, &mut update, failures)
                .and_then(|()| self.render_parts(pass.stages, parts, &catalog, &mut update, failures)),
        };
        if rendered.is_err() {
            // What is covered now was not written: nobody may build on it.
            pass.is_over.store(true, Ordering::Relaxed);
            return rendered;
        }
        drop(catalog);
        update.hold_removals();
        update.write(pass.tree, &*self.basis.store, failures);
        pass.newer.reached.store(revision, Ordering::Release);
        Ok(())
    }

    fn render_parts(
        &self,
        stages: &[Stage],
        parts: &[Unit],
        catalog: &PublicCatalog,
        update: &mut Update<'_>,
        failures: &mut Failures,
    ) -> Result<(), MirrorError> {
        for part in parts {
            let add = &mut |document| {
                update.add(self.view(catalog), document, failures);
                Ok::<_, MirrorError>(())
            };
            for stage in stages {
                of_unit(self.view(catalog), *stage, part, add)?;
            }
        }
        Ok(())
    }
}

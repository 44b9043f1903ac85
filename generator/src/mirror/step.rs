//! Writing what changes have made stale.

use std::sync::Arc;

use registry::journal::Revision;
use registry::public::PublicCatalog;

use super::covered::Covered;
use super::together::threads;
use super::update::{Manner, Update};
use super::{Mirror, MirrorError};
use crate::FORMAT;
use crate::address::Document;
use crate::plan::plan_counters;
use crate::tree::{Cursor, Failures, Look, Siblings, State, boot_id};

/// How many skills' counters one step shows, and then the rest of the same
/// generation.
const SKILLS: usize = 100;

impl Mirror {
    /// Goes on from `from` to the catalog's state, step by step:
    /// a step renders under the lock, and writes without it. The last one holds
    /// the head, and nothing that it tells of is left for later.
    pub(super) fn walk(&mut self, from: State) -> Result<Revision, MirrorError> {
        let public = Arc::clone(&self.basis.public);
        let (mut covered, mut counted) = (Covered::all(from.revision), from.counters);
        let mut removed = Vec::new();
        loop {
            let mut failures = Failures::default();
            let catalog = public.read();
            let target = State::of(&catalog);
            let state = (&*self.basis.search, &*catalog);
            self.queries.lock().take_over(state, self.tree(), from == target)?;
            let is_done = self.cursor.is_some() && self.tree().holds(catalog.feed().epoch()) == target;
            if is_done && (State { revision: covered.least(), counters: counted }) == target {
                return Ok(target.revision);
            }
            let mut update = Update::new(&catalog, self.manner(), &self.pieces);
            let is_even = covered.forward(self, &catalog, &mut update, &mut failures)?;
            let is_last = is_even && self.count(&catalog, &mut counted, &mut update, &mut failures);
            let mut clears_answers = false;
            if is_last {
                let mut add = |update: &mut Update<'_>, document| {
                    update.add(self.view(&catalog), document, &mut failures)
                };
                clears_answers = self.queries.lock().before_head(state, &mut update, &mut add);
                update.add(self.view(&catalog), Document::Head, &mut failures);
            }
            if is_even {
                // Nothing that is still to be written refers to them any more.
                for document in removed.drain(..) {
                    update.add(self.view(&catalog), document, &mut failures);
                }
            } else {
                removed.extend(update.hold_removals());
            }
            let epoch = catalog.feed().epoch().clone();
            drop(catalog);
            self.tree.make_folders()?;
            if clears_answers {
                self.tree.clear_queries()?;
            }
            update.write(&self.tree, &*self.basis.store, &mut failures);
            if !failures.0.is_empty() {
                return Err(failures.into());
            }
            self.reached = Some(State { revision: covered.least(), counters: counted });
            if is_last {
                self.queries.get_mut().done();
                return self.finish(epoch, target);
            }
        }
    }

    /// Adds what other counters have made stale: all of it, unless that is too
    /// much at once. Returns whether nothing is left.
    fn count(
        &self,
        catalog: &PublicCatalog,
        counted: &mut u64,
        update: &mut Update<'_>,
        failures: &mut Failures,
    ) -> bool {
        let (mut stale, mut taken, mut last) = (Default::default(), 0, *counted);
        let mut changed = catalog.counters().changed_since(*counted);
        let is_all = loop {
            let Some((generation, id)) = changed.next() else { break true };
            if taken >= SKILLS && generation != last {
                break false;
            }
            plan_counters(catalog, &self.settings, id, &mut stale);
            (taken, last) = (taken + 1, generation);
        };
        for document in stale {
            update.add(self.view(catalog), document, failures);
        }
        *counted = if is_all { catalog.counter_generation() } else { last };
        is_all
    }

    /// After another boot the times and lengths of files say nothing about their
    /// bytes.
    pub(super) fn manner(&self) -> Manner {
        let is_of_this_boot = self.cursor.as_ref().is_some_and(Cursor::is_of_this_boot);
        let siblings = match is_of_this_boot {
            _ if !self.settings.gzip => Siblings::None,
            true => Siblings::Timed,
            false => Siblings::Compared,
        };
        // Without a cursor our own sweep has looked at all pieces a moment ago.
        let is_known = is_of_this_boot || self.cursor.is_none();
        let look = if is_known { Look::Usual } else { Look::Close };
        Manner { siblings, look, threads: threads() }
    }

    /// The head is written: notes how far the tree has come.
    fn finish(&mut self, epoch: String, target: State) -> Result<Revision, MirrorError> {
        let durable = self.cursor.as_ref().map_or_else(State::default, |cursor| cursor.durable);
        let (settings, boot) = (self.settings.digest(), boot_id());
        let cursor = Cursor { epoch, state: target, durable, settings, format: FORMAT, boot };
        self.tree.set_cursor(&cursor)?;
        self.cursor = Some(cursor);
        Ok(target.revision)
    }
}

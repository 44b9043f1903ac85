//! Writes the documents that new rows and counters have outdated.

use std::sync::Arc;

use registry::journal::Revision;
use registry::public::PublicCatalog;

use super::batch::{WriteBatch, WriteOptions};
use super::progress::StageProgress;
use super::{TreeError, TreePublisher};
use crate::address::Document;
use crate::plan::Plan;
use crate::tree::{Cursor, Failures, Siblings, State, Verify};

/// Skills whose counters one step shows, plus the rest of the same generation.
const SKILLS_PER_STEP: usize = 100;

impl TreePublisher {
    /// Updates the tree from the state `from` to the catalog's state, step by step. A step renders
    /// while the catalog is locked, and writes after unlocking it. The last step includes the head
    /// and everything that the head promises.
    pub(super) fn update(&mut self, from: State) -> Result<Revision, TreeError> {
        let public = Arc::clone(&self.sources.public);
        let (mut progress, mut counted) = (StageProgress::all(from.revision), from.counters);
        let mut removed = Vec::new();
        loop {
            let mut failures = Failures::default();
            let catalog = public.read();
            let target = State::of(&catalog);
            let is_done = self.cursor.is_some()
                && self.tree().holds(catalog.feed().epoch()) == target
                && (State { revision: progress.least(), counters: counted }) == target;
            if !is_done || !self.answers.lock().is_even() {
                self.answers.lock().collect(&self.sources.search, &catalog, self.tree(), from == target)?;
            }
            if is_done && self.answers.lock().is_even() {
                return Ok(target.revision);
            }
            let mut batch = self.batch(&catalog, self.options());
            let is_even = progress.forward(self, &catalog, &mut batch, &mut failures)?;
            let is_counted = is_even && self.count(&catalog, &mut counted, &mut batch, &mut failures);
            let (answers, is_last) =
                if is_counted { self.answers.lock().next() } else { (Vec::new(), false) };
            for query in &answers {
                batch.add(self.context(&catalog), Document::answer(query), &mut failures);
            }
            if is_last {
                batch.add(self.context(&catalog), Document::Head, &mut failures);
            }
            if is_even {
                // No unwritten document refers to the removed ones any more.
                for document in removed.drain(..) {
                    batch.add(self.context(&catalog), document, &mut failures);
                }
            } else {
                removed.extend(batch.hold_removals());
            }
            let epoch = catalog.feed().epoch().clone();
            drop(catalog);
            self.tree.make_folders()?;
            batch.write(&self.tree, &*self.sources.store, &mut failures);
            if !failures.0.is_empty() {
                return Err(failures.into());
            }
            self.reached = Some(State { revision: progress.least(), counters: counted });
            self.answers.get_mut().written(&answers);
            if is_last {
                return self.finish(epoch, target);
            }
        }
    }

    /// Adds the documents outdated by new counters: all of them, unless they are too many. Returns
    /// whether none is left.
    fn count(
        &self,
        catalog: &PublicCatalog,
        counted: &mut u64,
        batch: &mut WriteBatch<'_>,
        failures: &mut Failures,
    ) -> bool {
        let (mut plan, mut taken, mut last) = (Plan::new(catalog, &self.settings), 0, *counted);
        let mut changed = catalog.counters().changed_since(*counted);
        let is_all = loop {
            let Some((generation, id)) = changed.next() else { break true };
            if taken >= SKILLS_PER_STEP && generation != last {
                break false;
            }
            plan.add_counters(id);
            (taken, last) = (taken + 1, generation);
        };
        for document in plan.into_documents() {
            batch.add(self.context(catalog), document, failures);
        }
        *counted = if is_all { catalog.counter_generation() } else { last };
        is_all
    }

    /// How an update writes documents. After another boot, times and lengths of files prove nothing
    /// about their bytes.
    pub(super) fn options(&self) -> WriteOptions {
        let is_of_this_boot = self.cursor.as_ref().is_some_and(Cursor::is_of_this_boot);
        let siblings = match is_of_this_boot {
            _ if !self.settings.gzip => Siblings::None,
            true => Siblings::Timed,
            false => Siblings::Compared,
        };
        // Without a cursor, our own rebuild has just checked all pieces.
        let is_known = is_of_this_boot || self.cursor.is_none();
        let verify = if is_known { Verify::Size } else { Verify::Content };
        WriteOptions { siblings, verify, is_parallel: true }
    }

    /// Stores the cursor after the head was written.
    fn finish(&mut self, epoch: String, target: State) -> Result<Revision, TreeError> {
        let durable = self.cursor.as_ref().map_or_else(State::default, |cursor| cursor.durable);
        let cursor = Cursor { durable, is_complete: true, ..self.cursor_at(epoch, target) };
        self.tree.set_cursor(&cursor)?;
        self.cursor = Some(cursor);
        Ok(target.revision)
    }
}

//! Precomputed answers to common queries.
//!
//! Before a head is written, answers that may be outdated are removed. They are written again after
//! the head.

use std::collections::BTreeSet;
use std::sync::Arc;

use registry::public::PublicCatalog;

use super::batch::WriteBatch;
use super::{TreeError, TreePublisher};
use crate::address::Document;
use crate::search::{SharedIndex, StaleAnswers};
use crate::tree::{Failures, State, Tree};

/// Answers written at once after a head, so that the next change does not wait long.
const BATCH_SIZE: usize = 16;

/// Tracks which answers in the tree are outdated or missing.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// Whether the answers in the tree are known.
    is_known: bool,
    /// Outdated answers that are still in the tree.
    due: StaleAnswers,
    /// Answers that should be in the tree and are not.
    missing: BTreeSet<Arc<str>>,
    /// Missing answers whose files may exist, because not all could be written.
    doubtful: BTreeSet<Arc<str>>,
    /// Answers that will be missing after the current batch.
    going: Vec<Arc<str>>,
}

impl Answers {
    /// After a rebuild: the tree has, or will have before its head, all answers.
    pub(super) fn rebuilt(&mut self, search: &SharedIndex, catalog: &PublicCatalog) {
        search.take_stale(catalog);
        *self = Self { is_known: true, ..Self::default() };
    }

    /// Takes over an existing tree. `is_even` means that the tree holds the catalog's state.
    /// Otherwise all answers may be outdated.
    pub(super) fn take_over(
        &mut self,
        search: &SharedIndex,
        catalog: &PublicCatalog,
        tree: &Tree,
        is_even: bool,
    ) -> std::io::Result<()> {
        if !self.is_known {
            if is_even {
                search.take_stale(catalog);
                let there = tree.queries()?;
                let index = search.current(catalog);
                self.missing =
                    index.precomputed().filter(|query| !there.contains(&***query)).cloned().collect();
            } else {
                self.due.all = true;
            }
            self.is_known = true;
        }
        Ok(())
    }

    /// Adds the changes that a head waits for. Returns whether all answers in the tree must be
    /// removed.
    pub(super) fn before_head(
        &mut self,
        search: &SharedIndex,
        catalog: &PublicCatalog,
        batch: &mut WriteBatch<'_>,
    ) -> bool {
        let stale = search.take_stale(catalog);
        self.due.all |= stale.all;
        self.due.queries.extend(stale.queries);
        let index = search.current(catalog);
        self.going.clear();
        if self.due.all {
            self.doubtful.clear();
            self.missing = index.precomputed().cloned().collect();
            return true;
        }
        for query in &self.due.queries {
            let has_file = index.is_precomputed(query);
            // A series of new skills outdates the answers for the same words.
            if !self.missing.contains(query) || self.doubtful.contains(query) {
                batch.remove(Document::answer(query));
            }
            if has_file {
                self.going.push(Arc::clone(query));
            } else {
                self.missing.remove(query);
            }
        }
        false
    }

    /// Called when the batch with the head was written.
    pub(super) fn written(&mut self) {
        self.due = StaleAnswers::default();
        for query in self.going.drain(..) {
            self.doubtful.remove(&query);
            self.missing.insert(query);
        }
    }
}

impl TreePublisher {
    /// Whether answers are missing in the tree.
    pub fn has_missing_answers(&self) -> bool {
        !self.answers.lock().missing.is_empty()
    }

    /// Writes some of the missing answers. Call it when there is nothing else to do. Returns
    /// whether there may be more.
    pub fn write_answers(&mut self) -> Result<bool, TreeError> {
        let mut failures = Failures::default();
        let (batch, queries) = {
            let catalog = self.sources.public.read();
            // Answers of another state are written with its head.
            if self.cursor.as_ref().is_none_or(|cursor| cursor.state != State::of(&catalog)) {
                return Ok(false);
            }
            let mut missing = self.answers.lock();
            let queries: Vec<_> = (0..BATCH_SIZE).map_while(|_| missing.missing.pop_first()).collect();
            drop(missing);
            let mut batch = self.batch(&catalog, self.options());
            for query in &queries {
                batch.add(self.context(&catalog), Document::answer(query), &mut failures);
            }
            (batch, queries)
        };
        batch.write(&self.tree, &*self.sources.store, &mut failures);
        let mut missing = self.answers.lock();
        if !failures.0.is_empty() {
            missing.doubtful.extend(queries.iter().cloned());
            missing.missing.extend(queries);
            return Err(failures.into());
        }
        for query in &queries {
            missing.doubtful.remove(query);
        }
        Ok(!missing.missing.is_empty())
    }

    /// Writes all missing answers.
    pub fn write_all_answers(&mut self) -> Result<(), TreeError> {
        while self.write_answers()? {}
        Ok(())
    }
}

//! Precomputed answers to common queries.
//!
//! The index tells which answers a change may outdate. They are rendered with the lists of the same
//! change, and the tree writes those that differ from their files.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use registry::public::PublicCatalog;

use crate::search::SharedIndex;
use crate::tree::Tree;

/// Answers that one step renders. A change of one skill may outdate a hundred; the change of a
/// setting, or a doubled number of skills, all of them.
const ANSWERS_PER_STEP: usize = 256;

/// The answers in the tree that may be outdated.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// Whether all answers but those in `due` are up to date. Not before the tree's were listed.
    is_known: bool,
    /// Whether all may be outdated.
    all: bool,
    /// Answers that may be outdated, missing, or no longer precomputed.
    due: BTreeSet<Arc<str>>,
}

impl Answers {
    /// After a rebuild: the tree has, or will have before its head, all answers.
    pub(super) fn rebuilt(&mut self, search: &SharedIndex, catalog: &PublicCatalog) {
        search.take_stale(catalog);
        *self = Self { is_known: true, ..Self::default() };
    }

    /// Adds the answers that may be outdated since the last call. `is_even` means that a tree which
    /// is taken over holds the catalog's state, so that answers can only be missing.
    pub(super) fn collect(
        &mut self,
        search: &SharedIndex,
        catalog: &PublicCatalog,
        tree: &Tree,
        is_even: bool,
    ) -> io::Result<()> {
        let stale = search.take_stale(catalog);
        self.all |= stale.all;
        self.due.extend(stale.queries);
        if self.all || !self.is_known {
            let there: BTreeSet<Arc<str>> = tree.queries()?;
            let precomputed: BTreeSet<_> = search.current(catalog).precomputed().cloned().collect();
            self.due = match is_even && !self.is_known {
                true => &precomputed ^ &there,
                false => &precomputed | &there,
            };
            (self.is_known, self.all) = (true, false);
        }
        Ok(())
    }

    /// Whether no answer is outdated, as far as was collected.
    pub(super) fn is_even(&self) -> bool {
        self.is_known && !self.all && self.due.is_empty()
    }

    /// The next outdated answers, and whether these are the last ones.
    pub(super) fn next(&self) -> (Vec<Arc<str>>, bool) {
        let next: Vec<_> = self.due.iter().take(ANSWERS_PER_STEP).cloned().collect();
        let is_last = next.len() == self.due.len();
        (next, is_last)
    }

    /// Called when these answers were written.
    pub(super) fn written(&mut self, answers: &[Arc<str>]) {
        for query in answers {
            self.due.remove(query);
        }
    }
}

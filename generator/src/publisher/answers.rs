//! The answers to common queries: those of a few slugs are written before the head,
//! the other stale ones removed before it and made again behind it.

use std::collections::BTreeSet;
use std::sync::Arc;

use registry::public::PublicCatalog;

use super::batch::WriteBatch;
use super::{TreeError, TreePublisher};
use crate::address::Document;
use crate::search::{SharedIndex, StaleAnswers};
use crate::tree::{Failures, State, Tree};

/// How many answers a head waits for: to slugs, those of new skills first. Words
/// are asked for less often than they are touched.
const BEFORE_HEAD: usize = 4;

/// How many are made in one go behind it: whoever writes waits no longer.
const BEHIND_HEAD: usize = 16;

/// What is to be done about the answers in the tree.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// Whether it is known which are in the tree, and that they are right.
    is_known: bool,
    /// What has become stale and is in the tree all the same.
    due: StaleAnswers,
    /// Those that are not in the tree and should be.
    missing: BTreeSet<Arc<str>>,
    /// Those that may be there all the same: they could not all be written.
    doubtful: BTreeSet<Arc<str>>,
    /// Those that will be missing when what is being written is.
    going: Vec<Arc<str>>,
}

impl Answers {
    /// All that there should be are in the tree, or will be before its head.
    pub(super) fn rebuilt(&mut self, search: &SharedIndex, catalog: &PublicCatalog) {
        search.take_stale(catalog);
        *self = Self { is_known: true, ..Self::default() };
    }

    /// Takes over a tree: `is_even` where it holds the catalog's state, so that
    /// what is there is right. Else there is no telling what has changed since.
    pub(super) fn take_over(
        &mut self,
        (search, catalog): (&SharedIndex, &PublicCatalog),
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

    /// Adds what has to be done before a head is written. Returns whether the
    /// answers that are there have to go altogether.
    pub(super) fn before_head(
        &mut self,
        (search, catalog): (&SharedIndex, &PublicCatalog),
        batch: &mut WriteBatch<'_>,
        mut add: impl FnMut(&mut WriteBatch<'_>, Document),
    ) -> bool {
        let stale = search.take_stale(catalog);
        self.due.all |= stale.all;
        self.due.queries.extend(stale.queries);
        self.due.added.extend(stale.added);
        let index = search.current(catalog);
        self.going.clear();
        if self.due.all {
            self.doubtful.clear();
            self.missing = index.precomputed().cloned().collect();
            return true;
        }
        let slugs = self.due.added.iter().chain(&self.due.queries).filter(|query| index.is_slug(query));
        let made: BTreeSet<_> = slugs.take(BEFORE_HEAD).cloned().collect();
        for query in &self.due.queries {
            let has_file = index.is_precomputed(query);
            if made.contains(query) {
                self.missing.remove(query);
                continue;
            }
            // Whoever publishes one skill after the other touches the same words.
            if !self.missing.contains(query) || self.doubtful.contains(query) {
                batch.remove(Document::answer(query));
            }
            if has_file {
                self.going.push(Arc::clone(query));
            } else {
                self.missing.remove(query);
            }
        }
        // Who renders asks for the index again.
        drop(index);
        made.iter().for_each(|query| add(batch, Document::answer(query)));
        false
    }

    /// What was due is done.
    pub(super) fn done(&mut self) {
        self.due = StaleAnswers::default();
        for query in self.going.drain(..) {
            self.doubtful.remove(&query);
            self.missing.insert(query);
        }
    }
}

impl TreePublisher {
    /// Whether answers to queries are not in the tree that should be there.
    pub fn has_missing_answers(&self) -> bool {
        !self.answers.lock().missing.is_empty()
    }

    /// Makes some of the answers that are not in the tree: for when nothing else is
    /// to be done. Returns whether there may be more.
    pub fn write_answers(&mut self) -> Result<bool, TreeError> {
        let mut failures = Failures::default();
        let (batch, queries) = {
            let catalog = self.sources.public.read();
            // Another state's come with its head.
            if self.cursor.as_ref().is_none_or(|cursor| cursor.state != State::of(&catalog)) {
                return Ok(false);
            }
            let mut missing = self.answers.lock();
            let queries: Vec<_> = (0..BEHIND_HEAD).map_while(|_| missing.missing.pop_first()).collect();
            drop(missing);
            let mut batch = WriteBatch::new(&catalog, self.options(), &self.pieces);
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

    /// Makes all of them, for who does nothing else afterwards.
    pub fn write_all_answers(&mut self) -> Result<(), TreeError> {
        while self.write_answers()? {}
        Ok(())
    }
}

//! Precomputed answers: which words have one, and which of them a change may make stale.
//!
//! The answer to a word depends on the lists of its group and of its prefix, on what is shown of
//! the skills in them, and on the size of the index. So a changed skill makes at most the answers to
//! the words of its groups, and to its prefixes, stale. Most of these stay the same: the writer
//! compares.

mod frequent_words;

use std::collections::BTreeSet;
use std::sync::Arc;

use self::frequent_words::FrequentWords;

/// The queries whose precomputed answers may be stale.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StaleAnswers {
    /// Whether all may be.
    pub all: bool,
    /// Queries whose answers may be different, or are no longer precomputed.
    pub queries: BTreeSet<Arc<str>>,
}

/// The words with precomputed answers.
#[derive(Debug, Default)]
pub struct Precomputed {
    words: FrequentWords,
    pub stale: StaleAnswers,
}

impl Precomputed {
    /// No words yet, and at most `max_words`.
    pub fn new(max_words: u64) -> Self {
        let words = FrequentWords::new(usize::try_from(max_words).unwrap_or(usize::MAX));
        // Nothing is known of answers that were precomputed before.
        let stale = StaleAnswers { all: true, ..StaleAnswers::default() };
        Self { words, stale }
    }

    /// Largest number of words.
    pub fn max_words(&self) -> u64 {
        self.words.max() as u64
    }

    /// Whether the answer to a query is precomputed.
    pub fn has(&self, query: &str) -> bool {
        self.words.has(query)
    }

    /// All queries with precomputed answers, in no order.
    pub fn queries(&self) -> impl Iterator<Item = &Arc<str>> {
        self.words.all()
    }

    /// Notes that the answer to a word may be stale.
    pub fn touched(&mut self, word: &str) {
        self.stale.queries.extend(self.words.get(word).cloned());
    }

    /// Sets how many skills have a word.
    pub fn set_count(&mut self, word: &str, count: usize) {
        let stale = &mut self.stale.queries;
        self.words.set(word, count, &mut |changed| {
            stale.insert(changed);
        });
    }
}

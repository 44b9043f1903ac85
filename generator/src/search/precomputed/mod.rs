//! Which queries are answered by a file of their own, and which of those answers
//! a change has made stale.
//!
//! It may name too many, never too few: a stale file is never right, an absent
//! one always.

mod frequent;
mod slugs;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

pub(super) use self::frequent::Frequent;
pub(super) use self::slugs::Slugs;
use super::number::log;
use super::piece::{BEST, base, most};
use super::postings::Postings;

/// The queries whose answers are others than they were.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stale {
    /// All may be.
    pub all: bool,
    /// These may be, or they have no file of their own any more.
    pub queries: BTreeSet<Arc<str>>,
    /// Of these, slugs that no live skill had before.
    pub added: BTreeSet<Arc<str>>,
}

/// What a word gives to the ranking of all skills that have it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Mark {
    logs: [u8; 2],
    /// Whether its lists leave out postings, so that a skill need not be in them.
    is_cut: [bool; 2],
    /// Whether they have more skills than any page shows.
    is_common: bool,
}

impl Mark {
    fn of(own: usize, prefix: usize) -> Self {
        Self {
            logs: [own, prefix].map(|skills| log(skills as u64) as u8),
            is_cut: [own > most(false), prefix > most(true)],
            is_common: own.max(prefix) > BEST,
        }
    }
}

/// The queries that have files, and what they depend on.
#[derive(Debug, Default)]
pub(super) struct Precomputed {
    pub words: Frequent,
    pub slugs: Slugs,
    marks: HashMap<Arc<str>, Mark>,
    pub stale: Stale,
}

impl Precomputed {
    /// None yet, and at most so many words; 0 is no query at all.
    pub fn new(most: u64) -> Self {
        let words = Frequent::new(usize::try_from(most).unwrap_or(usize::MAX));
        // Whoever has files already knows nothing of what they are of.
        let stale = Stale { all: true, ..Stale::default() };
        Self { words, stale, ..Self::default() }
    }

    /// Whether a query has a file.
    pub fn has(&self, query: &str) -> bool {
        self.words.is_on() && (self.words.has(query) || self.slugs.has(query))
    }

    /// All queries that have files, in no order.
    pub fn queries(&self) -> impl Iterator<Item = &Arc<str>> {
        let slugs = self.slugs.all().filter(|slug| !self.words.has(slug));
        self.words.all().chain(slugs).filter(|_| self.words.is_on())
    }

    /// Notes what may be stale because a skill that is found by these keys, and is
    /// among the best of those with `true`, was put there, changed or taken away.
    pub fn touched<'k>(&mut self, keys: impl Iterator<Item = (&'k [u8], bool)> + Clone, postings: &Postings) {
        if !self.words.is_on() || self.stale.all {
            return;
        }
        let stale = &mut self.stale.queries;
        // What is not among the best of any word of a query is not found.
        for (key, _) in keys.clone().filter(|(_, is_best)| *is_best) {
            stale.extend(std::str::from_utf8(base(key)).ok().and_then(|word| self.words.get(word)).cloned());
        }
        self.slugs.found_by(keys, |word| postings.count(word), &mut |slug| {
            stale.insert(Arc::clone(&slug.query));
        });
    }

    /// Notes what may be stale because a skill with these keys has lost its posting
    /// under a word, or got one, by the change of another.
    pub fn moved<'k>(
        &mut self,
        word: &[u8],
        keys: impl Iterator<Item = (&'k [u8], bool)> + Clone,
        postings: &Postings,
    ) {
        let Ok(word) = std::str::from_utf8(word) else { return };
        if !self.words.is_on() || self.stale.all {
            return;
        }
        let stale = &mut self.stale.queries;
        stale.extend(self.words.get(word).cloned());
        self.slugs.found_by(keys, |word| postings.count(word), &mut |slug| {
            if slug.words.iter().any(|own| **own == *word) {
                stale.insert(Arc::clone(&slug.query));
            }
        });
    }

    /// Notes that a slug is that of one more live skill.
    pub fn add(&mut self, slug: &str, postings: &Postings) {
        if self.words.is_on() {
            let added = self.slugs.add(slug, |word| postings.count(word));
            self.stale.queries.extend(added.clone());
            self.stale.added.extend(added);
        }
    }

    /// Notes that a slug is that of one live skill less.
    pub fn remove(&mut self, slug: &str) {
        if self.words.is_on() {
            self.stale.queries.extend(self.slugs.remove(slug));
        }
    }

    /// Takes in how many skills a word has now.
    pub fn word(&mut self, word: &[u8], postings: &Postings) {
        let Ok(text) = std::str::from_utf8(word) else { return };
        if !self.words.is_on() {
            return;
        }
        let [own, prefix] = postings.of_word(word);
        let stale = &mut self.stale.queries;
        self.words.set(text, own, &mut |moved| {
            stale.insert(moved);
        });
        let mark = Mark::of(own, prefix);
        // What is no word is in no query that has a file.
        let before = if own == 0 { self.marks.remove(text) } else { self.marks.insert(text.into(), mark) };
        let before = before.unwrap_or_default();
        match (before.is_common, mark.is_common) {
            (false, true) => self.slugs.became_common(text, |word| postings.count(word)),
            (true, false) => self.slugs.became_rare(text),
            _ => {}
        }
        if before != mark {
            stale.extend(self.words.get(text).cloned());
            self.slugs.with(text, &mut |query| {
                stale.insert(Arc::clone(query));
            });
        }
    }
}

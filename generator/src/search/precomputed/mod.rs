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
use super::piece::{BEST, MOST_OF_PREFIX, MOST_POSTINGS, base, best};
use super::postings::{Packed, Postings};

/// The queries whose answers are others than they were.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stale {
    /// All may be.
    pub all: bool,
    /// These may be, or they have no file of their own any more.
    pub queries: BTreeSet<Arc<str>>,
}

/// What a word gives to the ranking of skills, apart from each skill's own
/// posting.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Mark {
    logs: [u8; 2],
    /// Of lists that leave skills out: which ones they have.
    taken: u64,
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

    /// Notes what may be stale because a skill that is found by these keys was
    /// put there, changed or taken away.
    pub fn touched<'k>(&mut self, keys: impl Iterator<Item = &'k [u8]> + Clone, postings: &Postings) {
        if !self.words.is_on() || self.stale.all {
            return;
        }
        let stale = &mut self.stale.queries;
        for word in keys.clone().filter_map(|key| std::str::from_utf8(base(key)).ok()) {
            stale.extend(self.words.get(word).cloned());
        }
        self.slugs.found_by(keys, |word| postings.count(word), &mut |query| {
            stale.insert(Arc::clone(query));
        });
    }

    /// Notes that a slug is that of one more live skill.
    pub fn add(&mut self, slug: &str, postings: &Postings) {
        if self.words.is_on() {
            self.stale.queries.extend(self.slugs.add(slug, |word| postings.count(word)));
        }
    }

    /// Notes that a slug is that of one live skill less.
    pub fn remove(&mut self, slug: &str) {
        if self.words.is_on() {
            self.stale.queries.extend(self.slugs.remove(slug));
        }
    }

    /// Takes in what a word is now.
    pub fn word(&mut self, word: &[u8], postings: &Postings) {
        let Ok(text) = std::str::from_utf8(word) else { return };
        if !self.words.is_on() {
            return;
        }
        let (own, prefix) = postings.of_word(word);
        let stale = &mut self.stale.queries;
        self.words.set(text, own.len(), &mut |moved| {
            stale.insert(moved);
        });
        let mark = Mark {
            logs: [log(own.len() as u64) as u8, log(prefix.len() as u64) as u8],
            taken: taken(own, MOST_POSTINGS) ^ taken(prefix, MOST_OF_PREFIX).rotate_left(1),
        };
        // What is no word is in no query that has a file.
        let before =
            if own.is_empty() { self.marks.remove(text) } else { self.marks.insert(text.into(), mark) };
        if postings.count(word) > BEST {
            self.slugs.repivot(text, |word| postings.count(word));
        } else if before.is_some_and(|before| before.taken != 0) {
            self.slugs.repivot_with(text, |word| postings.count(word));
        }
        if before.unwrap_or_default() != mark {
            stale.extend(self.words.get(text).cloned());
            self.slugs.with(text, &mut |query| {
                stale.insert(Arc::clone(query));
            });
        }
    }
}

/// Which skills a list has among its best, and which at all, where it leaves
/// some out: as a hash of the ids, which only this process compares.
fn taken(skills: &[Packed], most: usize) -> u64 {
    if skills.len() <= BEST {
        return 0;
    }
    let postings: Vec<_> = skills.iter().map(|packed| packed.posting()).collect();
    let step = |hash: u64, id: u64| (hash ^ id).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    let among_best = best(&postings, BEST).fold(1, |hash, posting| step(hash, posting.id));
    if skills.len() <= most {
        return among_best;
    }
    best(&postings, most).fold(among_best, |hash, posting| step(hash, posting.id))
}

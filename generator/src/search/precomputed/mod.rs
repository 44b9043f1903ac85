//! Which queries are answered by a file of their own, and which of those answers
//! a change has made stale.
//!
//! It may name too many, never too few: a stale file is never right, an absent
//! one always.

mod frequent;
mod sight;
mod slugs;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

pub(super) use self::frequent::Frequent;
pub(super) use self::sight::{Looked, Sights};
pub(super) use self::slugs::{Slug, Slugs};
use super::members::Members;
use super::moved::{Came, Moved};
use super::number::log;
use super::piece::{BEST, most};
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

/// Notes that the answer to a slug may be stale. What is a frequent word too is known better
/// by that.
fn note(words: &Frequent, slug: &Slug, stale: &mut BTreeSet<Arc<str>>) {
    if !words.has(&slug.query) {
        stale.insert(Arc::clone(&slug.query));
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

    /// Whether it is of use to note what may be stale.
    pub fn is_noting(&self) -> bool {
        self.words.is_on() && !self.stale.all
    }

    /// Notes what may be stale because a skill that is found so was put there, is shown
    /// otherwise or was taken away.
    pub fn touched(&mut self, looked: &Looked<'_>, sights: &Sights) {
        let Self { words, slugs, stale: Stale { queries, .. }, .. } = self;
        for sight in sights.best() {
            let word = sight.word().and_then(|word| words.get(word));
            if let Some(word) = word.filter(|_| looked.may_lead_by(sight)) {
                queries.insert(Arc::clone(word));
            }
        }
        slugs.found_by(sights, &looked.members.postings, &mut |slug| note(words, slug, queries));
    }

    /// Notes which words find more skills than before, or fewer, where one that was found
    /// so is found so now, and others have moved by it.
    pub fn stepped(&mut self, (before, after): (&Sights, &Sights), moved: &Moved, members: &Members) {
        let mut more = HashMap::<&str, i32>::new();
        before.words().for_each(|word| *more.entry(word).or_default() -= 1);
        after.words().for_each(|word| *more.entry(word).or_default() += 1);
        for (id, words) in &moved.0 {
            for (word, came) in words {
                let Ok(text) = std::str::from_utf8(word) else { continue };
                let is_best = members.is_best(*id, word);
                let was_best = [0, 1].map(|at| is_best[at] != came.best[at]);
                let counts = |best: [bool; 2]| i32::from(best != [false; 2]);
                *more.entry(text).or_default() += counts(is_best) - counts(was_best);
            }
        }
        let words = more.into_iter().filter(|(_, more)| *more != 0);
        self.stale.queries.extend(words.filter_map(|(word, _)| self.words.get(word)).cloned());
    }

    /// Notes what may be stale because a skill has moved by the change of another, under
    /// these words. Not that there may be more, or fewer.
    pub fn moved(&mut self, looked: &Looked<'_>, came: &BTreeMap<Arc<[u8]>, Came>, sights: &Sights) {
        let Self { words, slugs, stale: Stale { queries, .. }, .. } = self;
        for (word, came) in came {
            let Ok(text) = std::str::from_utf8(word) else { continue };
            if let Some(query) = words.get(text).filter(|_| looked.may_lead(word)) {
                queries.insert(Arc::clone(query));
            }
            let postings = &looked.members.postings;
            slugs.moved((text, came.posting), sights, postings, &mut |slug| note(words, slug, queries));
        }
    }

    /// Takes in where the skills with this slug stand.
    pub fn look(&mut self, slug: &str, members: &Members) {
        if self.words.is_on() {
            self.slugs.look(slug, members);
        }
    }

    /// Notes that a slug is that of one more live skill.
    pub fn add(&mut self, slug: &str, id: u64, members: &Members) {
        if self.words.is_on() {
            let added = self.slugs.add(slug, id, members);
            self.stale.queries.extend(added.clone());
            self.stale.added.extend(added);
        }
    }

    /// Notes that a slug is that of one live skill less.
    pub fn remove(&mut self, slug: &str, id: u64, members: &Members) {
        if self.words.is_on() {
            self.stale.queries.extend(self.slugs.remove(slug, id, members));
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

//! Precomputed answers: which queries have one, and which of them a change makes stale.
//!
//! It may name too many answers, never too few: a stale file would be wrong, a missing one
//! only costs time.

mod frequent_words;
mod ranked_skill;
mod slug_queries;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use self::frequent_words::FrequentWords;
pub use self::ranked_skill::{KeyMatches, RankedSkill};
use self::slug_queries::{SlugQueries, SlugQuery};
use super::build::{DisplacedSkills, ListChange, LiveSkills, Postings};
use super::format::logarithm::log;
use super::format::posting::{MAX_CANDIDATES, max_postings};

/// The queries whose precomputed answers are stale.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StaleAnswers {
    /// Whether all may be.
    pub all: bool,
    /// Queries whose answers may be different, or are no longer precomputed.
    pub queries: BTreeSet<Arc<str>>,
    /// Those of the queries that are slugs which no live skill had before.
    pub added: BTreeSet<Arc<str>>,
}

/// What the ranking of all skills with a word depends on.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct WordClass {
    logs: [u8; 2],
    /// Whether its lists leave out postings, so that they are not required.
    is_cut_off: [bool; 2],
    /// Whether they have more skills than candidates.
    is_common: bool,
}

impl WordClass {
    fn of(own: usize, prefix: usize) -> Self {
        Self {
            logs: [own, prefix].map(|skills| log(skills as u64) as u8),
            is_cut_off: [own > max_postings(false), prefix > max_postings(true)],
            is_common: own.max(prefix) > MAX_CANDIDATES,
        }
    }
}

/// Notes that the answer to a slug may be stale. A slug that is a frequent word is left to the
/// rules for words, which name fewer answers.
fn note(words: &FrequentWords, slug: &SlugQuery, stale: &mut BTreeSet<Arc<str>>) {
    if !words.has(&slug.query) {
        stale.insert(Arc::clone(&slug.query));
    }
}

/// The queries with precomputed answers, and what these depend on.
#[derive(Debug, Default)]
pub struct Precomputed {
    words: FrequentWords,
    pub slugs: SlugQueries,
    classes: HashMap<Arc<str>, WordClass>,
    pub stale: StaleAnswers,
}

impl Precomputed {
    /// No queries yet, and at most `max_words` words. With 0, nothing is precomputed.
    pub fn new(max_words: u64) -> Self {
        let words = FrequentWords::new(usize::try_from(max_words).unwrap_or(usize::MAX));
        // Nothing is known of answers that were precomputed before.
        let stale = StaleAnswers { all: true, ..StaleAnswers::default() };
        Self { words, stale, ..Self::default() }
    }

    /// Largest number of words.
    pub fn max_words(&self) -> u64 {
        self.words.max() as u64
    }

    /// Whether the answer to a query is precomputed.
    pub fn has(&self, query: &str) -> bool {
        self.words.is_on() && (self.words.has(query) || self.slugs.has(query))
    }

    /// All queries with precomputed answers, in no order.
    pub fn queries(&self) -> impl Iterator<Item = &Arc<str>> {
        let slugs = self.slugs.all().filter(|slug| !self.words.has(slug));
        self.words.all().chain(slugs).filter(|_| self.words.is_on())
    }

    /// Whether it is worth noting which answers are stale.
    pub fn is_noting(&self) -> bool {
        self.words.is_on() && !self.stale.all
    }

    /// Notes the answers that may show a skill with these keys, because the skill was added,
    /// changed or removed.
    pub fn touched(&mut self, skill: &RankedSkill<'_>, matches: &KeyMatches) {
        let Self { words, slugs, stale: StaleAnswers { queries, .. }, .. } = self;
        for key in matches.candidates() {
            let word = key.word().and_then(|word| words.get(word));
            if let Some(word) = word.filter(|_| skill.may_be_shown_by(key)) {
                queries.insert(Arc::clone(word));
            }
        }
        slugs.finding(matches, &skill.skills.postings, &mut |slug| note(words, slug, queries));
    }

    /// Notes the words that find another number of skills after the keys of one skill changed
    /// and others were displaced.
    pub fn count_changed(
        &mut self,
        (before, after): (&KeyMatches, &KeyMatches),
        displaced: &DisplacedSkills,
        skills: &LiveSkills,
    ) {
        let mut more = HashMap::<&str, i32>::new();
        before.words().for_each(|word| *more.entry(word).or_default() -= 1);
        after.words().for_each(|word| *more.entry(word).or_default() += 1);
        for (id, words) in &displaced.0 {
            for (word, change) in words {
                let Ok(text) = std::str::from_utf8(word) else { continue };
                let is_candidate = skills.is_candidate(*id, word);
                let was_candidate = [0, 1].map(|at| is_candidate[at] != change.candidates[at]);
                let counts = |candidate: [bool; 2]| i32::from(candidate != [false; 2]);
                *more.entry(text).or_default() += counts(is_candidate) - counts(was_candidate);
            }
        }
        let words = more.into_iter().filter(|(_, more)| *more != 0);
        self.stale.queries.extend(words.filter_map(|(word, _)| self.words.get(word)).cloned());
    }

    /// Notes the answers that may show a displaced skill, given what changed under its words.
    /// [`count_changed`](Self::count_changed) notes those that find more skills, or fewer.
    pub fn displaced(
        &mut self,
        skill: &RankedSkill<'_>,
        changes: &BTreeMap<Arc<[u8]>, ListChange>,
        matches: &KeyMatches,
    ) {
        let Self { words, slugs, stale: StaleAnswers { queries, .. }, .. } = self;
        for (word, change) in changes {
            let Ok(text) = std::str::from_utf8(word) else { continue };
            if let Some(query) = words.get(text).filter(|_| skill.may_be_shown(word)) {
                queries.insert(Arc::clone(query));
            }
            let postings = &skill.skills.postings;
            slugs
                .displaced((text, change.posting), matches, postings, &mut |slug| note(words, slug, queries));
        }
    }

    /// Looks again at the positions of the skills with a slug.
    pub fn refresh_slug(&mut self, slug: &str, skills: &LiveSkills) {
        if self.words.is_on() {
            self.slugs.refresh(slug, skills);
        }
    }

    /// Adds a live skill with a slug.
    pub fn add(&mut self, slug: &str, id: u64, skills: &LiveSkills) {
        if self.words.is_on() {
            let added = self.slugs.add(slug, id, skills);
            self.stale.queries.extend(added.clone());
            self.stale.added.extend(added);
        }
    }

    /// Removes a live skill with a slug.
    pub fn remove(&mut self, slug: &str, id: u64, skills: &LiveSkills) {
        if self.words.is_on() {
            self.stale.queries.extend(self.slugs.remove(slug, id, skills));
        }
    }

    /// Updates how many skills have a word.
    pub fn word(&mut self, word: &[u8], postings: &Postings) {
        let Ok(text) = std::str::from_utf8(word) else { return };
        if !self.words.is_on() {
            return;
        }
        let [own, prefix] = postings.counts(word);
        let stale = &mut self.stale.queries;
        self.words.set(text, own, &mut |changed| {
            stale.insert(changed);
        });
        let class = WordClass::of(own, prefix);
        // A prefix that is not a word is in no precomputed query.
        let before =
            if own == 0 { self.classes.remove(text) } else { self.classes.insert(text.into(), class) };
        let before = before.unwrap_or_default();
        match (before.is_common, class.is_common) {
            (false, true) => self.slugs.became_common(text, |word| postings.max_count(word)),
            (true, false) => self.slugs.became_rare(text),
            _ => {}
        }
        if before != class {
            stale.extend(self.words.get(text).cloned());
            self.slugs.with(text, &mut |query| {
                stale.insert(Arc::clone(query));
            });
        }
    }
}

//! The slugs of live skills, as queries.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::ranked_skill::{KeyMatch, KeyMatches};
use crate::search::Query;
use crate::search::build::{LiveSkills, Postings};
use crate::search::format::keys::prefix_of;
use crate::search::format::posting::{MAX_CANDIDATES, max_postings};

/// Number of skills with the same slug, in as many namespaces, whose positions are looked at.
const MAX_CHECKED: usize = 8;

/// A slug as a query.
#[derive(Debug)]
pub struct SlugQuery {
    pub query: Arc<str>,
    /// The live skills with this slug.
    skills: Vec<u64>,
    words: Box<[Arc<str>]>,
    /// Whether a skill with this slug is known to be a candidate. It has all words, so that
    /// only skills with all required words are found. If false, nothing is known.
    has_candidate: bool,
    /// The word of the slug that it is found by: no more skills have it than are candidates.
    /// None if all its words are common.
    pivot: Option<Arc<str>>,
}

/// The slugs of live skills, by their words.
#[derive(Debug, Default)]
pub struct SlugQueries {
    slugs: HashMap<Arc<str>, SlugQuery>,
    by_word: HashMap<Arc<str>, Vec<Arc<str>>>,
    by_pivot: HashMap<Arc<str>, Vec<Arc<str>>>,
    /// Slugs without a pivot, by each of their words.
    common: HashMap<Arc<str>, Vec<Arc<str>>>,
}

impl SlugQueries {
    /// Whether a live skill has this slug.
    pub fn has(&self, slug: &str) -> bool {
        self.slugs.contains_key(slug)
    }

    /// All slugs.
    pub fn all(&self) -> impl Iterator<Item = &Arc<str>> {
        self.slugs.keys()
    }

    /// Adds a live skill with a slug. Returns the slug if the skill is the first one.
    pub fn add(&mut self, slug: &str, id: u64, skills: &LiveSkills) -> Option<Arc<str>> {
        if let Some(known) = self.slugs.get_mut(slug) {
            known.skills.push(id);
            known.refresh(skills);
            return None;
        }
        let query: Arc<str> = slug.into();
        let words: Box<[Arc<str>]> = Query::new(slug).words().map(|(word, _)| word.into()).collect();
        for word in &words {
            self.by_word.entry(Arc::clone(word)).or_default().push(Arc::clone(&query));
        }
        let mut slug = SlugQuery {
            query: Arc::clone(&query),
            skills: vec![id],
            words,
            has_candidate: false,
            pivot: None,
        };
        slug.refresh(skills);
        self.place(&mut slug, |word| skills.postings.max_count(word));
        self.slugs.insert(Arc::clone(&query), slug);
        Some(query)
    }

    /// Looks again at the positions of the skills with a slug.
    pub fn refresh(&mut self, slug: &str, skills: &LiveSkills) {
        if let Some(slug) = self.slugs.get_mut(slug) {
            slug.refresh(skills);
        }
    }

    /// Lists a slug under its rarest word, or under all if they are common.
    fn place(&mut self, slug: &mut SlugQuery, count: impl Fn(&[u8]) -> usize) {
        let counted = slug.words.iter().map(|word| (count(word.as_bytes()), word));
        let rarest = counted.min_by_key(|(skills, _)| *skills);
        slug.pivot = rarest.filter(|(skills, _)| *skills <= MAX_CANDIDATES).map(|(_, word)| Arc::clone(word));
        let (index, words) = match &slug.pivot {
            Some(pivot) => (&mut self.by_pivot, std::slice::from_ref(pivot)),
            None => (&mut self.common, &*slug.words),
        };
        for word in words {
            index.entry(Arc::clone(word)).or_default().push(Arc::clone(&slug.query));
        }
    }

    /// Removes a live skill with a slug. Returns the slug if the skill was the last one.
    pub fn remove(&mut self, slug: &str, id: u64, skills: &LiveSkills) -> Option<Arc<str>> {
        let known = self.slugs.get_mut(slug)?;
        known.skills.retain(|skill| *skill != id);
        if !known.skills.is_empty() {
            known.refresh(skills);
            return None;
        }
        let removed = self.slugs.remove(slug)?;
        for word in &removed.words {
            unlist(&mut self.by_word, word, &removed.query);
        }
        match &removed.pivot {
            Some(pivot) => unlist(&mut self.by_pivot, pivot, &removed.query),
            None => removed.words.iter().for_each(|word| unlist(&mut self.common, word, &removed.query)),
        }
        Some(removed.query)
    }

    /// Calls `visit` with each slug that has a word.
    pub fn with(&self, word: &str, visit: &mut dyn FnMut(&Arc<str>)) {
        self.by_word.get(word).into_iter().flatten().for_each(visit);
    }

    /// Gives the slugs whose pivot has become common another one.
    pub fn became_common(&mut self, word: &str, count: impl Fn(&[u8]) -> usize) {
        for query in self.by_pivot.remove(word).into_iter().flatten() {
            if let Some((query, mut slug)) = self.slugs.remove_entry(&query) {
                self.place(&mut slug, &count);
                self.slugs.insert(query, slug);
            }
        }
    }

    /// Makes a word that has become rare the pivot of the slugs that had none.
    pub fn became_rare(&mut self, word: &str) {
        let queries = self.common.get(word).cloned().unwrap_or_default();
        for query in &queries {
            let Some(slug) = self.slugs.get_mut(query) else { continue };
            slug.words.iter().for_each(|word| unlist(&mut self.common, word, query));
            slug.pivot = slug.words.iter().find(|own| ***own == *word).cloned();
            self.by_pivot.entry(word.into()).or_default().push(Arc::clone(query));
        }
    }

    /// Calls `visit` with each slug that may find a skill with these keys.
    pub fn finding(&self, matches: &KeyMatches, postings: &Postings, visit: &mut dyn FnMut(&SlugQuery)) {
        let keys = KeySet::new(matches);
        for key in &matches.0 {
            let Some(word) = key.word() else { continue };
            self.with_pivot(word, &keys, postings, visit);
            // A slug of common words finds only candidates of one of them.
            if key.is_candidate() {
                self.without_pivot(word, &keys, postings, visit);
            }
        }
    }

    /// Calls `visit` with each slug whose answer may change because a skill with these keys
    /// became a candidate of `word`, or no longer is one. With `is_posting`, also because the
    /// skill lost its posting under the word, or got one.
    pub fn displaced(
        &self,
        (word, is_posting): (&str, bool),
        matches: &KeyMatches,
        postings: &Postings,
        visit: &mut dyn FnMut(&SlugQuery),
    ) {
        if !self.by_word.contains_key(word) {
            return;
        }
        let keys = KeySet::new(matches);
        self.without_pivot(word, &keys, postings, visit);
        if is_posting {
            // A slug with a rare word finds only candidates of that word.
            for own in matches.0.iter().filter_map(KeyMatch::word) {
                self.with_pivot(own, &keys, postings, &mut |slug| {
                    if slug.words.iter().any(|own| **own == *word) {
                        visit(slug);
                    }
                });
            }
        }
    }

    /// The slugs with this pivot that may find a skill with these keys.
    fn with_pivot(
        &self,
        word: &str,
        keys: &KeySet<'_>,
        postings: &Postings,
        visit: &mut dyn FnMut(&SlugQuery),
    ) {
        let slugs = self.by_pivot.get(word).into_iter().flatten().filter_map(|query| self.slugs.get(query));
        slugs.filter(|slug| slug.may_find(keys, postings)).for_each(visit);
    }

    /// The slugs of common words with this word that may find a candidate with these keys.
    fn without_pivot(
        &self,
        word: &str,
        keys: &KeySet<'_>,
        postings: &Postings,
        visit: &mut dyn FnMut(&SlugQuery),
    ) {
        let slugs = self.common.get(word).into_iter().flatten().filter_map(|query| self.slugs.get(query));
        // If no candidate has all required words, all candidates are found.
        slugs.filter(|slug| !slug.has_candidate || slug.may_find(keys, postings)).for_each(visit);
    }
}

/// The keys of a skill as a set. Built on first use, because few words are in a slug.
struct KeySet<'a> {
    matches: &'a KeyMatches,
    keys: OnceCell<HashSet<&'a [u8]>>,
}

impl<'a> KeySet<'a> {
    fn new(matches: &'a KeyMatches) -> Self {
        Self { matches, keys: OnceCell::new() }
    }

    fn has(&self, key: &[u8]) -> bool {
        let keys = || self.matches.0.iter().map(|key| &*key.key).collect();
        self.keys.get_or_init(keys).contains(key)
    }
}

impl SlugQuery {
    /// Whether a skill with these keys has all required words, the last one perhaps as a
    /// prefix. It may then be found even if another skill has all required words.
    fn may_find(&self, keys: &KeySet<'_>, postings: &Postings) -> bool {
        let last = self.words.len().wrapping_sub(1);
        self.words.iter().enumerate().all(|(at, word)| {
            let word = word.as_bytes();
            keys.has(word) || at == last && keys.has(&prefix_of(word)) || {
                let [own, prefix] = postings.counts(word);
                own > max_postings(false) || at == last && prefix > max_postings(true)
            }
        })
    }

    /// Looks at the positions of the skills with this slug.
    fn refresh(&mut self, skills: &LiveSkills) {
        let lists: Option<Vec<_>> =
            self.words.iter().map(|word| skills.postings.get(word.as_bytes())).collect();
        self.has_candidate = lists.is_some_and(|lists| {
            self.skills.iter().take(MAX_CHECKED).filter_map(|id| skills.get(*id)).any(|skill| {
                let positions: Option<Vec<_>> = lists.iter().map(|list| list.position(skill)).collect();
                positions.is_some_and(|positions| positions.iter().any(|position| position.is_candidate))
            })
        });
    }
}

fn unlist(index: &mut HashMap<Arc<str>, Vec<Arc<str>>>, word: &Arc<str>, slug: &Arc<str>) {
    if let Some(slugs) = index.get_mut(word) {
        slugs.retain(|known| !Arc::ptr_eq(known, slug));
        if slugs.is_empty() {
            index.remove(word);
        }
    }
}

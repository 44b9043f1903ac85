//! The slugs of live skills as queries.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::search::Query;
use crate::search::piece::{BEST, base, key_of};

#[derive(Debug)]
struct Slug {
    query: Arc<str>,
    /// How many live skills have it.
    skills: u32,
    words: Box<[Arc<str>]>,
    /// The word by which it is looked for.
    pivot: Arc<str>,
}

/// The slugs of live skills, found by the words in them.
#[derive(Debug, Default)]
pub struct Slugs {
    slugs: HashMap<Arc<str>, Slug>,
    by_word: HashMap<Arc<str>, Vec<Arc<str>>>,
    by_pivot: HashMap<Arc<str>, Vec<Arc<str>>>,
}

impl Slugs {
    /// Whether a live skill has it.
    pub fn has(&self, slug: &str) -> bool {
        self.slugs.contains_key(slug)
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Arc<str>> {
        self.slugs.keys()
    }

    /// One more live skill has it. `count` says how many skills have a word.
    pub fn add(&mut self, slug: &str, count: impl Fn(&[u8]) -> usize) -> Option<Arc<str>> {
        if let Some(known) = self.slugs.get_mut(slug) {
            known.skills += 1;
            return None;
        }
        let query: Arc<str> = slug.into();
        let words: Box<[Arc<str>]> = Query::new(slug).words().map(|(word, _)| word.into()).collect();
        let rarest = words.iter().min_by_key(|word| count(word.as_bytes()));
        let pivot = rarest.cloned().unwrap_or_default();
        for word in &words {
            self.by_word.entry(Arc::clone(word)).or_default().push(Arc::clone(&query));
        }
        self.by_pivot.entry(Arc::clone(&pivot)).or_default().push(Arc::clone(&query));
        let entry = Slug { query: Arc::clone(&query), skills: 1, words, pivot };
        self.slugs.insert(Arc::clone(&query), entry);
        Some(query)
    }

    /// One live skill less has it. Returns it where it was the last.
    pub fn remove(&mut self, slug: &str) -> Option<Arc<str>> {
        let known = self.slugs.get_mut(slug)?;
        known.skills -= 1;
        if known.skills > 0 {
            return None;
        }
        let gone = self.slugs.remove(slug)?;
        for word in &gone.words {
            forget(&mut self.by_word, word, &gone.query);
        }
        forget(&mut self.by_pivot, &gone.pivot, &gone.query);
        Some(gone.query)
    }

    /// Calls `visit` with each that has a word.
    pub fn with(&self, word: &str, visit: &mut dyn FnMut(&Arc<str>)) {
        self.by_word.get(word).into_iter().flatten().for_each(visit);
    }

    /// Looks for the slugs that were looked for by a word which has become common
    /// by another of their words.
    pub fn repivot(&mut self, word: &str, count: impl Fn(&[u8]) -> usize) {
        for query in self.by_pivot.remove(word).into_iter().flatten() {
            let Some(slug) = self.slugs.get_mut(&query) else { continue };
            let rarest = slug.words.iter().min_by_key(|word| count(word.as_bytes()));
            slug.pivot = rarest.cloned().unwrap_or_default();
            self.by_pivot.entry(Arc::clone(&slug.pivot)).or_default().push(query);
        }
    }

    /// Looks for the slugs with a word that has become rare by that word, or by a
    /// rarer one.
    pub fn repivot_with(&mut self, word: &str, count: impl Fn(&[u8]) -> usize) {
        let queries = self.by_word.get(word).into_iter().flatten();
        let pivots = queries.filter_map(|query| self.slugs.get(query).map(|slug| Arc::clone(&slug.pivot)));
        for pivot in pivots.collect::<BTreeSet<_>>() {
            if count(pivot.as_bytes()) > BEST {
                self.repivot(&pivot, &count);
            }
        }
    }

    /// Calls `visit` with each slug that may find a skill with these keys. `count`
    /// says how many skills have a word, or begin one with it.
    pub fn found_by<'k>(
        &self,
        keys: impl Iterator<Item = &'k [u8]> + Clone,
        count: impl Fn(&[u8]) -> usize,
        visit: &mut dyn FnMut(&Arc<str>),
    ) {
        let has: HashSet<&[u8]> = keys.clone().collect();
        for word in keys.filter_map(|key| std::str::from_utf8(base(key)).ok()) {
            for slug in self.by_pivot.get(word).into_iter().flatten() {
                if self.slugs.get(slug).is_some_and(|slug| slug.may_find(&has, &count)) {
                    visit(slug);
                }
            }
            // Its words all are so common that the skill whose name it is may not
            // be among the best of any: then it is not sure that all count.
            if count(word.as_bytes()) > BEST {
                for slug in self.by_word.get(word).into_iter().flatten() {
                    let known = self.slugs.get(slug);
                    if known.is_some_and(|known| known.words.iter().all(|w| count(w.as_bytes()) > BEST)) {
                        visit(slug);
                    }
                }
            }
        }
    }
}

impl Slug {
    /// Whether a skill with these keys may be found: it has all words, the last
    /// one perhaps as the beginning of a word.
    fn may_find(&self, has: &HashSet<&[u8]>, count: &impl Fn(&[u8]) -> usize) -> bool {
        let last = self.words.len().wrapping_sub(1);
        self.words.iter().enumerate().all(|(at, word)| {
            has.contains(word.as_bytes())
                || at == last && has.contains(&key_of(word, true, None)[..])
                // Its list may be cut, and then it is not needed.
                || count(word.as_bytes()) > BEST
        })
    }
}

fn forget(index: &mut HashMap<Arc<str>, Vec<Arc<str>>>, word: &Arc<str>, slug: &Arc<str>) {
    if let Some(slugs) = index.get_mut(word) {
        slugs.retain(|known| !Arc::ptr_eq(known, slug));
        if slugs.is_empty() {
            index.remove(word);
        }
    }
}

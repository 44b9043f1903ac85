//! The slugs of live skills as queries.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::search::Query;
use crate::search::piece::{BEST, base, key_of};

/// A slug as a query.
#[derive(Debug)]
pub struct Slug {
    pub query: Arc<str>,
    /// How many live skills have it.
    skills: u32,
    pub words: Box<[Arc<str>]>,
    /// A word of it that is not common, by which it is looked for: no more skills have
    /// it than are among its best. None where all are common.
    pivot: Option<Arc<str>>,
}

/// The slugs of live skills, found by the words in them.
#[derive(Debug, Default)]
pub struct Slugs {
    slugs: HashMap<Arc<str>, Slug>,
    by_word: HashMap<Arc<str>, Vec<Arc<str>>>,
    by_pivot: HashMap<Arc<str>, Vec<Arc<str>>>,
    /// Those without a pivot, by each of their words.
    common: HashMap<Arc<str>, Vec<Arc<str>>>,
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
        for word in &words {
            self.by_word.entry(Arc::clone(word)).or_default().push(Arc::clone(&query));
        }
        let mut slug = Slug { query: Arc::clone(&query), skills: 1, words, pivot: None };
        self.place(&mut slug, count);
        self.slugs.insert(Arc::clone(&query), slug);
        Some(query)
    }

    /// Makes a slug that is nowhere be found by its rarest word.
    fn place(&mut self, slug: &mut Slug, count: impl Fn(&[u8]) -> usize) {
        let counted = slug.words.iter().map(|word| (count(word.as_bytes()), word));
        let rarest = counted.min_by_key(|(skills, _)| *skills);
        slug.pivot = rarest.filter(|(skills, _)| *skills <= BEST).map(|(_, word)| Arc::clone(word));
        let (index, words) = match &slug.pivot {
            Some(pivot) => (&mut self.by_pivot, std::slice::from_ref(pivot)),
            None => (&mut self.common, &*slug.words),
        };
        for word in words {
            index.entry(Arc::clone(word)).or_default().push(Arc::clone(&slug.query));
        }
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
        match &gone.pivot {
            Some(pivot) => forget(&mut self.by_pivot, pivot, &gone.query),
            None => gone.words.iter().for_each(|word| forget(&mut self.common, word, &gone.query)),
        }
        Some(gone.query)
    }

    /// Calls `visit` with each that has a word.
    pub fn with(&self, word: &str, visit: &mut dyn FnMut(&Arc<str>)) {
        self.by_word.get(word).into_iter().flatten().for_each(visit);
    }

    /// Looks for the slugs that were looked for by a word which has become common
    /// by another of their words.
    pub fn became_common(&mut self, word: &str, count: impl Fn(&[u8]) -> usize) {
        for query in self.by_pivot.remove(word).into_iter().flatten() {
            if let Some((query, mut slug)) = self.slugs.remove_entry(&query) {
                self.place(&mut slug, &count);
                self.slugs.insert(query, slug);
            }
        }
    }

    /// Looks by a word that has become rare for the slugs whose words all were
    /// common.
    pub fn became_rare(&mut self, word: &str) {
        let queries = self.common.get(word).cloned().unwrap_or_default();
        for query in &queries {
            let Some(slug) = self.slugs.get_mut(query) else { continue };
            slug.words.iter().for_each(|word| forget(&mut self.common, word, query));
            slug.pivot = slug.words.iter().find(|own| ***own == *word).cloned();
            self.by_pivot.entry(word.into()).or_default().push(Arc::clone(query));
        }
    }

    /// Calls `visit` with each slug that may find a skill with these keys, which is
    /// among the best of those with `true`. `count` says how many skills have a
    /// word, or begin one with it.
    pub fn found_by<'k>(
        &self,
        keys: impl Iterator<Item = (&'k [u8], bool)> + Clone,
        count: impl Fn(&[u8]) -> usize,
        visit: &mut dyn FnMut(&Slug),
    ) {
        let mut has = None;
        for (key, is_best) in keys.clone() {
            let Ok(word) = std::str::from_utf8(base(key)) else { continue };
            let pivoted = self.by_pivot.get(word).into_iter().flatten();
            for slug in pivoted.filter_map(|query| self.slugs.get(query)) {
                let has = has.get_or_insert_with(|| keys.clone().map(|(key, _)| key).collect());
                if slug.may_find(has, &count) {
                    visit(slug);
                }
            }
            // Where all its words are common, a slug finds those alone that are among
            // the best of one of them, and not all words need count.
            if is_best {
                let common = self.common.get(word).into_iter().flatten();
                common.filter_map(|query| self.slugs.get(query)).for_each(&mut *visit);
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

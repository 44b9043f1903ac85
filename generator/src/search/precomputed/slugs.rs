//! The slugs of live skills as queries.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::sight::{Sight, Sights};
use crate::search::Query;
use crate::search::members::Members;
use crate::search::piece::{BEST, key_of, most};
use crate::search::postings::Postings;

/// Of how many skills with one slug, in as many namespaces, it is known where they stand.
const LOOKED_AT: usize = 8;

/// A slug as a query.
#[derive(Debug)]
pub struct Slug {
    pub query: Arc<str>,
    /// The live skills that have it.
    skills: Vec<u64>,
    words: Box<[Arc<str>]>,
    /// Whether one of them is known to be a candidate, which has all its words: then those
    /// alone are found that have all that bind. False says nothing.
    is_sure: bool,
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

    /// One more live skill has it. Returns it where it is the first.
    pub fn add(&mut self, slug: &str, id: u64, members: &Members) -> Option<Arc<str>> {
        if let Some(known) = self.slugs.get_mut(slug) {
            known.skills.push(id);
            known.look(members);
            return None;
        }
        let query: Arc<str> = slug.into();
        let words: Box<[Arc<str>]> = Query::new(slug).words().map(|(word, _)| word.into()).collect();
        for word in &words {
            self.by_word.entry(Arc::clone(word)).or_default().push(Arc::clone(&query));
        }
        let (query, skills) = (Arc::clone(&query), vec![id]);
        let mut slug = Slug { query: Arc::clone(&query), skills, words, is_sure: false, pivot: None };
        slug.look(members);
        self.place(&mut slug, |word| members.postings.count(word));
        self.slugs.insert(Arc::clone(&query), slug);
        Some(query)
    }

    /// Takes in where the skills stand that have a slug.
    pub fn look(&mut self, slug: &str, members: &Members) {
        if let Some(slug) = self.slugs.get_mut(slug) {
            slug.look(members);
        }
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
    pub fn remove(&mut self, slug: &str, id: u64, members: &Members) -> Option<Arc<str>> {
        let known = self.slugs.get_mut(slug)?;
        known.skills.retain(|skill| *skill != id);
        if !known.skills.is_empty() {
            known.look(members);
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

    /// Calls `visit` with each slug that may find a skill that is found so.
    pub fn found_by(&self, sights: &Sights, postings: &Postings, visit: &mut dyn FnMut(&Slug)) {
        let has = Has::new(sights);
        for sight in &sights.0 {
            let Some(word) = sight.word() else { continue };
            self.pivoted(word, &has, postings, visit);
            // Where all its words are common, a slug finds those alone that are among
            // the best of one of them.
            if sight.is_best() {
                self.common(word, &has, postings, visit);
            }
        }
    }

    /// Calls `visit` with each slug with this word whose answer may be another because a
    /// skill that is found so is among the best of the word no more, or is now, or, with
    /// `true`, has lost its posting or got one.
    pub fn moved(
        &self,
        (word, is_posting): (&str, bool),
        sights: &Sights,
        postings: &Postings,
        visit: &mut dyn FnMut(&Slug),
    ) {
        if !self.by_word.contains_key(word) {
            return;
        }
        let has = Has::new(sights);
        self.common(word, &has, postings, visit);
        if is_posting {
            // Where one word is rare, all that are found are candidates by that.
            for own in sights.0.iter().filter_map(Sight::word) {
                self.pivoted(own, &has, postings, &mut |slug| {
                    if slug.words.iter().any(|own| **own == *word) {
                        visit(slug);
                    }
                });
            }
        }
    }

    /// Those with this rarest word that may find a skill with these keys.
    fn pivoted(&self, word: &str, has: &Has<'_>, postings: &Postings, visit: &mut dyn FnMut(&Slug)) {
        let pivoted = self.by_pivot.get(word).into_iter().flatten().filter_map(|query| self.slugs.get(query));
        pivoted.filter(|slug| slug.may_find(has, postings)).for_each(visit);
    }

    /// Those with this word, and without a rare one, that may find a candidate with these keys.
    fn common(&self, word: &str, has: &Has<'_>, postings: &Postings, visit: &mut dyn FnMut(&Slug)) {
        let common = self.common.get(word).into_iter().flatten().filter_map(|query| self.slugs.get(query));
        // If no candidate has all that bind, any are found.
        common.filter(|slug| !slug.is_sure || slug.may_find(has, postings)).for_each(visit);
    }
}

/// The keys of a skill, made when they are asked for: most words are in no slug.
struct Has<'a> {
    sights: &'a Sights,
    keys: OnceCell<HashSet<&'a [u8]>>,
}

impl<'a> Has<'a> {
    fn new(sights: &'a Sights) -> Self {
        Self { sights, keys: OnceCell::new() }
    }

    fn has(&self, key: &[u8]) -> bool {
        let keys = || self.sights.0.iter().map(|sight| &*sight.key).collect();
        self.keys.get_or_init(keys).contains(key)
    }
}

impl Slug {
    /// Whether a skill with these keys may be found where one is that has all words that bind:
    /// it has those too, the last one perhaps as the beginning of a word.
    fn may_find(&self, has: &Has<'_>, postings: &Postings) -> bool {
        let last = self.words.len().wrapping_sub(1);
        self.words.iter().enumerate().all(|(at, word)| {
            has.has(word.as_bytes()) || at == last && has.has(&key_of(word, true, None)) || {
                let [own, prefix] = postings.of_word(word.as_bytes());
                own > most(false) || at == last && prefix > most(true)
            }
        })
    }

    /// Takes in where its skills stand.
    fn look(&mut self, members: &Members) {
        let lists: Option<Vec<_>> =
            self.words.iter().map(|word| members.postings.get(word.as_bytes())).collect();
        self.is_sure = lists.is_some_and(|lists| {
            self.skills.iter().take(LOOKED_AT).filter_map(|id| members.member(*id)).any(|member| {
                let standings: Option<Vec<_>> = lists.iter().map(|list| list.standing(member)).collect();
                standings.is_some_and(|standings| standings.iter().any(|standing| standing.is_best))
            })
        });
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

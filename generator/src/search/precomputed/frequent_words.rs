//! The most frequent words of the index.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::search::words::{MAX_WORD_LENGTH, is_stop_word, translations};

/// Lengths in bytes of the words whose answers are precomputed.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=32;
// So no such word is the cut-off start of a longer one.
const _: () = assert!(*LENGTHS.end() < MAX_WORD_LENGTH);

type Ranked = (Reverse<usize>, Arc<str>);

/// The `max` words found in the most live skills. Ties go to the alphabetically first.
#[derive(Debug, Default)]
pub struct FrequentWords {
    max: usize,
    inside: BTreeSet<Ranked>,
    /// All other words.
    outside: BTreeSet<Ranked>,
    counts: HashMap<Arc<str>, usize>,
}

impl FrequentWords {
    pub fn new(max: usize) -> Self {
        Self { max, ..Self::default() }
    }

    /// Largest number of words.
    pub fn max(&self) -> usize {
        self.max
    }

    /// Whether a word is among the most frequent.
    pub fn has(&self, word: &str) -> bool {
        self.get(word).is_some()
    }

    /// A word, if it is among the most frequent.
    pub fn get(&self, word: &str) -> Option<&Arc<str>> {
        let (word, count) = self.counts.get_key_value(word)?;
        self.inside.get(&(Reverse(*count), Arc::clone(word))).map(|(_, word)| word)
    }

    /// All of the most frequent words.
    pub fn all(&self) -> impl Iterator<Item = &Arc<str>> {
        self.inside.iter().map(|(_, word)| word)
    }

    /// Sets how many skills have a word. Calls `changed` with each word that came to be among
    /// the most frequent, or no longer is.
    pub fn set(&mut self, word: &str, count: usize, changed: &mut dyn FnMut(Arc<str>)) {
        let is_plain = word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'));
        if self.max == 0 || !is_plain || !LENGTHS.contains(&word.len()) || is_stop_word(word) {
            return;
        }
        // The answer to a word with a translation depends on the lists of another word.
        if !translations([word].into_iter()).1.is_empty() {
            return;
        }
        let known = self.counts.get_key_value(word).map(|(word, count)| (Reverse(*count), Arc::clone(word)));
        if known.as_ref().map_or(0, |(before, _)| before.0) == count {
            return;
        }
        let was_inside = known.as_ref().is_some_and(|known| self.inside.remove(known));
        if let Some(known) = &known {
            self.outside.remove(known);
            self.counts.remove(word);
        }
        let word = known.map_or_else(|| Arc::from(word), |(_, word)| word);
        if count > 0 {
            self.counts.insert(Arc::clone(&word), count);
            self.outside.insert((Reverse(count), Arc::clone(&word)));
        }
        // The first word outside and the last one inside change places.
        let mut others = Vec::new();
        while let Some(first) = self.outside.first().cloned() {
            if self.inside.len() >= self.max && self.inside.last().is_none_or(|last| *last < first) {
                break;
            }
            self.outside.remove(&first);
            others.push(Arc::clone(&first.1));
            self.inside.insert(first);
            if self.inside.len() > self.max
                && let Some(last) = self.inside.pop_last()
            {
                others.push(Arc::clone(&last.1));
                self.outside.insert(last);
            }
        }
        // The word itself changed only if it is on the other side now.
        others.retain(|other| *other != word);
        if was_inside != self.has(&word) {
            others.push(word);
        }
        others.into_iter().for_each(changed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_with_more_skills_replaces_the_last_one() {
        let mut words = FrequentWords::new(2);
        let mut changed = BTreeSet::new();
        let mut set = |word: &str, count, expected: &str, inside: &str| {
            changed.clear();
            words.set(word, count, &mut |word| {
                changed.insert(word);
            });
            let text = |words: Vec<&str>| words.join(" ");
            assert_eq!(text(words.all().map(|word| &**word).collect()), inside, "{word} {count}");
            let changed: Vec<_> = changed.iter().map(|word| &**word).collect();
            assert_eq!(text(changed), expected, "{word} {count}");
        };
        set("pdf", 3, "pdf", "pdf");
        set("git", 3, "git", "git pdf");
        set("web", 2, "", "git pdf");
        set("web", 3, "", "git pdf");
        set("pdf", 5, "", "pdf git");
        set("pdf", 3, "", "git pdf");
        set("api", 3, "api pdf", "api git");
        set("pdf", 4, "git pdf", "pdf api");
        set("pdf", 0, "git pdf", "api git");
        set("the", 9, "", "api git");
        set("größe", 9, "", "api git");
        set("x", 9, "", "api git");
    }
}

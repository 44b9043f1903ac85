//! The most frequent words.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::search::words::{LONGEST, is_stop_word};

/// How many bytes a word has that a file is made for.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=32;
// Of none is it left open whether it is all of a long part of a slug.
const _: () = assert!(*LENGTHS.end() < LONGEST);

type Ranked = (Reverse<usize>, Arc<str>);

/// The words that most skills have, of equal ones the first: as many as wished
/// for.
#[derive(Debug, Default)]
pub struct Frequent {
    most: usize,
    inside: BTreeSet<Ranked>,
    /// The others.
    outside: BTreeSet<Ranked>,
    counts: HashMap<Arc<str>, usize>,
}

impl Frequent {
    pub fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// Whether any are wished for.
    pub fn is_on(&self) -> bool {
        self.most > 0
    }

    /// Whether a word is one of them.
    pub fn has(&self, word: &str) -> bool {
        self.get(word).is_some()
    }

    /// A word, where it is one of them.
    pub fn get(&self, word: &str) -> Option<&Arc<str>> {
        let (word, count) = self.counts.get_key_value(word)?;
        self.inside.get(&(Reverse(*count), Arc::clone(word))).map(|(_, word)| word)
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Arc<str>> {
        self.inside.iter().map(|(_, word)| word)
    }

    /// Takes in how many skills have a word now. Calls `moved` with each word that
    /// has become one of them, or is none any more.
    pub fn set(&mut self, word: &str, count: usize, moved: &mut dyn FnMut(Arc<str>)) {
        let is_plain = word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'));
        if !is_plain || !LENGTHS.contains(&word.len()) || is_stop_word(word) {
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
        // The first of those outside and the last of those inside change places.
        let mut others = Vec::new();
        while let Some(first) = self.outside.first().cloned() {
            if self.inside.len() >= self.most && self.inside.last().is_none_or(|last| *last < first) {
                break;
            }
            self.outside.remove(&first);
            others.push(Arc::clone(&first.1));
            self.inside.insert(first);
            if self.inside.len() > self.most
                && let Some(last) = self.inside.pop_last()
            {
                others.push(Arc::clone(&last.1));
                self.outside.insert(last);
            }
        }
        // It comes or goes only if it is not where it was.
        others.retain(|other| *other != word);
        if was_inside != self.has(&word) {
            others.push(word);
        }
        others.into_iter().for_each(moved);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_stay_inside() {
        let mut words = Frequent::new(2);
        let mut moved = BTreeSet::new();
        let mut set = |word: &str, count, expected: &str, inside: &str| {
            moved.clear();
            words.set(word, count, &mut |word| {
                moved.insert(word);
            });
            let text = |words: Vec<&str>| words.join(" ");
            assert_eq!(text(words.all().map(|word| &**word).collect()), inside, "{word} {count}");
            let moved: Vec<_> = moved.iter().map(|word| &**word).collect();
            assert_eq!(text(moved), expected, "{word} {count}");
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

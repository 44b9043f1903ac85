//! The vectors of English words, and what they say of a skill.
//!
//! The table is made by `generator/assets/word_vectors.py`, which says where
//! words and vectors are from.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::search::format::meaning::{DIMENSIONS, MAX_NEIGHBOURHOOD_BITS, Meaning, WordVector};
use crate::search::words::root;

/// Each line is a word, and its stem if that is another one: to make 17,147 stems takes longer than to read them.
const WORDS: &str = include_str!("../../../assets/word_vectors.txt");
const VECTORS: &[u8] = include_bytes!("../../../assets/word_vectors.bin");

/// Keyed by stem. No two words of the table have the same.
static TABLE: LazyLock<HashMap<&str, WordVector>> = LazyLock::new(|| {
    let stems = WORDS.lines().map(|line| line.split_once(' ').map_or(line, |(_, stem)| stem));
    let vectors = VECTORS.chunks(DIMENSIONS / 2).filter_map(|bytes| WordVector::decode(bytes).ok());
    let mut table = HashMap::with_capacity(VECTORS.len() / (DIMENSIONS / 2));
    table.extend(stems.zip(vectors));
    table
});

/// The vector of the words with a root. None if the table has no such word.
pub fn vector(root: &str) -> Option<WordVector> {
    TABLE.get(root).copied()
}

/// The meaning of words, each with its weight.
pub fn meaning<'w>(words: impl Iterator<Item = (&'w str, i64)>) -> Meaning {
    let mut sum = [0; DIMENSIONS];
    for (word, weight) in words {
        if let Some(vector) = vector(&root(word)) {
            vector.add_to(&mut sum, weight);
        }
    }
    Meaning::of(&sum)
}

/// The neighbourhoods that skills with a meaning are in, the largest one first. None without a meaning.
pub fn neighbourhoods(meaning: Meaning) -> Vec<String> {
    let bits: String =
        meaning.bits().take(MAX_NEIGHBOURHOOD_BITS).map(|bit| if bit { '1' } else { '0' }).collect();
    let lengths = (0..=MAX_NEIGHBOURHOOD_BITS).step_by(2).filter(|_| !meaning.is_none());
    lengths.map(|length| bits[..length].to_owned()).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::search::words::stem;

    #[test]
    fn table_has_a_vector_for_each_word() {
        let words = || WORDS.lines().map(|line| line.split(' ').next().unwrap());
        let line = |word: &str| match stem(word) {
            stem if stem == word => stem,
            stem => format!("{word} {stem}"),
        };
        let wrong = WORDS.lines().zip(words().map(line)).filter(|(is, wanted)| is != wanted);
        assert_eq!(wrong.collect::<Vec<_>>(), [], "a line is a word, and its stem if that is another one");
        assert_eq!(TABLE.len(), words().count(), "two words have the same stem");
        assert_eq!(VECTORS.len(), TABLE.len() * DIMENSIONS / 2);
        let lost = words().find(|word| vector(&root(word)).is_none());
        assert_eq!(lost, None, "the root of a word has no vector: add the word with this stem");
        assert!(vector("invoic").is_some() && vector("zzzz").is_none());
    }

    #[test]
    fn related_words_are_near() {
        let of = |word: &str| meaning([(word, 1)].into_iter());
        let same = |a: &str, b: &str| of(a).bits().zip(of(b).bits()).filter(|(a, b)| a == b).count();
        for [word, near, far] in [
            ["photo", "picture", "lawyer"],
            ["mail", "inbox", "gallery"],
            ["bitcoin", "cryptocurrency", "kitchen"],
        ] {
            assert!(same(word, near) > same(word, far), "{word} {near} {far}");
        }
        assert!(of("zzzz").is_none() && neighbourhoods(of("zzzz")).is_empty());
        assert_eq!(neighbourhoods(Meaning([5, 0, 0, 0, 0, 0, 0, 0]))[..3], ["", "10", "1010"]);
    }
}

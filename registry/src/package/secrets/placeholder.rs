//! Examples that look like secrets.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// Words that real credentials contain only by rare chance.
const WORDS: &[&str] = &[
    "example",
    "sample",
    "dummy",
    "fake",
    "your",
    "placeholder",
    "redacted",
    "change",
    "replace",
    "insert",
    "here",
    "xxxx",
    "****",
    "...",
];

/// Patterns and words that people type for examples, and that a test's key may have.
const PATTERNS: &[&str] = &[
    "test", "secret", "token", "passw", "0000", "abcdef", "fedcba", "123456", "654321", "a1b2c3", "1a2b3c",
    "qwerty", "deadbeef",
];

/// Whether a text has too few different characters, or is mostly one character.
pub(super) fn is_monotonous(text: &[u8]) -> bool {
    let mut counts = [0_usize; 256];
    text.iter().for_each(|b| counts[usize::from(b.to_ascii_lowercase())] += 1);
    let different = counts.iter().filter(|count| **count > 0).count();
    different < 5 || counts.iter().any(|count| count * 2 > text.len())
}

/// Whether a text says that it is an example.
pub(super) fn has_word(text: &[u8]) -> bool {
    static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| any_of(WORDS));
    ANY.as_ref().is_some_and(|any| any.is_match(text))
}

/// Whether a text has a pattern of examples.
pub(super) fn has_pattern(text: &[u8]) -> bool {
    static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| any_of(PATTERNS));
    ANY.as_ref().is_some_and(|any| any.is_match(text))
}

/// Any of these words, in any letter case. The expression is constant, and a test checks that
/// it compiles.
fn any_of(words: &[&str]) -> Option<Regex> {
    let words: Vec<String> = words.iter().map(|word| regex::escape(word)).collect();
    Regex::new(&format!("(?i-u){}", words.join("|"))).ok()
}

/// Whether a text contains one of these words, in any letter case.
pub(super) fn has_any(text: &[u8], words: &[&str]) -> bool {
    let has =
        |word: &&str| text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()));
    words.iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example_is_known_and_random_text_is_not() {
        for (text, monotonous, word, pattern) in [
            ("xxxxxxxxxxxxxxxx", true, true, false),
            ("ABABABABCDCDCDCD", true, false, false),
            ("K7QZ000000PLMN42", false, false, true),
            ("AbCdEfAbCdEf", false, false, true),
            ("YOUR1ACCESS2KEY3", false, true, false),
            ("0123456789ABCDEF", false, false, true),
            ("K7QZ3MPL2WNX5VJR", false, false, false),
        ] {
            let found =
                (is_monotonous(text.as_bytes()), has_word(text.as_bytes()), has_pattern(text.as_bytes()));
            assert_eq!(found, (monotonous, word, pattern), "{text}");
        }
    }
}

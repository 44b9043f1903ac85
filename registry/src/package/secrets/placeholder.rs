//! Examples that look like secrets.

/// Words that real credentials contain only by rare chance.
const WORDS: &[&str] = &[
    "example",
    "sample",
    "dummy",
    "fake",
    "test",
    "your",
    "placeholder",
    "redacted",
    "changeme",
    "replace",
    "insert",
    "secret",
    "token",
    "xxxx",
    "0000",
    "****",
    // Patterns that people type for examples.
    "abcdef",
    "fedcba",
    "123456",
    "654321",
    "a1b2c3",
    "1a2b3c",
    "qwerty",
    "deadbeef",
];

/// Whether the random part of a token is an example: it has a word or a pattern, or too few
/// different characters.
pub(super) fn is_made_up(random: &[u8]) -> bool {
    let lower = random.to_ascii_lowercase();
    let mut seen = [false; 256];
    lower.iter().for_each(|&b| seen[usize::from(b)] = true);
    let different = seen.iter().filter(|seen| **seen).count();
    let repeats = lower.windows(6).any(|window| window.iter().all(|b| *b == window[0]));
    different < 8 || repeats || has_any(&lower, WORDS)
}

/// Whether a text in lower case contains one of these words.
pub(super) fn has_any(lower: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| lower.windows(word.len()).any(|window| window == word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example_is_made_up_and_random_text_is_not() {
        for made_up in [
            "IOSFODNN7EXAMPLE",
            "xxxxxxxxxxxxxxxx",
            "YOUR1ACCESS2KEY3",
            "0123456789ABCDEF",
            "ABABABABCDCDCDCD",
            "K7QZ000000PLMN42",
        ] {
            assert!(is_made_up(made_up.as_bytes()), "{made_up}");
        }
        assert!(!is_made_up(b"K7QZ3MPL2WNX5VJR"));
    }
}

//! The keys of the index: a word or the prefix of words, in all namespaces or in one.
//!
//! The bytes 0 to 2 are in no word, so they separate a word from the rest of its key.

/// Ends the key of a prefix.
pub const PREFIX: u8 = 0;
/// Separates a word from the namespace after it.
pub const SCOPED: u8 = 1;
/// Separates a prefix from the namespace after it.
pub const SCOPED_PREFIX: u8 = 2;

/// The word or prefix in a key.
pub fn base(key: &[u8]) -> &[u8] {
    let end = key.iter().position(|byte| *byte <= SCOPED_PREFIX).unwrap_or(key.len());
    &key[..end]
}

/// The key of a word or prefix, in one namespace if given.
pub fn key_of(word: &str, is_prefix: bool, namespace: Option<&str>) -> Vec<u8> {
    let key = if is_prefix { prefix_of(word.as_bytes()) } else { word.into() };
    match namespace {
        Some(namespace) => in_namespace(&key, namespace),
        None => key,
    }
}

/// The key of the prefix `word`.
pub fn prefix_of(word: &[u8]) -> Vec<u8> {
    [word, &[PREFIX]].concat()
}

/// The key of a word or prefix, narrowed to one namespace.
pub fn in_namespace(key: &[u8], namespace: &str) -> Vec<u8> {
    let separator = if is_prefix(key) { SCOPED_PREFIX } else { SCOPED };
    [base(key), &[separator], namespace.as_bytes()].concat()
}

/// Whether a key without namespace is that of a prefix.
pub fn is_prefix(key: &[u8]) -> bool {
    key.ends_with(&[PREFIX])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_of_every_kind_of_key_is_the_word() {
        for (key, expected) in [
            (key_of("pdf", false, None), &b"pdf"[..]),
            (key_of("pdf", true, None), b"pdf\0"),
            (key_of("pdf", false, Some("acme")), b"pdf\x01acme"),
            (key_of("pdf", true, Some("acme")), b"pdf\x02acme"),
        ] {
            assert_eq!(key, expected);
            assert_eq!(base(&key), b"pdf");
        }
    }
}

//! The keys of the index: a word, the prefix of words, a word of texts, the vector of a root, a namespace, or a
//! neighbourhood.
//!
//! The keys of words with the same root are neighbours, because each key begins with the root.
//! The bytes 00 to 03 are in no word, so they separate the root from the rest.

use crate::search::words::root;

/// Separates the root from a word.
const WORD: u8 = 0;
/// Separates the root from a prefix.
const PREFIX: u8 = 1;
/// Separates the root from a word that only texts have.
const BODY: u8 = 2;
/// Ends the key of a root's vector.
const VECTOR: u8 = 3;
/// Starts the key of a namespace. It is in no word.
const NAMESPACE: u8 = b'@';
/// Starts the key of a neighbourhood. It is in no word.
const NEIGHBOURHOOD: u8 = b'#';

/// What a key stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key<'k> {
    /// The skills with this word.
    Word(&'k str),
    /// The skills whose name or keywords have words that are longer than this and begin so.
    Prefix(&'k str),
    /// The skills that have this word in their text alone.
    Body(&'k str),
    /// The vector of this root, which is no list.
    Vector(&'k str),
    /// The skills of this namespace.
    Namespace(&'k str),
    /// The skills whose meaning begins with these bits, each a 0 or 1.
    Neighbourhood(&'k str),
}

impl<'k> Key<'k> {
    /// The bytes of the key.
    pub fn encode(self) -> Vec<u8> {
        match self {
            Self::Word(word) => [root(word).as_bytes(), &[WORD], word.as_bytes()].concat(),
            Self::Prefix(prefix) => [root(prefix).as_bytes(), &[PREFIX], prefix.as_bytes()].concat(),
            Self::Body(word) => [root(word).as_bytes(), &[BODY], word.as_bytes()].concat(),
            Self::Vector(root) => [root.as_bytes(), &[VECTOR]].concat(),
            Self::Namespace(namespace) => [&[NAMESPACE], namespace.as_bytes()].concat(),
            Self::Neighbourhood(bits) => [&[NEIGHBOURHOOD], bits.as_bytes()].concat(),
        }
    }

    /// The key with these bytes. None if there is no such key.
    pub fn decode(bytes: &'k [u8]) -> Option<Self> {
        let text = |bytes: &'k [u8]| std::str::from_utf8(bytes).ok();
        match bytes.split_first() {
            Some((&NAMESPACE, namespace)) => return text(namespace).map(Self::Namespace),
            Some((&NEIGHBOURHOOD, bits)) => return text(bits).map(Self::Neighbourhood),
            _ => {}
        }
        let at = bytes.iter().position(|byte| *byte <= VECTOR)?;
        let rest = text(&bytes[at + 1..])?;
        Some(match bytes[at] {
            WORD => Self::Word(rest),
            PREFIX => Self::Prefix(rest),
            BODY => Self::Body(rest),
            _ => Self::Vector(text(&bytes[..at])?),
        })
    }
}

/// The part of a key that all keys of its group have in common: the root, the namespace or the
/// neighbourhood.
pub fn group_of(key: &[u8]) -> &[u8] {
    let end = key.iter().position(|byte| *byte <= VECTOR).unwrap_or(key.len());
    &key[..end]
}

/// Whether a key is that of a namespace or neighbourhood.
pub fn is_set(key: &[u8]) -> bool {
    matches!(key.first(), Some(&(NAMESPACE | NEIGHBOURHOOD)))
}

/// Whether a key is that of a word of texts.
pub fn is_body(key: &[u8]) -> bool {
    key.get(group_of(key).len()) == Some(&BODY)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::codec::{Decoder, put_front_coded};
    use super::*;
    use crate::search::words::words;

    #[test]
    fn key_begins_with_its_group() {
        for (key, bytes) in [
            (Key::Word("invoices"), &b"invoic\0invoices"[..]),
            (Key::Prefix("invoi"), b"invoi\x01invoi"),
            (Key::Body("invoices"), b"invoic\x02invoices"),
            (Key::Word("机器"), "机器\0机器".as_bytes()),
            (Key::Vector("invoic"), b"invoic\x03"),
            (Key::Namespace("acme"), b"@acme"),
            (Key::Neighbourhood("01"), b"#01"),
        ] {
            assert_eq!(key.encode(), bytes);
            assert_eq!(Key::decode(bytes), Some(key));
            assert_eq!(is_body(bytes), matches!(key, Key::Body(_)));
        }
        assert_eq!(group_of(b"invoic\0invoices"), b"invoic");
        assert_eq!(group_of(b"@acme"), b"@acme");
        assert_eq!(Key::decode(b"invoic"), None);
        assert_eq!(Key::decode(b""), None);
    }
    #[test]
    fn longest_key_is_read_back() {
        let word = words(&"𞤀".repeat(99)).remove(0);
        let (key, mut bytes) = (Key::Word(&word).encode(), Vec::new());
        put_front_coded(&mut bytes, b"", &key);
        let mut read = Vec::new();
        Decoder(&bytes).front_coded(&mut read).unwrap();
        assert_eq!((read.len(), read), (321, key));
    }
}

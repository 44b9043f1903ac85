//! Words spread over shards so that a word with one mistake finds the right one
//! in its own shard, unless its first or last letter is wrong.

use std::collections::BTreeMap;

use super::manifest::SHARDS;
use super::number::{Damaged, Rest, log, put_front_coded};

/// How many code points a word has at least that others are corrected to.
pub const SHORTEST: usize = 4;

/// The shard of a word.
pub fn shard_of(word: &str) -> usize {
    let first = word.chars().next().map_or(0, u32::from) as usize;
    let last = word.chars().next_back().map_or(0, u32::from) as usize;
    (first + 7 * last) % SHARDS
}

/// How common a word is that so many skills have.
pub fn class_of(df: u64) -> u8 {
    (log(df) / 4) as u8
}

/// The words of one shard with their classes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shard(pub BTreeMap<Box<str>, u8>);

impl Shard {
    /// Its bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut before: &[u8] = &[];
        for (word, class) in &self.0 {
            put_front_coded(&mut bytes, before, word.as_bytes());
            bytes.push(*class);
            before = word.as_bytes();
        }
        bytes
    }

    /// Calls `visit` with each word of a shard, in order, and its class.
    pub fn each(bytes: &[u8], visit: &mut dyn FnMut(&str, u8)) -> Result<(), Damaged> {
        let mut rest = Rest(bytes);
        let mut word = Vec::new();
        while !rest.is_empty() {
            rest.front_coded(&mut word)?;
            let class = rest.byte()?;
            visit(std::str::from_utf8(&word).map_err(|_| Damaged("a word is no text"))?, class);
        }
        Ok(())
    }
}

/// Whether two words differ by one mistake: a code point too many or missing,
/// another one in its place, or two neighbours exchanged.
pub fn is_one_mistake(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let before = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[before..], &b[before..]);
    match (a, b) {
        ([], []) => false,
        ([_, a @ ..], b) if a == b => true,
        (a, [_, b @ ..]) if a == b => true,
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([a1, a2, a @ ..], [b1, b2, b @ ..]) => (a1, a2) == (b2, b1) && a == b,
        _ => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn mistakes() {
        for (a, b, expected) in [
            ("docker", "docker", false),
            ("docker", "dockr", true),
            ("docker", "doccker", true),
            ("docker", "dacker", true),
            ("docker", "dokcer", true),
            ("docker", "dokecr", false),
            ("docker", "docke", true),
            ("docker", "ocker", true),
            ("docker", "dockers", true),
            ("docker", "rocket", false),
            ("größe", "grösse", false),
            ("größe", "grofe", false),
            ("größe", "große", true),
        ] {
            assert_eq!(is_one_mistake(a, b), expected, "{a} {b}");
            assert_eq!(is_one_mistake(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn a_shard_comes_back() {
        let words = [("docker", 3), ("dockers", 0), ("größe", 1)];
        let shard = Shard(words.map(|(word, class)| (word.into(), class)).into());
        let mut found = Vec::new();
        Shard::each(&shard.encode(), &mut |word, class| found.push((word.to_owned(), class))).unwrap();
        assert_eq!(found, words.map(|(word, class)| (word.to_owned(), class)));
        assert_eq!(shard_of("docker"), shard_of("dokcer"));
    }
}

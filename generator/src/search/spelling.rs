//! Words spread over shards so that a word with one mistake finds the right one
//! in its own shard, unless its first or last letter is wrong.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::PieceName;
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

/// All shards, and their files.
#[derive(Debug)]
pub(super) struct Spelling {
    shards: Vec<Shard>,
    names: [Option<PieceName>; SHARDS],
    /// The shards whose files are not what they should be.
    changed: BTreeSet<usize>,
    pub files: HashMap<PieceName, Arc<[u8]>>,
}

impl Default for Spelling {
    fn default() -> Self {
        let shards = vec![Shard::default(); SHARDS];
        Self { shards, names: [None; SHARDS], changed: BTreeSet::new(), files: HashMap::new() }
    }
}

impl Spelling {
    /// Takes in how many skills have a word.
    pub fn note(&mut self, word: &[u8], df: usize) {
        let Some(word) = std::str::from_utf8(word).ok().filter(|word| word.chars().count() >= SHORTEST)
        else {
            return;
        };
        let at = shard_of(word);
        let words = &mut self.shards[at].0;
        let class = (df > 0).then(|| class_of(df as u64));
        let before = match class {
            Some(class) => words.insert(word.into(), class),
            None => words.remove(word),
        };
        if before != class {
            self.changed.insert(at);
        }
    }

    /// Makes the files anew that are due, and returns the names of all.
    pub fn publish(&mut self) -> [Option<PieceName>; SHARDS] {
        for at in std::mem::take(&mut self.changed) {
            if let Some(old) = self.names[at].take() {
                self.files.remove(&old);
            }
            let bytes = self.shards[at].encode();
            if !bytes.is_empty() {
                let name = PieceName::of(&bytes);
                self.files.insert(name, bytes.into());
                self.names[at] = Some(name);
            }
        }
        self.names
    }
}

/// Whether two words differ by one mistake: a code point too many or missing,
/// another one in its place, or two neighbours exchanged.
pub fn is_one_mistake(a: &str, b: &str) -> bool {
    // Most pairs are not decoded: one code point has at most four bytes.
    if a.is_ascii() && b.is_ascii() {
        return differ_by_one(a.as_bytes(), b.as_bytes());
    }
    if a.len().abs_diff(b.len()) > 4 {
        return false;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    differ_by_one(&a, &b)
}

fn differ_by_one<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    if a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
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

//! The spelling shards of an index, encoded again only when their words change.

use std::collections::{BTreeSet, HashMap};

use crate::search::format::manifest::SHARDS;
use crate::search::format::piece_file::IndexFile;
use crate::search::format::piece_name::PieceName;
use crate::search::format::spelling::{MIN_LENGTH, Shard, encode_shard, frequency_class, shard_of};

/// All shards, and their files.
#[derive(Debug)]
pub struct Spelling {
    shards: Vec<Shard>,
    names: [Option<PieceName>; SHARDS],
    /// Shards with other words than their files.
    changed: BTreeSet<usize>,
    pub files: HashMap<PieceName, IndexFile>,
}

impl Default for Spelling {
    fn default() -> Self {
        let shards = vec![Shard::default(); SHARDS];
        Self { shards, names: [None; SHARDS], changed: BTreeSet::new(), files: HashMap::new() }
    }
}

impl Spelling {
    /// Sets how many skills have a word. Words under [`MIN_LENGTH`] are left out.
    pub fn set(&mut self, word: &str, df: usize) {
        if word.chars().count() < MIN_LENGTH {
            return;
        }
        let at = shard_of(word);
        let words = &mut self.shards[at];
        let class = (df > 0).then(|| frequency_class(df as u64));
        let before = match class {
            Some(class) => words.insert(word.into(), class),
            None => words.remove(word),
        };
        if before != class {
            self.changed.insert(at);
        }
    }

    /// Encodes the changed shards. Returns the names of all shards.
    pub fn encode_changed(&mut self) -> [Option<PieceName>; SHARDS] {
        for at in std::mem::take(&mut self.changed) {
            if let Some(old) = self.names[at].take() {
                self.files.remove(&old);
            }
            let bytes = encode_shard(&self.shards[at]);
            if !bytes.is_empty() {
                let file = IndexFile::of(bytes);
                self.names[at] = Some(file.name);
                self.files.insert(file.name, file);
            }
        }
        self.names
    }
}

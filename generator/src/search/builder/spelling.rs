//! The spelling shards of an index, encoded again only when their words change.

use std::collections::{BTreeMap, HashMap};

use crate::search::format::manifest::SHARDS;
use crate::search::format::piece_file::IndexFile;
use crate::search::format::piece_name::PieceName;
use crate::search::format::spelling::{
    MIN_LENGTH, Shard, each_word_in_shard, encode_shard, frequency_class, shard_of,
};

/// The words of a shard that may have another class than in its file. None for a word that is gone.
type Changes = BTreeMap<Box<str>, Option<u8>>;

/// All shards, as files.
#[derive(Debug)]
pub struct Spelling {
    names: [Option<PieceName>; SHARDS],
    pub files: HashMap<PieceName, IndexFile>,
    /// By the number of the shard.
    changes: BTreeMap<usize, Changes>,
}

impl Default for Spelling {
    fn default() -> Self {
        Self { names: [None; SHARDS], files: HashMap::new(), changes: BTreeMap::new() }
    }
}

impl Spelling {
    /// Sets the `df` of the group of a word; 0 for a word that is gone. Words under [`MIN_LENGTH`] are
    /// left out.
    pub fn set(&mut self, word: &str, df: u64) {
        if word.chars().count() >= MIN_LENGTH {
            let class = (df > 0).then(|| frequency_class(df));
            self.changes.entry(shard_of(word)).or_default().insert(word.into(), class);
        }
    }

    /// Encodes the changed shards. Returns the names of all shards.
    pub fn encode_changed(&mut self) -> [Option<PieceName>; SHARDS] {
        for (at, changes) in std::mem::take(&mut self.changes) {
            let old = self.names[at].and_then(|name| self.files.get(&name));
            let mut shard = Shard::new();
            // A file that was encoded here is not damaged.
            let _ = each_word_in_shard(old.map_or(&[], |old| &old.content), &mut |word, class| {
                shard.insert(word.into(), class);
            });
            for (word, class) in changes {
                match class {
                    Some(class) => shard.insert(word, class),
                    None => shard.remove(&word),
                };
            }
            let bytes = encode_shard(&shard);
            if old.is_some_and(|old| *old.content == *bytes) {
                continue;
            }
            if let Some(old) = self.names[at].take() {
                self.files.remove(&old);
            }
            if !bytes.is_empty() {
                let file = IndexFile::of(bytes);
                self.names[at] = Some(file.name);
                self.files.insert(file.name, file);
            }
        }
        self.names
    }
}

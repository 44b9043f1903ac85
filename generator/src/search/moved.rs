//! Skills that a change of another one moves.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::piece::{PREFIX, base};

/// What came over the edges of a word's lists, its own and that of its prefix.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Came {
    /// Whether it came over the edge of the best of the word, and of its prefix.
    pub best: [bool; 2],
    /// Whether it has lost a posting, or got one.
    pub posting: bool,
}

/// Skills that are among the best of a word no more, or are now, or have lost their posting
/// or got one: by id, each with the words.
#[derive(Debug, Default)]
pub(super) struct Moved(pub BTreeMap<u64, BTreeMap<Arc<[u8]>, Came>>);

impl Moved {
    /// Takes in what came over the edge of a key's best, and over that of its postings.
    pub fn take(&mut self, key: &[u8], [best, last]: [Option<u64>; 2]) {
        if let Some(id) = best {
            // What comes over an edge and back has not moved.
            self.came(id, key).best[usize::from(key.ends_with(&[PREFIX]))] ^= true;
        }
        if let Some(id) = last {
            self.came(id, key).posting = true;
        }
    }

    fn came(&mut self, id: u64, key: &[u8]) -> &mut Came {
        self.0.entry(id).or_default().entry(base(key).into()).or_default()
    }
}

//! The right edge of a log: enough to append leaves and to compute the root.

use tlog_tiles::{EMPTY_HASH, Hash, node_hash};

use super::Leaf;

/// A log without its earlier hashes. Use it to compute the root after rows that may still be
/// refused.
#[derive(Debug, Clone, Default)]
pub struct LogEdge {
    size: u64,
    /// The roots of the largest complete subtrees, from left to right: one for each bit of `size`.
    roots: Vec<Hash>,
}

impl LogEdge {
    pub(super) fn new(size: u64, roots: Vec<Hash>) -> Self {
        Self { size, roots }
    }

    /// Adds the leaf of the next public row.
    pub fn push(&mut self, leaf: &Leaf) {
        let mut hash = leaf.hash();
        // Each complete subtree on the left that is as large as this one forms a larger one with it.
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.roots.pop() {
                hash = node_hash(left, hash);
            }
        }
        self.roots.push(hash);
        self.size += 1;
    }

    /// The number of leaves.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The root of the tree of all leaves.
    pub fn root(&self) -> Hash {
        let roots = self.roots.iter().rev().copied();
        roots.reduce(|right, left| node_hash(left, right)).unwrap_or(EMPTY_HASH)
    }
}

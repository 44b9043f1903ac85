//! Where a log has a leaf.

use tlog_tiles::{Hash, RecordProof, check_record};

use super::Leaf;

/// A proof has at most one hash for each level of the tree.
pub(super) const MAX_HASHES: usize = 63;

/// The proof that a tree has a leaf, without the tree's checkpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct InclusionProof {
    /// The number of the leaf, from 0.
    pub index: u64,
    /// The hashes beside the path from the leaf to the root.
    pub hashes: RecordProof,
}

impl InclusionProof {
    /// Whether the tree with this size and root has `leaf`.
    pub fn holds(&self, size: u64, root: Hash, leaf: &Leaf) -> bool {
        let is_plausible = self.hashes.len() <= MAX_HASHES && self.index < size;
        is_plausible && check_record(&self.hashes, size, root, self.index, leaf.hash()).is_ok()
    }
}

//! The hashes of the log, in memory.

use tlog_tiles::{Error, Hash, HashReader, TreeProof, prove_record, prove_tree, stored_hash_index};
use tlog_tiles::{stored_hashes_for_record_hash, tree_hash};

use super::{InclusionProof, Leaf, LogEdge, MAX_SIZE, TILE_WIDTH};
use crate::public::Revision;

/// The Merkle tree over the leaves of all public rows so far. It takes about 72 bytes for each.
#[derive(Debug, Clone, Default)]
pub struct LogIndex {
    /// The revision of each leaf.
    revisions: Vec<Revision>,
    /// The hashes of all complete subtrees, in the order of `stored_hash_index`.
    hashes: StoredHashes,
}

impl LogIndex {
    /// Adds the leaf of the next public row.
    pub fn push(&mut self, leaf: &Leaf) {
        let size = self.size();
        // The hashes of the complete subtrees before it are there, so this cannot fail.
        let added = stored_hashes_for_record_hash(size, leaf.hash(), &self.hashes);
        self.hashes.0.extend(added.into_iter().flatten());
        self.revisions.push(leaf.revision);
    }

    /// The number of leaves.
    pub fn size(&self) -> u64 {
        self.revisions.len() as u64
    }

    /// The root of the tree of all leaves.
    pub fn root(&self) -> Hash {
        self.root_at(self.size()).unwrap_or(tlog_tiles::EMPTY_HASH)
    }

    /// The root of the tree of the first `size` leaves. None if there are fewer.
    pub fn root_at(&self, size: u64) -> Option<Hash> {
        (size <= self.size()).then(|| tree_hash(size, &self.hashes).ok()).flatten()
    }

    /// The edge of the tree of all leaves.
    pub fn edge(&self) -> LogEdge {
        let size = self.size();
        let levels = (0..64u8).rev().filter(|level| size >> level & 1 == 1);
        let indexes: Vec<_> = levels.map(|level| stored_hash_index(level, (size >> level) - 1)).collect();
        // All complete subtrees are there, so this cannot fail.
        LogEdge::new(size, self.hashes.read_hashes(&indexes).unwrap_or_default())
    }

    /// The number of a row's leaf, from 0. None if the row is not public or does not exist.
    pub fn index_of(&self, revision: Revision) -> Option<u64> {
        self.revisions.binary_search(&revision).ok().map(|index| index as u64)
    }

    /// The revision of a leaf.
    pub fn revision_at(&self, index: u64) -> Option<Revision> {
        self.revisions.get(usize::try_from(index).ok()?).copied()
    }

    /// The first `width` hashes of a tile, 32 bytes each. None if the tree does not have them yet.
    pub fn tile(&self, level: u8, number: u64, width: u64) -> Option<Vec<u8>> {
        let bits = u32::from(level).checked_mul(8).filter(|bits| *bits < 64)?;
        let first = number.checked_mul(TILE_WIDTH).filter(|first| *first < MAX_SIZE)?;
        if width > TILE_WIDTH || first + width > self.size() >> bits {
            return None;
        }
        let indexes: Vec<_> = (first..first + width).map(|n| stored_hash_index(level * 8, n)).collect();
        let hashes = self.hashes.read_hashes(&indexes).ok()?;
        Some(hashes.iter().flat_map(|hash| hash.0).collect())
    }

    /// The proof that the tree of the first `size` leaves has the leaf `index`. None if it does not.
    pub fn prove(&self, index: u64, size: u64) -> Option<InclusionProof> {
        if index >= size || size > self.size() {
            return None;
        }
        let hashes = prove_record(size, index, &self.hashes).ok()?;
        Some(InclusionProof { index, hashes })
    }

    /// The proof that the tree of the first `new` leaves begins with that of the first `old`. It is empty if
    /// there is nothing to prove, and None if the log has fewer leaves.
    pub fn prove_consistency(&self, old: u64, new: u64) -> Option<TreeProof> {
        match old {
            _ if new > self.size() => None,
            0 => Some(Vec::new()),
            _ if old == new => Some(Vec::new()),
            _ => prove_tree(new, old, &self.hashes).ok(),
        }
    }
}

#[derive(Debug, Clone, Default)]
struct StoredHashes(Vec<Hash>);

impl HashReader for StoredHashes {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<Hash>, Error> {
        let read = |index: &u64| usize::try_from(*index).ok().and_then(|index| self.0.get(index)).copied();
        indexes.iter().map(|index| read(index).ok_or(Error::IndexesNotInTree)).collect()
    }
}

#[cfg(test)]
mod tests {
    use tlog_tiles::{check_record, check_tree};

    use super::*;
    use crate::names::Digest;

    fn leaf(number: u64) -> Leaf {
        Leaf { revision: 3 * number + 1, digest: Digest::of(&number.to_be_bytes()) }
    }

    fn log(size: u64) -> LogIndex {
        let mut log = LogIndex::default();
        (0..size).for_each(|number| log.push(&leaf(number)));
        log
    }

    #[test]
    fn proofs_of_all_leaves_and_sizes_hold() {
        let log = log(70);
        for size in 1..=70 {
            let root = log.root_at(size).unwrap();
            for index in 0..size {
                let proof = log.prove(index, size).unwrap();
                check_record(&proof.hashes, size, root, index, leaf(index).hash()).unwrap();
            }
            for old in 1..=size {
                let proof = log.prove_consistency(old, size).unwrap();
                check_tree(&proof, size, root, old, log.root_at(old).unwrap()).unwrap();
            }
            assert_eq!(log.prove(size, size).map(|proof| proof.index), None);
        }
        assert_eq!(log.root(), log.root_at(70).unwrap());
        assert_eq!(log.root_at(71), None);
        assert_eq!((log.index_of(4), log.index_of(5), log.revision_at(1)), (Some(1), None, Some(4)));
    }

    #[test]
    fn edge_has_the_roots_of_all_later_sizes() {
        let whole = log(70);
        for size in 0..70 {
            let mut edge = log(size).edge();
            for next in size..70 {
                assert_eq!((edge.size(), Some(edge.root())), (next, whole.root_at(next)), "from {size}");
                edge.push(&leaf(next));
            }
            assert_eq!(edge.root(), whole.root());
        }
    }

    #[test]
    fn tiles_have_the_hashes_of_their_level() {
        let log = log(600);
        let first = log.tile(0, 1, 256).unwrap();
        assert_eq!(first[..32], leaf(256).hash().0);
        assert_eq!(log.tile(0, 2, 88).unwrap().len(), 88 * 32);
        assert_eq!(log.tile(1, 0, 2).unwrap()[32..], tlog_tiles::Tile::subtree_hash(&first).0);
        for (level, number, width) in
            [(0, 2, 89), (1, 0, 3), (2, 0, 1), (7, 0, 1), (200, 0, 1), (0, u64::MAX, 1)]
        {
            assert_eq!(log.tile(level, number, width), None, "{level} {number} {width}");
        }
    }
}

//! Reads a published log from its tiles, without trusting them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use tlog_tiles::{
    EMPTY_HASH, Error, HASH_SIZE, Hash, HashReader, Tile, node_hash, prove_record, stored_hash_index,
};

use super::{Checkpoint, InclusionProof, LogTile, TILE_WIDTH};

/// The height of a tile, in levels of the tree.
const HEIGHT: u8 = 8;

/// Reads tiles, all at once.
pub type ReadTiles<'r, E> = dyn Fn(&[LogTile]) -> Result<Vec<Vec<u8>>, E> + 'r;

/// The log of a checkpoint. Everything that it returns is proved by the checkpoint's root.
pub struct TiledLog<'r, E> {
    checkpoint: Checkpoint,
    read: &'r ReadTiles<'r, E>,
    tiles: RefCell<BTreeMap<LogTile, Vec<u8>>>,
    failure: RefCell<Option<E>>,
}

/// Why nothing can be said about a log.
#[derive(Debug)]
pub enum TiledLogError<E> {
    /// Tiles cannot be read.
    Read(E),
    /// The tiles are not those of the checkpoint.
    FalseTiles,
}

impl<'r, E> TiledLog<'r, E> {
    /// The log of a checkpoint whose signature was checked.
    pub fn new(checkpoint: Checkpoint, read: &'r ReadTiles<'r, E>) -> Self {
        Self { checkpoint, read, tiles: RefCell::default(), failure: RefCell::default() }
    }

    /// The hash of a leaf, and the proof that the tree has it. The checkpoint must cover the leaf.
    pub fn leaf(&self, index: u64) -> Result<(Hash, InclusionProof), TiledLogError<E>> {
        let (leaf, inclusion) = self.read_leaf(index)?;
        let (root, _) = self.roots(leaf, &inclusion);
        if root != self.checkpoint.root {
            return Err(TiledLogError::FalseTiles);
        }
        Ok((leaf, inclusion))
    }

    /// The root of the tree of the first `size` leaves. The checkpoint must cover them.
    pub fn root_at(&self, size: u64) -> Result<Hash, TiledLogError<E>> {
        let Some(last) = size.checked_sub(1) else { return Ok(EMPTY_HASH) };
        let (leaf, inclusion) = self.read_leaf(last)?;
        match self.roots(leaf, &inclusion) {
            (root, earlier) if root == self.checkpoint.root => Ok(earlier),
            _ => Err(TiledLogError::FalseTiles),
        }
    }

    fn read_leaf(&self, index: u64) -> Result<(Hash, InclusionProof), TiledLogError<E>> {
        let read = || -> Result<_, Error> {
            let hashes = prove_record(self.checkpoint.size, index, self)?;
            let leaf = self.read_hashes(&[stored_hash_index(0, index)])?;
            Ok((leaf[0], InclusionProof { index, hashes }))
        };
        read().map_err(|_| self.failure.take().map_or(TiledLogError::FalseTiles, TiledLogError::Read))
    }

    /// The root that a proof leads to, and the root of the tree that ends with this leaf: its hashes
    /// are those on the left of the path (RFC 9162, section 2.1.3.2).
    fn roots(&self, leaf: Hash, InclusionProof { index, hashes }: &InclusionProof) -> (Hash, Hash) {
        let (mut root, mut earlier) = (leaf, leaf);
        let (mut at, mut last) = (*index, self.checkpoint.size - 1);
        for hash in hashes {
            // A right edge that is not complete has no sibling on these levels.
            while at == last && at & 1 == 0 && at > 0 {
                (at, last) = (at >> 1, last >> 1);
            }
            if at & 1 == 1 {
                (root, earlier) = (node_hash(*hash, root), node_hash(*hash, earlier));
            } else {
                root = node_hash(root, *hash);
            }
            (at, last) = (at >> 1, last >> 1);
        }
        (root, earlier)
    }

    fn fetch(&self, missing: BTreeSet<LogTile>) -> Result<(), Error> {
        let missing: Vec<_> = missing.into_iter().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let read = (self.read)(&missing).map_err(|why| {
            self.failure.replace(Some(why));
            Error::InvalidTile
        })?;
        let is_whole = |(tile, bytes): (&LogTile, &Vec<u8>)| bytes.len() == tile.width as usize * HASH_SIZE;
        if read.len() != missing.len() || !missing.iter().zip(&read).all(is_whole) {
            return Err(Error::InvalidTile);
        }
        self.tiles.borrow_mut().extend(missing.into_iter().zip(read));
        Ok(())
    }

    /// The tile of the tree that has a hash.
    fn tile_of(&self, hash: u64) -> LogTile {
        let tile = Tile::from_index(HEIGHT, hash);
        let (level, number) = (tile.level(), tile.level_index());
        let in_level = self.checkpoint.size >> (u32::from(level) * u32::from(HEIGHT));
        let width = in_level.saturating_sub(number.saturating_mul(TILE_WIDTH)).min(TILE_WIDTH);
        LogTile { level: Some(level), number, width }
    }
}

impl<E> HashReader for TiledLog<'_, E> {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<Hash>, Error> {
        let tiles: Vec<_> = indexes.iter().map(|index| self.tile_of(*index)).collect();
        let missing = tiles.iter().filter(|tile| !self.tiles.borrow().contains_key(tile)).copied().collect();
        self.fetch(missing)?;
        let known = self.tiles.borrow();
        let hash = |(index, tile): (&u64, &LogTile)| {
            let bytes = known.get(tile).ok_or(Error::InvalidTile)?;
            let LogTile { level, number, width } = *tile;
            let width = u32::try_from(width).map_err(|_| Error::InvalidTile)?;
            Tile::new(HEIGHT, level.unwrap_or(0), number, width, false).hash_at_index(bytes, *index)
        };
        indexes.iter().zip(&tiles).map(hash).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Digest;
    use crate::transparency_log::{Leaf, LogIndex};

    fn log(size: u64) -> LogIndex {
        let mut log = LogIndex::default();
        (0..size).for_each(|n| log.push(&Leaf { revision: n + 1, digest: Digest::of(&n.to_be_bytes()) }));
        log
    }

    fn tiles(log: &LogIndex, asked: &[LogTile]) -> Result<Vec<Vec<u8>>, String> {
        let tile = |tile: &LogTile| log.tile(tile.level.unwrap(), tile.number, tile.width);
        asked.iter().map(|asked| tile(asked).ok_or(format!("no tile {asked}"))).collect()
    }

    fn checkpoint(log: &LogIndex) -> Checkpoint {
        Checkpoint::of("a.example".parse().unwrap(), log)
    }

    #[test]
    fn leaves_and_earlier_roots_are_those_of_the_log() {
        for size in [1, 2, 3, 7, 255, 256, 257, 300, 511, 512, 700] {
            let log = log(size);
            let read = |asked: &[LogTile]| tiles(&log, asked);
            let tiled = TiledLog::new(checkpoint(&log), &read);
            for index in (0..size).step_by(7).chain([size - 1]) {
                let (leaf, inclusion) = tiled.leaf(index).unwrap();
                let digest = Digest::of(&index.to_be_bytes());
                assert_eq!(leaf, Leaf { revision: index + 1, digest }.hash(), "{index} of {size}");
                assert_eq!(Some(inclusion), log.prove(index, size));
            }
            for earlier in (0..=size).step_by(3).chain([size]) {
                assert_eq!(
                    tiled.root_at(earlier).unwrap(),
                    log.root_at(earlier).unwrap(),
                    "{earlier} of {size}"
                );
            }
        }
    }

    #[test]
    fn false_tiles_prove_nothing() {
        let (log, other) = (log(700), log_of_others(700));
        // One false tile at a time: the first of level 0, the last of level 0, that of level 1.
        for (level, number) in [(0, 0), (0, 2), (1, 0)] {
            let read = |asked: &[LogTile]| {
                let of = |tile: &LogTile| {
                    let is_false = (tile.level, tile.number) == (Some(level), number);
                    tiles(if is_false { &other } else { &log }, &[*tile]).map(|mut one| one.remove(0))
                };
                asked.iter().map(of).collect::<Result<Vec<_>, String>>()
            };
            let tiled = TiledLog::new(checkpoint(&log), &read);
            assert!(matches!(tiled.leaf(5), Err(TiledLogError::FalseTiles)), "{level} {number}");
            assert!(matches!(tiled.root_at(200), Err(TiledLogError::FalseTiles)), "{level} {number}");
        }
        let short = |asked: &[LogTile]| Ok::<_, String>(asked.iter().map(|_| vec![0; 31]).collect());
        let tiled = TiledLog::new(checkpoint(&log), &short);
        assert!(matches!(tiled.leaf(5), Err(TiledLogError::FalseTiles)));
        let none = |_: &[LogTile]| Err::<Vec<Vec<u8>>, _>("away");
        let tiled = TiledLog::new(checkpoint(&log), &none);
        assert!(matches!(tiled.leaf(5), Err(TiledLogError::Read("away"))));
    }

    fn log_of_others(size: u64) -> LogIndex {
        let mut log = LogIndex::default();
        (0..size)
            .for_each(|n| log.push(&Leaf { revision: n + 1, digest: Digest::of(&(n ^ 1).to_be_bytes()) }));
        log
    }
}

//! The files that a query reads.

use std::sync::Arc;

use crate::search::format::codec::Damaged;
use crate::search::format::manifest::Manifest;
use crate::search::format::piece::Piece;
use crate::search::format::piece_name::PieceName;

/// Where the files of an index are read: in memory, in a folder, on a host.
pub trait IndexFiles {
    /// Why a file cannot be read.
    type Error: From<Damaged>;

    /// Reads some pieces or shards, in this order.
    fn read(&mut self, names: &[PieceName]) -> Result<Vec<Arc<[u8]>>, Self::Error>;
}

/// Reads each piece once. A piece is known by its position in the manifest.
pub struct PieceReader<'a, F> {
    pub manifest: &'a Manifest,
    files: &'a mut F,
    pieces: Vec<Piece>,
    /// The position of each of `pieces`.
    positions: Vec<usize>,
    /// Number of spelling shards that were read.
    shards: usize,
}

impl<'a, F: IndexFiles> PieceReader<'a, F> {
    pub fn new(manifest: &'a Manifest, files: &'a mut F) -> Self {
        Self { manifest, files, pieces: Vec::new(), positions: Vec::new(), shards: 0 }
    }

    /// Reads the pieces at some positions at once, except those that are read already.
    pub fn read(&mut self, positions: &[usize]) -> Result<(), F::Error> {
        let mut missing: Vec<_> =
            positions.iter().copied().filter(|position| !self.positions.contains(position)).collect();
        missing.sort_unstable();
        missing.dedup();
        let names: Vec<_> = missing.iter().map(|position| self.manifest.pieces[*position].1).collect();
        for bytes in self.files.read(&names)? {
            self.pieces.push(Piece::read(bytes)?);
        }
        self.positions.extend(missing);
        Ok(())
    }

    /// Reads the pieces at some positions at once, the first ones, while fewer than `max` files were read.
    pub fn read_some(&mut self, positions: &[usize], max: usize) -> Result<(), F::Error> {
        let mut missing = Vec::new();
        for position in positions.iter().filter(|position| !self.has(**position)) {
            if !missing.contains(position) && self.count() + missing.len() < max {
                missing.push(*position);
            }
        }
        self.read(&missing)
    }

    /// The piece at a position, and its number among those that are read.
    pub fn piece(&mut self, position: usize) -> Result<(&Piece, usize), F::Error> {
        self.read(&[position])?;
        let number = self.positions.iter().position(|known| *known == position).unwrap_or_default();
        Ok((&self.pieces[number], number))
    }

    /// Whether the piece at a position was read.
    pub fn has(&self, position: usize) -> bool {
        self.positions.contains(&position)
    }

    /// Number of files that were read.
    pub fn count(&self) -> usize {
        self.pieces.len() + self.shards
    }

    /// Reads a spelling shard.
    pub fn shard(&mut self, name: PieceName) -> Result<Option<Arc<[u8]>>, F::Error> {
        self.shards += 1;
        Ok(self.files.read(&[name])?.pop())
    }

    /// The pieces that were read so far, by their numbers.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// All pieces that were read, by their numbers.
    pub fn into_pieces(self) -> Vec<Piece> {
        self.pieces
    }
}

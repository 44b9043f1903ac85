//! The pieces that a query has read, each once.

use super::PieceName;
use super::manifest::Manifest;
use super::piece::Piece;
use super::ranking::Files;

/// The pieces read so far.
pub(super) struct PiecesRead<'a, F> {
    manifest: &'a Manifest,
    files: &'a mut F,
    pieces: Vec<Piece>,
    /// Which piece of the manifest each one is.
    places: Vec<usize>,
}

impl<'a, F: Files> PiecesRead<'a, F> {
    pub fn new(manifest: &'a Manifest, files: &'a mut F) -> Self {
        Self { manifest, files, pieces: Vec::new(), places: Vec::new() }
    }

    /// Reads those of some places that are not read yet, all at once.
    pub fn read(&mut self, places: &[usize]) -> Result<(), F::Error> {
        let mut missing: Vec<_> = places.iter().copied().filter(|at| !self.places.contains(at)).collect();
        missing.sort_unstable();
        missing.dedup();
        let names: Vec<_> = missing.iter().map(|at| self.manifest.pieces[*at].1).collect();
        for bytes in self.files.read(&names)? {
            self.pieces.push(Piece::read(bytes)?);
        }
        self.places.extend(missing);
        Ok(())
    }

    /// A piece with its number here. Read if it is not yet.
    pub fn piece(&mut self, place: usize) -> Result<(&Piece, usize), F::Error> {
        self.read(&[place])?;
        let at = self.places.iter().position(|known| *known == place).unwrap_or_default();
        Ok((&self.pieces[at], at))
    }

    /// Reads a shard of spelling. None where there is none.
    pub fn shard(&mut self, name: PieceName) -> Result<Option<std::sync::Arc<[u8]>>, F::Error> {
        Ok(self.files.read(&[name])?.pop())
    }

    pub fn into_pieces(self) -> Vec<Piece> {
        self.pieces
    }
}

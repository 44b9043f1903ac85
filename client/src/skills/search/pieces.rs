//! Reads the pieces of a search index from a registry.

use std::sync::Arc;

use generator::address::Document;
use generator::search::{Damaged, IndexFiles, PieceName, unpack};

use crate::http::JSON_LIMIT;
use crate::source::parallel;
use crate::{ClientError, Source};

/// The pieces of the index of a registry.
pub(super) struct Pieces<'a>(pub &'a Source);

/// Why a search with the index failed.
pub(super) enum SearchFailure {
    /// A piece is missing, for example because the index was replaced after the manifest was read.
    Gone,
    /// The index is damaged.
    Damaged(String),
    /// A piece could not be read.
    Unread(ClientError),
}

impl From<Damaged> for SearchFailure {
    fn from(why: Damaged) -> Self {
        Self::Damaged(why.0.to_owned())
    }
}

impl IndexFiles for Pieces<'_> {
    type Error = SearchFailure;

    fn read(&mut self, names: &[PieceName]) -> Result<Vec<Arc<[u8]>>, SearchFailure> {
        parallel::map(names, |name| self.piece(*name)).into_iter().collect()
    }
}

impl Pieces<'_> {
    fn piece(&self, name: PieceName) -> Result<Arc<[u8]>, SearchFailure> {
        let raw = self.0.bytes(&Document::SearchPiece(name), JSON_LIMIT, &mut |_, _| {});
        let raw = raw.map_err(SearchFailure::Unread)?.ok_or(SearchFailure::Gone)?;
        // The name of a piece is the digest of its bytes.
        match PieceName::of(&raw.bytes) == name {
            true => Ok(unpack(&raw.bytes)?.into()),
            false if raw.is_page() => Err(SearchFailure::Gone),
            false => Err(SearchFailure::Damaged(format!("{} does not match its name", raw.from))),
        }
    }
}

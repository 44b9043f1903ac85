//! The files of an index, read from a registry.

use std::sync::Arc;

use generator::address::Document;
use generator::search::{Damaged, Files, PieceName};

use crate::http::JSON_LIMIT;
use crate::side_by_side::side_by_side;
use crate::{ClientError, Source};

/// Where the pieces are.
pub(super) struct Pieces<'a>(pub &'a Source);

/// Why a search has no answer.
pub(super) enum Trouble {
    /// A piece is not there: the manifest is older than the index.
    Gone,
    /// What is there is no index.
    Damaged(String),
    /// It could not be read.
    Unread(ClientError),
}

impl From<Damaged> for Trouble {
    fn from(why: Damaged) -> Self {
        Self::Damaged(why.to_string())
    }
}

impl Files for Pieces<'_> {
    type Error = Trouble;

    fn read(&mut self, names: &[PieceName]) -> Result<Vec<Arc<[u8]>>, Trouble> {
        side_by_side(names, |name| self.piece(*name)).into_iter().collect()
    }
}

impl Pieces<'_> {
    fn piece(&self, name: PieceName) -> Result<Arc<[u8]>, Trouble> {
        let read = self.0.bytes(&Document::SearchPiece(name), JSON_LIMIT, &mut |_, _| {});
        let Some(read) = read.map_err(Trouble::Unread)? else { return Err(Trouble::Gone) };
        if PieceName::of(&read.bytes) != name && read.is_page() {
            return Err(Trouble::Gone);
        }
        // A piece is called by what is in it.
        if PieceName::of(&read.bytes) != name {
            return Err(Trouble::Damaged(format!("{} is not what its name says", read.from)));
        }
        Ok(read.bytes.into())
    }
}

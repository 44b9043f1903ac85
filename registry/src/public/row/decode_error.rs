//! Why a row cannot be decoded.

use crate::public::Revision;

/// A stored row, or one of its halves, could not be decoded.
#[derive(Debug, thiserror::Error)]
#[error(
    "revision {revision} was written by a newer release or is damaged (start the release that wrote it, or \
     restore a backup of the data folder)"
)]
pub struct DecodeError {
    /// The row.
    pub revision: Revision,
    /// What is wrong with it.
    #[source]
    pub cause: serde_json::Error,
}

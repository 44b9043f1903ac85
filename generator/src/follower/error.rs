//! Errors of a follower.

use std::io;

use registry::journal::{Epoch, Revision};

use crate::TreeError;

/// A tree cannot be brought up to its source.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The source cannot be read or trusted. The tree is not changed.
    #[error("{file} of {name} {why}")]
    Refused {
        /// The name of the source.
        name: String,
        /// The invalid file.
        file: String,
        /// The reason, as the rest of a sentence about the file.
        why: String,
    },
    /// The source has another history than the tree. The tree is not changed.
    #[error(
        "{name} has another history now (epoch {epoch}, revision {revision}) than this mirror (epoch {known}, \
         revision {known_revision}): if the operator of the source has restored a backup, add --accept-new-history"
    )]
    OtherHistory {
        /// The name of the source.
        name: String,
        /// The source's history.
        epoch: Epoch,
        /// The source's revision.
        revision: Revision,
        /// The tree's history.
        known: Epoch,
        /// The tree's revision.
        known_revision: Revision,
    },
    /// The cache beside the tree cannot be read or written.
    #[error("the feed's cache beside the tree cannot be read or written")]
    Cache(#[from] io::Error),
    /// The tree cannot be written.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

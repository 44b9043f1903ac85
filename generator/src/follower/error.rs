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
         revision {known_revision}), and {missing}: if the operator of the source has restored a backup, add \
         --accept-new-history"
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
        /// Why it is not followed all the same.
        missing: String,
    },
    /// The source has written its checkpoint, but not its head. The tree is not changed.
    #[error("{name} has a checkpoint of {signed} rows, but a head of {size}: it has not finished writing")]
    Unfinished {
        /// The name of the source.
        name: String,
        /// The number of rows that the checkpoint covers.
        signed: u64,
        /// The number of rows that the head names.
        size: u64,
    },
    /// The cache beside the tree cannot be read or written.
    #[error("the feed's cache beside the tree cannot be read or written")]
    Cache(#[from] io::Error),
    /// The tree cannot be written.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

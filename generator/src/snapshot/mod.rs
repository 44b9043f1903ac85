//! Snapshots: a tree, or what changed in it, as one file that people carry.
//!
//! A snapshot is a `tar` archive, compressed with Zstandard. `docs/snapshots.md` specifies it. The
//! same state of a tree makes the same bytes. [`write`] streams a tree into one, [`write_delta`] makes
//! one of two others. [`SnapshotReader`] gives the files of one that nobody vouches for, and checks
//! that they are what a snapshot may have.

mod archive;
mod compare;
mod delta;
mod entry;
mod header;
mod links;
mod listing;
mod manifest;
mod read;
mod unpack;
mod write;

use std::io;

use registry::journal::{Epoch, Revision};

pub use compare::compare;
pub use delta::write_delta;
pub use entry::{Body, Entry};
pub use manifest::{Base, Manifest};
pub use read::{Part, SnapshotReader};
pub use unpack::{Unpack, Unpacked};
pub use write::write;

/// Limits on what a snapshot may unpack to.
#[derive(Debug, Clone, Copy)]
pub struct SnapshotLimits {
    /// All files together, in bytes. Each file counts 512 bytes more.
    pub total: u64,
    /// A package, in bytes.
    pub package: u64,
}

/// A snapshot cannot be made or read.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The tree changes while it is read.
    #[error("the tree changes while it is read")]
    Changed,
    /// The tree cannot be read, or the file cannot be written.
    #[error("the snapshot cannot be written")]
    Write(#[source] io::Error),
    /// The file cannot be read, or its contents cannot be stored.
    #[error("the snapshot cannot be read")]
    Read(#[source] io::Error),
    /// The file ends before its contents do.
    #[error("the snapshot ends too early: copy it again from its source")]
    Truncated,
    /// The snapshot does not continue the tree.
    #[error(
        "the snapshot continues revision {base} of the history {epoch}, but {tree}: apply {needed} first"
    )]
    OtherBase {
        /// The revision that it continues.
        base: Revision,
        /// Its history.
        epoch: Epoch,
        /// What the tree is, as the rest of a sentence.
        tree: String,
        /// The snapshot that is needed, in words.
        needed: String,
    },
    /// The file is compressed by zstd, and its frames are damaged.
    #[error("the snapshot is damaged: copy it again from its source")]
    Damaged,
    /// Something in the file is not as a snapshot has it.
    #[error("the snapshot is refused: {file} {why}")]
    Refused {
        /// The file in the snapshot.
        file: String,
        /// The reason, as the rest of a sentence about the file.
        why: String,
    },
}

impl SnapshotError {
    /// An error about a file of the snapshot. `why` is the rest of a sentence about it.
    pub fn refused(file: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Refused { file: file.into(), why: why.into() }
    }

    fn of_read(why: io::Error) -> Self {
        match why.kind() {
            io::ErrorKind::UnexpectedEof => Self::Truncated,
            // An error of the system has a number, one of zstd has none.
            _ if why.raw_os_error().is_none() => Self::Damaged,
            _ => Self::Read(why),
        }
    }
}

//! The journal: rows that are only ever added, and the blobs that they name.
//!
//! Everything else in a registry is computed from a prefix of it. One trait,
//! two stores: [`SqliteJournal`] in a data folder, [`MemoryJournal`] for tests
//! and for replaying someone else's history. `contract` holds both to the same
//! behaviour.

mod backup;
mod blobs;
mod chain;
#[cfg(test)]
mod contract;
pub(crate) mod database;
pub(crate) mod folder;
mod lock;
mod memory;
mod restore;
mod sqlite;

pub use backup::{BackupError, BackupFile, Snapshot};
pub use memory::MemoryJournal;
pub use restore::{PendingRestore, Restored};
pub use sqlite::SqliteJournal;

use std::any::Any;
use std::fmt;
use std::fs::File;
use std::io;
use std::time::SystemTime;

use crate::names::Digest;
use crate::time::Timestamp;

/// The number of a row; the first is 1, and every row's is its predecessor's
/// plus one. 0 stands for "before the first".
pub type Revision = u64;

/// The random name of one history: 32 lower-case hexadecimal digits, made with
/// the journal and renewed by whatever rewrites history.
pub type Epoch = String;

/// One row as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub revision: Revision,
    /// When it was added; never before the previous row's time.
    pub at: Timestamp,
    /// What only this registry may know, as JSON (see `change::private`).
    pub private: String,
    /// The exact JSON that mirrors read (see `change::public`), or nothing
    /// where nothing public happened. Stored, never recomputed.
    pub public: Option<String>,
}

impl Row {
    /// Whether the row may be added after row `head`, whose time is `last`.
    /// One rule for every store.
    fn check_follows(&self, head: Revision, last: Option<Timestamp>) -> Result<(), JournalError> {
        if head.checked_add(1) != Some(self.revision) {
            return Err(JournalError::Conflict { head });
        }
        match last {
            Some(last) if self.at < last => Err(JournalError::Storage(format!(
                "row {} is dated {}, before row {head} ({last}): set the clock right",
                self.revision, self.at
            ))),
            _ => Ok(()),
        }
    }
}

/// A row as the public sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicRow {
    /// The row's number.
    pub revision: Revision,
    /// The stored public JSON, unchanged.
    pub json: String,
}

/// Why the journal could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Someone else appended first: catch up and decide again.
    #[error("another writer appended first; the journal is at revision {head}")]
    Conflict {
        /// The revision of the last row.
        head: Revision,
    },
    /// The store is full, read-only or failing: try again later. The row in
    /// question is then not acknowledged: it is there whole or not at all, and
    /// [`Journal::head`] tells which.
    #[error("the journal's storage fails: {0}")]
    Storage(String),
    /// What is stored is not what was written. The text says what to do.
    #[error("the journal is damaged: {0}")]
    Damaged(String),
}

impl From<io::Error> for JournalError {
    fn from(error: io::Error) -> Self {
        Self::Storage(error.to_string())
    }
}

/// The half of a journal that may be shown to everyone. Whoever makes public
/// documents is given this and nothing more.
pub trait PublicStore: Send + Sync {
    /// The name of this history.
    fn epoch(&self) -> Result<Epoch, JournalError>;

    /// The public rows after `after`, in order, at most `limit` of them.
    fn public_since(&self, after: Revision, limit: usize) -> Result<Vec<PublicRow>, JournalError>;

    /// The public part of one row; None where there is no such row or it has
    /// no public part.
    fn public_row(&self, revision: Revision) -> Result<Option<PublicRow>, JournalError>;

    /// Opens a blob for reading. None when it is not stored.
    fn open_blob(&self, digest: Digest) -> Result<Option<Box<dyn BlobReader>>, JournalError>;
}

/// An open blob.
pub trait BlobReader: io::Read + io::Seek + Send {
    /// The file behind it, where there is one (lets the system clone it).
    fn as_file(&self) -> Option<&File>;
    /// Its size in bytes.
    fn size(&self) -> u64;
}

/// The whole journal: what a registry writes to.
pub trait Journal: PublicStore {
    /// The number of the last row, 0 when there is none.
    fn head(&self) -> Result<Revision, JournalError>;

    /// Adds `row`, durably, when `row.revision` is the head's plus one;
    /// [`JournalError::Conflict`] otherwise. It is there whole or not at all,
    /// and it is durable once this returns.
    fn append(&self, row: &Row) -> Result<(), JournalError>;

    /// The rows after `after`, in order, at most `limit` of them; none where
    /// `after` is the head or past it. Every row returned has been checked
    /// against the digest chain where the store has one, so reading from 0 to
    /// the head checks the whole history.
    fn since(&self, after: Revision, limit: usize) -> Result<Vec<Row>, JournalError>;

    /// Keeps `bytes` durably under their digest, before it returns: a row may
    /// name the blob from then on. Putting an existing blob again renews its
    /// time and writes nothing.
    fn put_blob(&self, bytes: &[u8]) -> Result<Digest, JournalError>;

    /// Renews the time of a blob as [`Journal::put_blob`] would. False where it
    /// is not stored in that size: then it has to be put.
    fn renew_blob(&self, digest: Digest, size: u64) -> Result<bool, JournalError>;

    /// Finds out whether the storage takes `size` bytes, and keeps none of
    /// them.
    fn probe_storage(&self, size: u64) -> Result<(), JournalError>;

    /// Shows every blob to `visit`, in no order.
    fn visit_blobs(&self, visit: &mut dyn FnMut(StoredBlob)) -> Result<(), JournalError>;

    /// Removes those of `digests` that were put, or renewed, before `before`,
    /// while no row can be added and the last one is `head`;
    /// [`JournalError::Conflict`] where it is another one. What is being put at
    /// this moment stays.
    fn remove_blobs(
        &self,
        head: Revision,
        before: SystemTime,
        digests: &[Digest],
    ) -> Result<Removal, JournalError>;

    /// Keeps every blob from being removed, by anyone, until it is dropped.
    fn hold_blobs(&self) -> Result<BlobHold, JournalError>;
}

/// A blob without its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredBlob {
    /// Its name.
    pub digest: Digest,
    /// Its size in bytes.
    pub size: u64,
    /// When it was put last.
    pub put_at: SystemTime,
}

/// What came of removing blobs.
#[derive(Debug, PartialEq, Eq)]
pub enum Removal {
    /// These are gone.
    Done(Vec<StoredBlob>),
    /// None is, because someone has a [`BlobHold`] or removes some.
    Held,
}

/// While it lives, no blob is removed.
pub struct BlobHold(#[expect(dead_code, reason = "dropping it is what ends the hold")] Box<dyn Any + Send>);

impl fmt::Debug for BlobHold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BlobHold")
    }
}

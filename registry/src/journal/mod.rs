//! The journal: rows that are only ever appended, and the blobs that they name.
//!
//! Everything else in a registry is computed from a prefix of the journal. One
//! trait has two stores: [`SqliteJournal`] in a data folder, and `MemoryJournal`
//! for tests (feature `testing`). `tests/contract.rs` holds both to the same
//! behaviour.

mod backup;
mod blobs;
mod chain;
pub(crate) mod database;
pub(crate) mod folder;
mod lock;
pub(crate) mod redacted;
mod restore;
mod sqlite;
pub(crate) mod staging;
#[cfg(any(test, feature = "testing"))]
mod tests;

pub use backup::{BackupError, Snapshot};
pub use folder::size;
pub use restore::{PendingRestore, RedactedHalves, ReplacedJournal, Restored};
pub use sqlite::SqliteJournal;
#[cfg(any(test, feature = "testing"))]
pub use tests::MemoryJournal;

use std::any::Any;
use std::fs::File;
use std::io;
use std::time::SystemTime;

use crate::names::Digest;
use crate::time::Timestamp;

/// The number of a row. The first is 1, and each row's is the previous one's
/// plus 1. Only the restore of a backup skips numbers: those that rows after the
/// backup had. 0 means "before the first row".
pub type Revision = u64;

/// The random name of one history: 32 lower-case hexadecimal digits. A journal
/// gets one when it is created, and a new one when a backup is restored.
pub type Epoch = String;

/// The cause of an error.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// A row as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The row's number.
    pub revision: Revision,
    /// The time of the append, never before the previous row's time.
    pub at: Timestamp,
    /// The JSON that only this registry may know (see [`crate::private::encode`]).
    pub private: String,
    /// The exact JSON that mirrors read (see [`crate::public::encode`]), or None
    /// if nothing public happened. It is stored and never recomputed.
    pub public: Option<PublicRow>,
}

impl Row {
    /// Checks that the row may be appended after row `head`, whose time is
    /// `last`. Every store uses this one rule.
    fn check_follows(&self, head: Revision, last: Option<Timestamp>) -> Result<(), JournalError> {
        if head.checked_add(1) != Some(self.revision) {
            return Err(JournalError::Conflict { head });
        }
        match last {
            Some(last) if self.at < last => {
                let Self { revision, at, .. } = self;
                let why =
                    format!("row {revision} is dated {at}, before row {head} ({last}): correct the clock");
                Err(JournalError::Storage(why.into()))
            }
            _ => Ok(()),
        }
    }
}

/// The public half of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicRow {
    /// The row's number.
    pub revision: Revision,
    /// The stored public JSON, unchanged.
    pub json: String,
    /// The sha256 of the JSON, or of the one that the row had before it was redacted.
    pub digest: Digest,
}

impl PublicRow {
    /// Computes the digest of `json`.
    pub fn new(revision: Revision, json: String) -> Self {
        Self { revision, digest: redacted::digest_of(&json), json }
    }
}

/// Why the journal could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Another process appended first. Catch up and decide again.
    #[error("another process appended first: the journal is at revision {head}")]
    Conflict {
        /// The revision of the last row.
        head: Revision,
    },
    /// The store is full, read-only or failing. Try again later. A row whose
    /// append failed so is stored as a whole or not at all, and
    /// [`Journal::head`] tells which.
    #[error("the journal's storage failed")]
    Storage(#[source] Cause),
    /// The stored bytes are not those that were written. The message says what
    /// to do.
    #[error("the journal is damaged")]
    Damaged(#[source] Cause),
}

impl From<io::Error> for JournalError {
    fn from(error: io::Error) -> Self {
        Self::Storage(error.into())
    }
}

/// The public half of a journal. Code that makes public documents gets this and
/// nothing more.
pub trait PublicStore: Send + Sync {
    /// The name of this history.
    fn epoch(&self) -> Result<Epoch, JournalError>;

    /// The public rows after `after`, in order, at most `limit`.
    fn public_since(&self, after: Revision, limit: usize) -> Result<Vec<PublicRow>, JournalError>;

    /// The public half of a row, or None if the row or its public half does not
    /// exist.
    fn public_row(&self, revision: Revision) -> Result<Option<PublicRow>, JournalError>;

    /// Opens a blob for reading, or returns None if it is not stored.
    fn open_blob(&self, digest: Digest) -> Result<Option<Box<dyn BlobReader>>, JournalError>;
}

/// An open blob.
pub trait BlobReader: io::Read + io::Seek + Send {
    /// The file of the blob, if it has one. The system can clone its bytes.
    fn as_file(&self) -> Option<&File>;
    /// The size in bytes.
    fn size(&self) -> io::Result<u64>;
}

/// The whole journal, private rows included.
pub trait Journal: PublicStore {
    /// The number of the last row, or 0 if there is none.
    fn head(&self) -> Result<Revision, JournalError>;

    /// Appends `row`. It stays if this process ends, but a power loss may take
    /// it away until [`Journal::make_durable`] returns.
    ///
    /// Errors: [`JournalError::Conflict`] unless `row.revision` is the head's
    /// plus 1. After any error the row is stored as a whole or not at all.
    fn append(&self, row: &Row) -> Result<(), JournalError>;

    /// Waits until the rows up to `revision` survive a power loss. Callers that
    /// wait at the same time share one sync of the disk. The methods that return
    /// rows do this first, so only the process that appended a row knows it
    /// before it is durable.
    ///
    /// Errors: [`JournalError::Storage`] if the disk fails. No row can be
    /// appended until the process is restarted.
    fn make_durable(&self, revision: Revision) -> Result<(), JournalError>;

    /// The rows after `after`, in order, at most `limit`.
    ///
    /// A store that has a digest chain checks each returned row against it, so
    /// reading from 0 to the head checks the whole history.
    fn since(&self, after: Revision, limit: usize) -> Result<Vec<Row>, JournalError>;

    /// Stores `bytes` under their digest. They are durable once this returns, so
    /// a row may name the blob. Putting an existing blob again only renews its
    /// time.
    fn put_blob(&self, bytes: &[u8]) -> Result<Digest, JournalError>;

    /// Renews the time of a blob as [`Journal::put_blob`] does. Returns false if
    /// no blob of that size is stored under the digest: put it then.
    fn renew_blob(&self, digest: Digest, size: u64) -> Result<bool, JournalError>;

    /// Checks that the storage takes `size` bytes, and keeps none of them.
    fn probe_storage(&self, size: u64) -> Result<(), JournalError>;

    /// Calls `visit` with every blob, in no order.
    fn visit_blobs(&self, visit: &mut dyn FnMut(StoredBlob)) -> Result<(), JournalError>;

    /// Removes those of `digests` that were last put or renewed before `before`.
    /// No row can be appended meanwhile. Blobs that are being put stay.
    ///
    /// Errors: [`JournalError::Conflict`] unless the last row is `head`.
    fn remove_blobs(
        &self,
        head: Revision,
        before: SystemTime,
        digests: &[Digest],
    ) -> Result<Removal, JournalError>;

    /// Keeps every process from removing blobs until the hold is dropped.
    fn hold_blobs(&self) -> Result<BlobHold, JournalError>;
}

/// A stored blob, without its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredBlob {
    /// The digest that names it.
    pub digest: Digest,
    /// The size in bytes.
    pub size: u64,
    /// The time of the last put or renewal.
    pub put_at: SystemTime,
}

/// The outcome of [`Journal::remove_blobs`].
#[derive(Debug, PartialEq, Eq)]
pub enum Removal {
    /// These blobs were removed.
    Done(Vec<StoredBlob>),
    /// None were removed: a [`BlobHold`] exists, or another process removes blobs.
    Held,
}

/// No blob is removed while this value lives.
#[derive(Debug)]
pub struct BlobHold(#[expect(dead_code, reason = "dropping it ends the hold")] Box<dyn Any + Send>);

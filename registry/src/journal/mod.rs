//! The journal: rows that are only ever appended, and the blobs that they name.
//!
//! Everything else in a registry is computed from a prefix of the journal. Two
//! seams say what a store has to do: [`Journal`] for the rows, [`Blobs`] for the
//! packages. A [`Storage`] has one of each. [`SqliteJournal`] and [`BlobFolder`]
//! are the stores of a data folder, and `MemoryJournal` is both for tests
//! (feature `testing`). The suites in `contract` hold every store to the same
//! behaviour.

mod backup;
mod blob_folder;
mod blobs;
pub mod chain;
#[cfg(any(test, feature = "testing"))]
#[path = "tests/mod.rs"]
pub mod contract;
mod copy;
pub(crate) mod database;
pub(crate) mod folder;
mod lock;
#[cfg(any(test, feature = "testing"))]
mod memory;
mod recent_rows;
mod restore;
mod sqlite;
pub(crate) mod staging;
mod storage;

pub use backup::{BackupError, Snapshot};
pub use blob_folder::BlobFolder;
pub use blobs::{BlobHold, BlobReader, BlobSource, Blobs, Removal, StoredBlob};
pub use copy::copy_journal;
pub use folder::size;
#[cfg(any(test, feature = "testing"))]
pub use memory::MemoryJournal;
pub use recent_rows::RecentRows;
pub use restore::{PendingRestore, Restored};
pub use sqlite::{RedactedHalves, ReplacedJournal, SqliteJournal};
pub use storage::{PublicStore, Storage};

pub use crate::public::{Epoch, PublicRow, Revision};

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::names::Digest;
use crate::time::Timestamp;

/// The place of journal and packages by default, in a sentence.
const DATA_FOLDER: &str = "The disk of the data folder";

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
    ///
    /// Errors: [`JournalError::Conflict`] for another number, and
    /// [`JournalError::Storage`] for an earlier time.
    pub fn check_follows(&self, head: Revision, last: Option<Timestamp>) -> Result<(), JournalError> {
        if head.checked_add(1) != Some(self.revision) {
            return Err(JournalError::Conflict { head });
        }
        self.check_time(head, last)
    }

    /// Checks that the row of another journal may be copied after row `head`. Its
    /// number may be any that follows, because a restore skips numbers.
    ///
    /// Errors: as [`Row::check_follows`].
    pub fn check_copied(&self, head: Revision, last: Option<Timestamp>) -> Result<(), JournalError> {
        if self.revision <= head {
            return Err(JournalError::Conflict { head });
        }
        self.check_time(head, last)
    }

    /// The bytes of both halves.
    pub(crate) fn bytes(&self) -> usize {
        self.private.len() + self.public.as_ref().map_or(0, |public| public.json.len())
    }

    fn check_time(&self, head: Revision, last: Option<Timestamp>) -> Result<(), JournalError> {
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

/// The public rows of a journal.
pub trait PublicRows: Send + Sync {
    /// The name of this history.
    fn epoch(&self) -> Result<Epoch, JournalError>;

    /// The public rows after `after`, in order, at most `limit`.
    fn public_since(&self, after: Revision, limit: usize) -> Result<Vec<PublicRow>, JournalError>;

    /// The public half of a row, or None if the row or its public half does not
    /// exist.
    fn public_row(&self, revision: Revision) -> Result<Option<PublicRow>, JournalError>;
}

/// All rows, private ones included. The packages that they name are in a [`Blobs`].
pub trait Journal: PublicRows {
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

    /// The rows after `after`, in order, at most `limit`. A store may return fewer
    /// of them, but at least one if there is any and `limit` is not 0.
    ///
    /// A store that has a digest chain checks each returned row against it, so
    /// reading from 0 to the head checks the whole history.
    fn since(&self, after: Revision, limit: usize) -> Result<Vec<Row>, JournalError>;

    /// Does `work` while no process can append a row. All rows are durable by then.
    ///
    /// Errors: those of `work`, and [`JournalError::Conflict`] unless the last row
    /// is `head`.
    fn freeze(
        &self,
        head: Revision,
        work: &mut (dyn FnMut() -> Result<(), JournalError> + Send),
    ) -> Result<(), JournalError>;

    /// Checks that rows can be appended, without appending one.
    fn check_appendable(&self) -> Result<(), JournalError>;

    /// Names the store in a sentence that everyone may read, without an address.
    fn place(&self) -> &'static str {
        DATA_FOLDER
    }

    /// Calls `wake` after appends of other processes, until the journal is dropped. The store may miss some, so
    /// the caller must also look for rows itself. `wake` may be called for own appends, too, and must not block.
    fn on_append(&self, _wake: Arc<dyn Fn() + Send + Sync>) {}

    /// The link of the digest chain at a row (see [`chain`]), or None if there is
    /// no such row. Equal links mean equal histories up to there. The link of row 1
    /// identifies the registry.
    fn link_at(&self, revision: Revision) -> Result<Option<Digest>, JournalError>;

    /// Copies rows of the journal that has the name `epoch`, behind row `after`.
    /// All of them are stored durably, or none. The first call makes this journal a
    /// copy of that one: no registry opens it before [`Journal::finish_copy`].
    ///
    /// Errors: [`JournalError::Conflict`] unless the last row is `after`, and
    /// [`JournalError::Storage`] if there are rows of another history, or if this
    /// journal is no unfinished copy.
    fn copy_rows(&self, epoch: &str, after: Revision, rows: &[Row]) -> Result<(), JournalError>;

    /// Whether a copy into this journal was begun and not finished.
    fn is_unfinished_copy(&self) -> Result<bool, JournalError>;

    /// Ends a copy: this journal can be opened, and no more rows can be copied.
    fn finish_copy(&self) -> Result<(), JournalError>;

    /// Copies the rows, as they are now, into a new [`SqliteJournal`] in the empty
    /// folder `target`, for a backup. Writers need not stop.
    fn snapshot(&self, target: &Path) -> Result<(), JournalError> {
        copy::copy_to_folder(self, target)
    }
}

/// Why rows cannot be copied into a journal.
///
/// `epoch` is the name of the source. `found` and `head` are the name and the last
/// row of this journal, and `is_copy` says whether it is an unfinished copy.
pub fn check_copy(epoch: &str, found: &str, head: Revision, is_copy: bool) -> Result<(), JournalError> {
    let why = match (is_copy, head) {
        (_, 0) => return Ok(()),
        (true, _) if epoch == found => return Ok(()),
        (true, _) => "an unfinished copy of another journal is there: copy into an empty journal",
        (false, _) => "the journal has rows already: copy into an empty journal",
    };
    Err(JournalError::Storage(why.into()))
}

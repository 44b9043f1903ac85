//! Computes the state of a registry from the rows of its journal.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use crate::journal::{Journal, JournalError, PublicRow, Revision, Row};
use crate::private::{self, DecodedPrivate, PrivateCatalog};
use crate::public::{self, DecodedRow, PublicCatalog};
use crate::time::Timestamp;

/// The number of rows that are read from the journal at a time. A row has a few
/// kilobytes, so a batch stays in a processor's cache between two steps.
pub(crate) const ROWS_PER_BATCH: usize = 100;

/// The number of batches that one step of a replay may be ahead of the next.
/// They are held in memory.
const MAX_BATCHES_AHEAD: usize = 4;

/// The last row that a state contains.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Position {
    pub revision: Revision,
    pub at: Timestamp,
}

impl Position {
    /// The position of a row that is appended now. Time never goes backwards.
    pub(crate) fn next(self) -> Self {
        Self { at: Timestamp::now().max(self.at), revision: self.revision + 1 }
    }
}

/// A decoded row.
pub(crate) struct Decoded {
    pub position: Position,
    pub private: DecodedPrivate,
    pub public: Option<(PublicRow, DecodedRow)>,
}

impl Decoded {
    /// Decodes both halves of a row.
    ///
    /// Errors: [`JournalError::Damaged`], which names the row.
    pub(crate) fn from_row(row: Row) -> Result<Self, JournalError> {
        let damaged = |error: public::DecodeError| JournalError::Damaged(error.into());
        let private = private::decode(&row).map_err(damaged)?;
        let public = row.public.map(|public| DecodedRow::decode(&public).map(|decoded| (public, decoded)));
        let public = public.transpose().map_err(damaged)?;
        Ok(Self { position: Position { revision: row.revision, at: row.at }, private, public })
    }
}

/// The state after all rows.
pub(crate) struct Replayed {
    pub public: PublicCatalog,
    pub private: PrivateCatalog,
    pub position: Position,
}

impl Replayed {
    /// Reads the whole journal. Three threads read (and check the digest chain),
    /// decode, and apply rows: each is about a third of the work.
    ///
    /// Errors: the storage fails, or a row cannot be decoded (the error names it).
    pub(crate) fn from_journal(journal: &dyn Journal) -> Result<Self, JournalError> {
        let epoch = journal.epoch()?;
        let head = journal.head()?;
        let (to_decoder, batches) = sync_channel::<Result<Vec<Row>, JournalError>>(MAX_BATCHES_AHEAD);
        let (to_state, decoded) = sync_channel::<Result<Vec<Decoded>, JournalError>>(MAX_BATCHES_AHEAD);
        thread::scope(|threads| {
            threads.spawn(move || read_all(journal, head, &to_decoder));
            threads.spawn(move || {
                for batch in batches {
                    let batch = batch.and_then(|rows| rows.into_iter().map(Decoded::from_row).collect());
                    // The receiver is gone after the first error.
                    if to_state.send(batch).is_err() {
                        return;
                    }
                }
            });
            let mut private = PrivateCatalog::default();
            let mut position = Position::default();
            let rows = decoded.into_iter().flat_map(|batch| match batch {
                Ok(rows) => rows.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            });
            let public_rows = rows.filter_map(|row| match row {
                Err(error) => Some(Err(error)),
                Ok(row) => {
                    private.apply(row.position.revision, row.position.at, row.private);
                    position = row.position;
                    row.public.map(Ok)
                }
            });
            let public = PublicCatalog::replay(epoch, public_rows)?;
            Ok(Self { public, private, position })
        })
    }
}

/// Sends the rows up to `head` in batches, or the error that ends them.
fn read_all(journal: &dyn Journal, head: Revision, to: &SyncSender<Result<Vec<Row>, JournalError>>) {
    let mut read = 0;
    while read < head {
        let rows = journal.since(read, ROWS_PER_BATCH);
        let last = rows.as_ref().ok().and_then(|rows| rows.last()).map(|row| row.revision);
        if to.send(rows).is_err() {
            return;
        }
        match last {
            Some(last) => read = last,
            None => return,
        }
    }
}

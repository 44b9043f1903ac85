//! Computes the state of a registry from the rows of its journal.

use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use crate::journal::{Epoch, Journal, JournalError, PublicRow, Revision, Row};
use crate::private::{self, DecodedPrivate, PrivateCatalog};
use crate::public::{self, DecodedRow, History, PublicCatalog};
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
    /// Reads the whole journal. Four threads read rows (and check the digest chain), decode them,
    /// apply them, and make the history of their texts. The last has half as much to do as each other.
    ///
    /// Errors: the storage fails, or a row cannot be decoded (the error names it).
    pub(crate) fn from_journal(journal: &dyn Journal) -> Result<Self, JournalError> {
        let epoch = journal.epoch()?;
        let head = journal.head()?;
        let (to_decoder, batches) = sync_channel(MAX_BATCHES_AHEAD);
        let (to_state, decoded) = sync_channel(MAX_BATCHES_AHEAD);
        let (to_history, texts) = sync_channel(MAX_BATCHES_AHEAD);
        thread::scope(|threads| {
            threads.spawn(move || read_all(journal, head, &to_decoder));
            threads.spawn(move || decode_all(batches, &to_state, &to_history));
            let history = threads.spawn(move || history_of(epoch, texts));
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
            let history = || history.join().unwrap_or_else(|panic| resume_unwind(panic));
            let public = PublicCatalog::replay(public_rows, history)?;
            Ok(Self { public, private, position })
        })
    }
}

/// What changes the state, without the texts of the row.
struct Changes {
    position: Position,
    private: DecodedPrivate,
    public: Option<DecodedRow>,
}

/// Decodes batches, and sends what changes the state and the public texts their own ways.
fn decode_all(
    batches: Receiver<Result<Vec<Row>, JournalError>>,
    to_state: &SyncSender<Result<Vec<Changes>, JournalError>>,
    to_history: &SyncSender<Vec<PublicRow>>,
) {
    for batch in batches {
        let mut texts = Vec::new();
        let decode = |row| {
            let Decoded { position, private, public } = Decoded::from_row(row)?;
            let public = public.map(|(text, decoded)| {
                texts.push(text);
                decoded
            });
            Ok(Changes { position, private, public })
        };
        let changes = batch.and_then(|rows| rows.into_iter().map(decode).collect());
        // The receiver is gone after the first error.
        if to_state.send(changes).is_err() || to_history.send(texts).is_err() {
            return;
        }
    }
}

fn history_of(epoch: Epoch, batches: Receiver<Vec<PublicRow>>) -> History {
    let mut history = History::new(epoch);
    batches.into_iter().flatten().for_each(|row| history.push(&row));
    history
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

//! From the journal's rows to the state that they make.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use crate::journal::{Journal, JournalError, PublicRow, Revision, Row};
use crate::private::{self, DecodedPrivate, PrivateCatalog};
use crate::public::{DecodedRow, PublicCatalog};
use crate::time::Timestamp;

/// How many rows are read from the journal at a time. At some kilobytes each
/// they stay in a processor's cache from one step of a replay to the next.
pub(crate) const ROWS_PER_BATCH: usize = 100;

/// How many batches one step of a replay may be ahead of the next; they are
/// held in memory.
const MAX_BATCHES_AHEAD: usize = 4;

/// The last row that a state has taken in.
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

/// A row, understood.
pub(crate) struct Decoded {
    pub position: Position,
    pub private: DecodedPrivate,
    pub public: Option<(PublicRow, DecodedRow)>,
}

impl Decoded {
    /// [`JournalError::Damaged`] names the row that cannot be understood.
    pub(crate) fn from_row(row: Row) -> Result<Self, JournalError> {
        let damaged = |why: String| JournalError::Damaged(why);
        let private = private::decode(&row).map_err(|why| damaged(why.to_string()))?;
        let public = row.public.map(|json| PublicRow { revision: row.revision, json });
        let public = match public {
            None => None,
            Some(public) => {
                let decoded = DecodedRow::decode(&public).map_err(|why| damaged(why.to_string()))?;
                Some((public, decoded))
            }
        };
        Ok(Self { position: Position { revision: row.revision, at: row.at }, private, public })
    }
}

/// The state that all rows make.
pub(crate) struct Replayed {
    pub public: PublicCatalog,
    pub private: PrivateCatalog,
    pub position: Position,
}

impl Replayed {
    /// Reads the whole journal. Reading (with the digest chain), understanding
    /// and taking in go on side by side: each is about a third of the work.
    ///
    /// Errors: the storage fails, or a row cannot be understood (it is named).
    pub(crate) fn from_journal(journal: &dyn Journal) -> Result<Self, JournalError> {
        let epoch = journal.epoch()?;
        let head = journal.head()?;
        let (read, reading) = sync_channel::<Result<Vec<Row>, JournalError>>(MAX_BATCHES_AHEAD);
        let (decode, decoding) = sync_channel::<Result<Vec<Decoded>, JournalError>>(MAX_BATCHES_AHEAD);
        thread::scope(|threads| {
            threads.spawn(move || read_all(journal, head, &read));
            threads.spawn(move || {
                let understood = reading.into_iter().map(|rows| {
                    rows.and_then(|rows| {
                        rows.into_iter().map(Decoded::from_row).collect::<Result<Vec<_>, _>>()
                    })
                });
                // Nobody listens any more after the first error.
                understood.map(|rows| decode.send(rows)).take_while(Result::is_ok).for_each(drop);
            });
            let mut private = PrivateCatalog::default();
            let mut position = Position::default();
            let rows = decoding.into_iter().flat_map(|rows| match rows {
                Ok(rows) => rows.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            });
            let public_rows = rows.filter_map(|row| match row {
                Err(error) => Some(Err(error)),
                Ok(Decoded { position: here, private: changes, public }) => {
                    private.apply(here.revision, here.at, changes);
                    position = here;
                    public.map(Ok)
                }
            });
            let public = PublicCatalog::replay(epoch, public_rows)?;
            Ok(Self { public, private, position })
        })
    }
}

/// Sends the rows up to `head`, batch by batch, or the error that ends them.
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

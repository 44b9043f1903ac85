//! Copies the journal, renames its history, and reads how far one got.

use rusqlite::backup::{Backup, StepResult};

use super::*;

/// Copies all pages in one step. A copy in several steps starts over after each
/// write.
const ALL_PAGES: i32 = -1;

/// How far a journal got that is to be replaced.
#[derive(Debug)]
pub struct ReplacedJournal {
    /// The name of its history.
    pub epoch: Epoch,
    /// Its last revision.
    pub head: Revision,
    /// The digest of its first row, which no other registry has.
    pub origin: Option<Digest>,
    /// The rows about earlier restores.
    pub restored: Vec<PublicRow>,
}

/// What is left of a row. None: the half stays as it is.
#[derive(Debug)]
pub struct RedactedHalves {
    /// The number of the row.
    pub revision: Revision,
    /// The new private half.
    pub private: Option<String>,
    /// The new public half.
    pub public: Option<String>,
}

/// Copies all pages into the empty folder `target`, as they are now.
pub(super) fn copy_open(journal: &SqliteJournal, target: &Path) -> Result<(), JournalError> {
    let path = target.join(folder::JOURNAL);
    let mut copy = database::create(&path)?;
    journal.readers.read(|connection| match Backup::new(connection, &mut copy)?.step(ALL_PAGES)? {
        StepResult::Done => Ok(()),
        _ => Err(JournalError::Storage("the journal could not be copied in one step: try again".into())),
    })?;
    database::close(copy, &path)?;
    // A backup must not be ahead of the journal after a power loss.
    journal.make_durable(journal.head()?)
}

/// Copies the journal in `data` into the empty folder `target`. No process may have it open.
pub(in crate::journal) fn copy(data: &Path, target: &Path) -> Result<(), JournalError> {
    let source = database::connect(&data.join(folder::JOURNAL), database::BUSY_TIMEOUT)?;
    layout::check(&source)?;
    let path = target.join(folder::JOURNAL);
    let mut copy = database::create(&path)?;
    match Backup::new(&source, &mut copy)?.step(ALL_PAGES)? {
        StepResult::Done => {}
        _ => {
            return Err(JournalError::Storage(
                "the journal could not be copied in one step: try again".into(),
            ));
        }
    }
    Ok(database::close(copy, &path)?)
}

/// Replaces halves of rows. Nothing of the old text stays in the file.
pub(in crate::journal) fn redact(data: &Path, rows: &[RedactedHalves]) -> Result<(), JournalError> {
    let path = data.join(folder::JOURNAL);
    let mut connection = database::connect(&path, database::BUSY_TIMEOUT)?;
    // Overwrites what is replaced with zeros.
    connection.pragma_update(None, "secure_delete", true)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for RedactedHalves { revision, private, public } in rows {
        let update = "UPDATE rows SET private = coalesce(?2, private), public = coalesce(?3, public) WHERE revision = ?1";
        transaction.execute(update, params![database::to_sql(*revision), private, public])?;
    }
    transaction.commit()?;
    connection.execute_batch("VACUUM")?;
    Ok(database::close(connection, &path)?)
}

/// Checks that the unpacked journal in `data` has the tables of a journal and
/// nothing else. Returns the first difference in words.
pub(in crate::journal) fn foreign_item(data: &Path) -> Result<Option<String>, JournalError> {
    layout::foreign_item(&database::connect(&data.join(folder::JOURNAL), database::BUSY_TIMEOUT)?)
}

/// Gives the history in `data` a new name, and appends `row`, whose number may
/// be any that follows. No process may have it open. Afterwards all of the
/// journal is in its one file.
pub(in crate::journal) fn renew_epoch(data: &Path, row: &Row) -> Result<Epoch, JournalError> {
    let path = data.join(folder::JOURNAL);
    let mut connection = database::connect(&path, database::BUSY_TIMEOUT)?;
    let epoch = layout::new_epoch()?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    layout::set_epoch(&transaction, &epoch)?;
    let last = last_row(&transaction)?;
    row.check_follows(row.revision.saturating_sub(1).max(last.revision), last.at)?;
    insert(&transaction, &last, row)?;
    transaction.commit()?;
    database::close(connection, &path)?;
    Ok(epoch)
}

/// Reads how far the journal in `data` got. No process may have it open. Damaged
/// rows between the first and the last do not matter.
///
/// Errors: there is no journal, or its ends cannot be read.
pub(in crate::journal) fn read_end(data: &Path) -> Result<ReplacedJournal, JournalError> {
    let connection = database::connect(&data.join(folder::JOURNAL), database::BUSY_TIMEOUT)?;
    layout::check(&connection)?;
    let (epoch, head) = (layout::epoch(&connection)?, last_row(&connection)?.revision);
    let origin = origin(&connection)?;
    Ok(ReplacedJournal { epoch, head, origin, restored: restored(&connection).unwrap_or_default() })
}

/// The rows about earlier restores. Other rows may be among them, which contain the same word.
fn restored(connection: &Connection) -> rusqlite::Result<Vec<PublicRow>> {
    let query = "SELECT revision, public FROM rows WHERE instr(public, 'history_restored') > 0";
    let mut statement = connection.prepare(query)?;
    let rows = statement.query_map([], |row| Ok(PublicRow::new(read_u64(row, 0)?, row.get(1)?)))?;
    rows.collect()
}

/// The digest of the first row, which no other registry has.
fn origin(connection: &Connection) -> Result<Option<Digest>, JournalError> {
    let first = "SELECT chain FROM rows ORDER BY revision LIMIT 1";
    let found = connection.query_row(first, [], |row| row.get::<_, [u8; 32]>(0)).optional()?;
    Ok(found.map(Digest::from))
}

//! Copies the journal, and renames its history.

use rusqlite::backup::{Backup, StepResult};

use super::*;

/// Copies all pages in one step. A copy in several steps starts over after each
/// write.
const ALL_PAGES: i32 = -1;

impl SqliteJournal {
    /// Copies the rows into the empty folder `target`, as they are now. Writers
    /// need not stop.
    pub(in crate::journal) fn snapshot(&self, target: &Path) -> Result<(), JournalError> {
        let path = target.join(folder::JOURNAL);
        let mut copy = database::create(&path)?;
        self.readers.read(|connection| match Backup::new(connection, &mut copy)?.step(ALL_PAGES)? {
            StepResult::Done => Ok(()),
            _ => Err(JournalError::Storage("the journal could not be copied in one step: try again".into())),
        })?;
        Ok(database::close(copy, &path)?)
    }
}

/// Gives the history in `data` a new name. No process may have it open.
/// Afterwards all of the journal is in its one file.
pub(in crate::journal) fn renew_epoch(data: &Path) -> Result<Epoch, JournalError> {
    let path = data.join(folder::JOURNAL);
    let connection = database::connect(&path, database::BUSY_TIMEOUT)?;
    let epoch = layout::new_epoch()?;
    layout::set_epoch(&connection, &epoch)?;
    database::close(connection, &path)?;
    Ok(epoch)
}

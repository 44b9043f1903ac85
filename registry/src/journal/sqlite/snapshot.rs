//! A copy of the journal as it is at one moment, and a history's new name.

use rusqlite::backup::{Backup, StepResult};

use super::*;

/// All pages at once: a copy in steps would begin again with every write.
const ALL: i32 = -1;

impl SqliteJournal {
    /// Copies the rows as they are at this moment into the empty folder
    /// `target`. Writers go on meanwhile.
    pub(in crate::journal) fn snapshot(&self, target: &Path) -> Result<(), JournalError> {
        let path = target.join(layout::FILE);
        let mut copy = database::create(&path)?;
        self.readers.read(|connection| {
            let backup = Backup::new(connection, &mut copy)?;
            match backup.step(ALL)? {
                StepResult::Done => Ok(()),
                _ => {
                    Err(JournalError::Storage("the journal could not be read in one piece: try again".into()))
                }
            }
        })?;
        database::close(copy, &path)?;
        Ok(())
    }
}

/// Gives the history in `data`, which nobody has open, a new name. Afterwards
/// all of it is in its one file.
pub(in crate::journal) fn renew_epoch(data: &Path) -> Result<Epoch, JournalError> {
    let path = data.join(layout::FILE);
    let connection = database::connect(&path, database::BUSY_TIMEOUT)?;
    let epoch = layout::new_epoch()?;
    layout::set_epoch(&connection, &epoch)?;
    database::close(connection, &path)?;
    Ok(epoch)
}

//! Copies the rows of one journal into another, whatever stores them.

use std::path::Path;

use super::{Journal, JournalError, Revision, SqliteJournal};

/// Rows that are read and written together.
const ROWS_PER_BATCH: usize = 500;

/// Copies the rows of `from` that `to` lacks, and no row after `last`. Calls `copied`
/// with the last row after each batch. Returns the last row of `to`.
///
/// Each row is checked twice: reading it compares it with the digest chain of `from`,
/// and the link that `to` computes must be the same one. A copy that was interrupted
/// goes on where it ended. Call [`Journal::finish_copy`] afterwards.
///
/// Errors: those of both journals; [`JournalError::Storage`] if `to` has another
/// history, and [`JournalError::Damaged`] if it does not return what was written.
pub fn copy_journal(
    from: &(impl Journal + ?Sized),
    to: &(impl Journal + ?Sized),
    last: Revision,
    mut copied: impl FnMut(Revision),
) -> Result<Revision, JournalError> {
    let epoch = from.epoch()?;
    let mut after = to.head()?;
    if after > 0 && from.link_at(after)? != to.link_at(after)? {
        let why =
            format!("the target has another history (its row {after} differs): copy into an empty journal");
        return Err(JournalError::Storage(why.into()));
    }
    // Also marks an empty journal as a copy.
    to.copy_rows(&epoch, after, &[])?;
    while after < last {
        let mut rows = from.since(after, ROWS_PER_BATCH)?;
        rows.retain(|row| row.revision <= last);
        let Some(end) = rows.last().map(|row| row.revision) else { break };
        to.copy_rows(&epoch, after, &rows)?;
        if to.link_at(end)? != from.link_at(end)? {
            let why = format!("row {end} or one before it was not stored as it is: check the target");
            return Err(JournalError::Damaged(why.into()));
        }
        after = end;
        copied(after);
    }
    if from.epoch()? != epoch {
        let why = "a backup was restored into the source meanwhile: copy into an empty journal";
        return Err(JournalError::Storage(why.into()));
    }
    Ok(after)
}

/// Copies all rows into a new journal in the empty folder `target`.
pub(super) fn copy_to_folder(from: &(impl Journal + ?Sized), target: &Path) -> Result<(), JournalError> {
    let to = SqliteJournal::open_for_copy(target)?;
    copy_journal(from, &to, from.head()?, |_| ())?;
    to.finish_copy()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{MemoryJournal, PublicRow, PublicRows, Row};
    use crate::time::Timestamp;

    fn row(revision: Revision) -> Row {
        let at = Timestamp::from_unix(1_769_860_800).unwrap();
        let public = revision.is_multiple_of(2).then(|| PublicRow::new(revision, "{}".into()));
        Row { revision, at, private: format!("{{\"n\":{revision}}}"), public }
    }

    fn journal_with(rows: Revision) -> MemoryJournal {
        let journal = MemoryJournal::new();
        (1..=rows).for_each(|revision| journal.append(&row(revision)).unwrap());
        journal
    }

    #[test]
    fn copy_that_was_interrupted_goes_on() {
        let (from, to) = (journal_with(1200), MemoryJournal::new());
        assert_eq!(copy_journal(&from, &to, 700, |_| ()).unwrap(), 700);
        from.append(&row(1201)).unwrap();
        let mut seen = Vec::new();
        assert_eq!(copy_journal(&from, &to, 1201, |last| seen.push(last)).unwrap(), 1201);
        assert_eq!(seen, [1200, 1201]);
        to.finish_copy().unwrap();
        assert_eq!(to.epoch().unwrap(), from.epoch().unwrap());
        assert_eq!(to.since(0, 9999).unwrap(), from.since(0, 9999).unwrap());
    }

    #[test]
    fn copy_over_another_history_is_refused() {
        let (from, other) = (journal_with(3), journal_with(2));
        let to = MemoryJournal::new();
        copy_journal(&other, &to, 2, |_| ()).unwrap();
        let why = crate::with_causes(&copy_journal(&from, &to, 3, |_| ()).unwrap_err());
        assert!(why.contains("another journal"), "{why}");
        let finished = journal_with(3);
        let why = crate::with_causes(&copy_journal(&from, &finished, 3, |_| ()).unwrap_err());
        assert!(why.contains("has rows already"), "{why}");
    }

    #[test]
    fn copy_to_folder_writes_a_journal_of_the_same_history() {
        let (from, target) = (journal_with(3), tempfile::tempdir().unwrap());
        copy_to_folder(&from, target.path()).unwrap();
        let copy = SqliteJournal::open(target.path()).unwrap();
        assert_eq!((copy.epoch().unwrap(), copy.head().unwrap()), (from.epoch().unwrap(), 3));
        assert!(!copy.is_unfinished_copy().unwrap());
    }
}

//! Reads submissions back from their rows.

use crate::journal::{JournalError, Revision, Row};
use crate::private::{self, PrivateChange, Submission};
use crate::public::{Contents, Id};
use crate::registry::Registry;

impl Registry {
    /// The submission or promotion with the review id `review`, with its files,
    /// or None if there is no such review. Reads the journal, so it may wait for
    /// a disk.
    pub fn submission(&self, review: Id) -> Result<Option<Submission>, JournalError> {
        let Some(row) = self.row(review.0)? else { return Ok(None) };
        let Ok(decoded) = private::decode(&row) else { return Ok(None) };
        for change in decoded.changes {
            match change {
                PrivateChange::Submitted(submission) => return Ok(Some(*submission)),
                PrivateChange::PromotionRequested(promotion) => {
                    let contents = self.contents(promotion.source_revision)?;
                    return Ok(Some(Submission { published: promotion.published, contents }));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// The contents of the version that row `revision` published.
    fn contents(&self, revision: Revision) -> Result<Contents, JournalError> {
        let row = self.journal().public_row(revision)?.ok_or_else(|| {
            JournalError::Damaged(format!("revision {revision} is promoted but has no public half").into())
        })?;
        Contents::decode(&row).map_err(|error| JournalError::Damaged(error.into()))
    }

    pub(crate) fn row(&self, revision: Revision) -> Result<Option<Row>, JournalError> {
        let Some(before) = revision.checked_sub(1) else { return Ok(None) };
        Ok(self.journal().since(before, 1)?.into_iter().find(|row| row.revision == revision))
    }
}

//! Reading back what was handed in for review.

use crate::journal::{JournalError, Revision, Row};
use crate::private::{Submission, Submitted, submitted};
use crate::public::{Contents, Id};
use crate::registry::Registry;

impl Registry {
    /// What was handed in as the review of that id, with its files; None where
    /// that is no review's id. Reads the journal, so it may wait for a disk.
    pub fn submission(&self, review: Id) -> Result<Option<Submission>, JournalError> {
        let Some(row) = self.row(review.0)? else { return Ok(None) };
        let promotion = match submitted(&row) {
            None => return Ok(None),
            Some(Submitted::Version(submission)) => return Ok(Some(*submission)),
            Some(Submitted::Promotion(promotion)) => promotion,
        };
        let damaged = |why: String| JournalError::Damaged(why);
        let source = self.journal().public_row(promotion.source_revision)?;
        let source = source.ok_or_else(|| {
            damaged(format!("revision {} has no public row, and is promoted", promotion.source_revision))
        })?;
        let contents = Contents::decode(&source).map_err(|why| damaged(why.to_string()))?;
        Ok(Some(Submission { published: promotion.published, contents }))
    }

    fn row(&self, revision: Revision) -> Result<Option<Row>, JournalError> {
        let Some(before) = revision.checked_sub(1) else { return Ok(None) };
        Ok(self.journal().since(before, 1)?.into_iter().find(|row| row.revision == revision))
    }
}

//! Reads submissions back from their rows.

use crate::journal::{JournalError, Revision, Row};
use crate::private::{self, PrivateChange, Submission};
use crate::public::{Contents, Id, ScanVerdict};
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

    /// What scanners said about the submission of a review, but for the own rules: their findings are its warnings.
    pub fn scans(&self, review: Id) -> Result<Vec<ScanVerdict>, JournalError> {
        let rows: Vec<Revision> = self.read(|catalog| {
            let verdicts = catalog.private.reviews.get(review).map(|review| &review.verdicts);
            let rows = verdicts.into_iter().flatten().map(|verdict| verdict.revision);
            rows.filter(|row| *row != review.0).collect()
        });
        let mut scans = Vec::new();
        for row in rows {
            let changes = self.row(row)?.and_then(|row| private::decode(&row).ok()).map(|row| row.changes);
            scans.extend(changes.into_iter().flatten().filter_map(|change| match change {
                PrivateChange::SubmissionScanned { verdict, .. } => Some(*verdict),
                _ => None,
            }));
        }
        Ok(scans)
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

//! Reads submissions back from their rows.

use crate::journal::{JournalError, Revision, Row};
use crate::ops::verdicts::Judged;
use crate::package::Finding;
use crate::private::{self, PrivateChange, Review, Submission};
use crate::public::{Contents, DecodedRow, Id, PublicChange, ScanVerdict};
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

    /// The verdicts that `review` has, with their findings, also if there are newer ones by now. Those of the registry's
    /// own rules are left out: their findings are the warnings of the submission.
    pub fn scans(&self, review: &Review) -> Result<Vec<ScanVerdict>, JournalError> {
        let rows = review.verdicts.iter().map(|verdict| verdict.revision);
        let mut scans = Vec::new();
        for row in rows.filter(|row| *row != review.id.0) {
            let changes = self.row(row)?.and_then(|row| private::decode(&row).ok()).map(|row| row.changes);
            scans.extend(changes.into_iter().flatten().filter_map(|change| match change {
                PrivateChange::SubmissionScanned { verdict, .. } => Some(*verdict),
                _ => None,
            }));
        }
        Ok(scans)
    }

    /// The row with the last verdict of the same scanner about a public version, if its findings are the same.
    pub fn same_findings(
        &self,
        judged: &Judged,
        verdict: &ScanVerdict,
    ) -> Result<Option<Revision>, JournalError> {
        let Judged::Version { skill, version, .. } = judged else { return Ok(None) };
        let last = self.read(|catalog| {
            let verdicts = &catalog.public.skill(skill)?.version(version)?.verdicts;
            let last = verdicts.iter().find(|known| known.summary.scanner == verdict.scanner)?;
            Some(last.revision)
        });
        let Some(last) = last else { return Ok(None) };
        let Some(row) = self.journal().public_row(last)? else { return Ok(None) };
        // The text of the row may have been removed.
        let said: Option<Vec<Finding>> = match DecodedRow::decode(&row).map(|row| row.change) {
            Ok(PublicChange::Scanned(scanned)) => Some(scanned.verdict.findings),
            _ => Contents::decode(&row).ok().map(|all| all.findings_of(&verdict.scanner).cloned().collect()),
        };
        let now: Vec<Finding> = verdict.findings.iter().map(Finding::without_column).collect();
        Ok((said == Some(now)).then_some(last))
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

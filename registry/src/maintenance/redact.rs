//! Removes the text of rows for good.
//!
//! The journal is copied without the text, checked like a backup, and put in place of the old one,
//! which is removed. The history gets a new name, as after a restore, because readers have to read
//! its pages again. Digests stay as they were, and with them the chain and the transparency log.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::backup::{history_row, local_state};
use super::check::check_history;
use super::{CheckReport, Fault};
use crate::journal::{
    BackupError, Epoch, Journal, JournalError, PendingRestore, PublicRow, RedactedHalves, Revision, Row,
};
use crate::names::{Coordinate, Version};
use crate::private::{self, PrivateChange};
use crate::public::redacted::digest_of;
use crate::public::{
    self, DecodedRow, HistoryRestored, Id, PublicChange, PublicRecord, Published, Redacted, RowRedacted,
    SkillName,
};
use crate::text_rules::check_line;
use crate::time::Timestamp;

/// How many rows are read at a time.
const ROWS_PER_BATCH: usize = 1_000;

/// The most characters of a reason.
const MAX_REASON: usize = 1_024;

/// What is to be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedactionTarget {
    /// The row with this number.
    Row(Revision),
    /// The row that made this version public, its package, and what scanners said about it.
    Version(Coordinate, Version),
}

/// What will be removed.
#[derive(Debug)]
pub struct RedactionPlan {
    /// The row.
    pub revision: Revision,
    /// What the row is about, in words.
    pub what: String,
    /// Other versions with the same content, which stay.
    pub copies: Vec<String>,
    rows: Vec<RedactedHalves>,
}

/// What was removed.
#[derive(Debug, Serialize)]
pub struct RedactionSummary {
    /// The new name of the history.
    pub epoch: Epoch,
    /// The number with which the history goes on.
    pub revision: Revision,
    /// Folders of earlier restores in the data folder, which may still have the text.
    pub older: Vec<PathBuf>,
}

/// Why nothing was removed.
#[derive(Debug, thiserror::Error)]
pub enum RedactionError {
    /// The journal cannot be read or replaced.
    #[error(transparent)]
    Journal(#[from] BackupError),
    /// The target cannot be redacted. The text says why.
    #[error("{0}")]
    Target(String),
    /// The journal is damaged, before or after.
    #[error("the journal is damaged: {0}: nothing was changed. Restore a backup first")]
    Damaged(String),
}

impl From<JournalError> for RedactionError {
    fn from(why: JournalError) -> Self {
        Self::Journal(why.into())
    }
}

impl RedactionPlan {
    /// Finds what has to be removed.
    pub fn of(journal: &dyn Journal, target: &RedactionTarget) -> Result<Self, RedactionError> {
        let mut found: Option<(Revision, String)> = None;
        let mut version: Option<Box<Published>> = None;
        let (mut rows, mut copies) = (Vec::new(), Vec::new());
        for_each_row(journal, |row| {
            let Some(public) = &row.public else { return Ok(()) };
            let decoded = DecodedRow::decode(public).map_err(damaged)?;
            let is_asked = match (target, &decoded.change) {
                (RedactionTarget::Row(revision), _) => *revision == row.revision,
                (RedactionTarget::Version(coordinate, version), PublicChange::Published(published)) => {
                    (coordinate, version) == (&published.coordinate(), &published.version)
                }
                _ => false,
            };
            if is_asked {
                let what = what(&decoded.change)?;
                if let PublicChange::Published(published) = decoded.change {
                    version = Some(published);
                }
                found = Some((row.revision, what));
                rows.push(stub(&row, public)?);
            }
            Ok(())
        })?;
        let Some((revision, what)) = found else {
            return Err(target_error("there is no such public row: `skillmirror audit` lists what was done"));
        };
        if let Some(version) = version {
            let mut reviews = Vec::new();
            for_each_row(journal, |row| {
                if let Some(left) = without_submission(&row, version.version_id, &mut reviews)? {
                    rows.push(RedactedHalves { revision: row.revision, private: Some(left), public: None });
                }
                let Some(public) = &row.public else { return Ok(()) };
                match DecodedRow::decode(public).map_err(damaged)?.change {
                    // What scanners say may quote the text.
                    PublicChange::Scanned(scanned)
                        if (scanned.skill.coordinate(), &scanned.version)
                            == (version.coordinate(), &version.version) =>
                    {
                        rows.push(stub(&row, public)?);
                    }
                    PublicChange::Published(other)
                        if other.content_digest == version.content_digest
                            && other.version_id != version.version_id =>
                    {
                        copies.push(name(&other));
                    }
                    _ => {}
                }
                Ok(())
            })?;
        }
        Ok(Self { revision, what, copies, rows })
    }
}

/// Checks the reason for a redaction: one line of at most 1,024 characters, which everybody can read and every mirror
/// takes. The error is the rest of a sentence about it.
pub fn check_reason(reason: &str) -> Result<(), String> {
    check_line(reason, MAX_REASON)
}

/// Removes what `plan` names from the journal in `data`. [`check_reason`] has accepted the reason. No process may have it open.
pub fn redact(data: &Path, plan: &RedactionPlan, reason: &str) -> Result<RedactionSummary, RedactionError> {
    let pending = PendingRestore::of_copy(data)?;
    pending.redact(&plan.rows)?;
    let copy = pending.open()?;
    let journal = &*copy.journal;
    let mut last = journal.head()?;
    let mut at = Timestamp::default();
    for_each_row(journal, |row| {
        at = row.at;
        Ok(())
    })?;
    let at = Timestamp::now().max(at);
    for of in plan.rows.iter().filter(|of| of.public.is_some()) {
        last += 1;
        let record = PublicChange::RowRedacted(RowRedacted { row: of.revision, reason: reason.to_owned() });
        let public = PublicRow::new(last, encode(last, at, &record.into())?);
        let private = private::encode(&private::Audit::default(), &[]).map_err(json_failed)?;
        journal.append(&Row { revision: last, at, private, public: Some(public) })?;
    }
    journal.make_durable(last)?;
    let (report, end) = check_history(&copy)?;
    drop(copy);
    refuse_faults(&report)?;
    pending.remove_unnamed(&end.packages)?;
    let (_, generation) = local_state(data)?;
    let revision = last.saturating_add(generation).saturating_add(1);
    let mut earlier_epochs = end.epochs;
    earlier_epochs.sort();
    let restored = HistoryRestored { backup_revision: last, earlier_epochs };
    let done = pending.finish(&history_row(revision, at, restored)?)?;
    done.remove_replaced()?;
    Ok(RedactionSummary { epoch: done.epoch, revision, older: PendingRestore::earlier(data) })
}

fn refuse_faults(report: &CheckReport) -> Result<(), RedactionError> {
    report.faults.first().map_or(Ok(()), |fault: &Fault| Err(RedactionError::Damaged(fault.to_string())))
}

/// What a row is about, in words. The error is for kinds that cannot be redacted.
fn what(change: &PublicChange) -> Result<String, RedactionError> {
    let of = |skill: &SkillName, version: &Version| format!("{} {version}", skill.coordinate().scoped());
    Ok(match change {
        PublicChange::Published(published) => {
            format!("the version {} and its package", name(published))
        }
        PublicChange::Yanked(yanked) => {
            format!("the reason why {} is yanked", of(&yanked.skill, &yanked.version))
        }
        PublicChange::Scanned(scanned) => {
            format!("what a scanner said about {}", of(&scanned.skill, &scanned.version))
        }
        PublicChange::AdvisoryPublished(advisory) => {
            format!("an advisory about {}", advisory.skill.coordinate().scoped())
        }
        PublicChange::AdvisoryWithdrawn(withdrawn) => {
            format!("the withdrawal of {}, which holds again", withdrawn.advisory)
        }
        PublicChange::BundleSet(bundle) => format!("a state of the bundle {}", bundle.name),
        PublicChange::Redacted(_) => return Err(target_error("it was redacted before")),
        _ => {
            return Err(target_error(
                "only versions, the reasons of yanks, what scanners said, advisories and bundles can be redacted",
            ));
        }
    })
}

/// A row without its public text.
fn stub(row: &Row, public: &PublicRow) -> Result<RedactedHalves, RedactionError> {
    let stub = PublicChange::Redacted(Redacted { sha256: public.digest }).into();
    let public = Some(encode(row.revision, row.at, &stub)?);
    Ok(RedactedHalves { revision: row.revision, private: None, public })
}

/// The private half of a row without the submission of a version, and without what scanners said about it. None if it has
/// none. Adds the review of the submission to `reviews`.
fn without_submission(
    row: &Row,
    version: Id,
    reviews: &mut Vec<Id>,
) -> Result<Option<String>, RedactionError> {
    let decoded = private::decode(row).map_err(damaged)?;
    let submits = |change: &PrivateChange| matches!(change, PrivateChange::Submitted(submission) if submission.published.version_id == version);
    if decoded.changes.iter().any(submits) {
        reviews.push(Id(row.revision));
    }
    let is_submission = |change: &PrivateChange| match change {
        PrivateChange::SubmissionScanned { review, .. } => reviews.contains(review),
        other => submits(other),
    };
    if !decoded.changes.iter().any(is_submission) {
        return Ok(None);
    }
    let others: Vec<_> = decoded.changes.into_iter().filter(|change| !is_submission(change)).collect();
    let left = private::encode(&decoded.audit, &others).map_err(json_failed)?;
    let digest = digest_of(&row.private);
    let text = left.strip_suffix('}').map(|left| format!("{left},\"redacted\":\"{digest}\"}}"));
    text.map(Some).ok_or_else(|| RedactionError::Damaged(format!("revision {}", row.revision)))
}

fn for_each_row(
    journal: &dyn Journal,
    mut visit: impl FnMut(Row) -> Result<(), RedactionError>,
) -> Result<(), RedactionError> {
    let mut after = 0;
    loop {
        let rows = journal.since(after, ROWS_PER_BATCH)?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.revision;
        rows.into_iter().try_for_each(&mut visit)?;
    }
}

fn name(published: &Published) -> String {
    format!("{}@{}", published.coordinate().scoped(), published.version)
}

fn encode(revision: Revision, at: Timestamp, record: &PublicRecord) -> Result<String, RedactionError> {
    public::encode(revision, at, record).map_err(json_failed)
}

fn json_failed(why: serde_json::Error) -> RedactionError {
    JournalError::Storage(why.into()).into()
}

fn damaged(why: crate::public::DecodeError) -> RedactionError {
    RedactionError::Damaged(format!("revision {}: {}", why.revision, why.cause))
}

fn target_error(why: &str) -> RedactionError {
    RedactionError::Target(why.to_owned())
}

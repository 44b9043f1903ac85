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
use crate::names::{Coordinate, Digest, Version};
use crate::private::{self, PrivateChange};
use crate::public::redacted::digest_of;
use crate::public::{
    self, DecodedRow, HistoryRestored, Id, PublicChange, PublicRecord, Published, Redacted, RowRedacted,
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
    /// The row that made this version public, and its package.
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
        let mut version: Option<(Id, Digest)> = None;
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
                let what = match &decoded.change {
                    PublicChange::Published(published) => {
                        version = Some((published.version_id, published.content_digest));
                        format!("the version {} and its package", name(published))
                    }
                    PublicChange::Yanked(yanked) => {
                        format!(
                            "the reason why {} {} is yanked",
                            yanked.skill.coordinate().scoped(),
                            yanked.version
                        )
                    }
                    PublicChange::Redacted(_) => return Err(target_error("it was redacted before")),
                    _ => return Err(target_error("only versions and the reasons of yanks can be redacted")),
                };
                found = Some((row.revision, what));
                let stub = PublicChange::Redacted(Redacted { sha256: public.digest }).into();
                rows.push(RedactedHalves {
                    revision: row.revision,
                    private: None,
                    public: Some(encode(row.revision, row.at, &stub)?),
                });
            }
            Ok(())
        })?;
        let Some((revision, what)) = found else {
            return Err(target_error("there is no such public row: `skillmirror audit` lists what was done"));
        };
        if let Some((id, content)) = version {
            for_each_row(journal, |row| {
                if let Some(left) = without_submission(&row, id)? {
                    rows.push(RedactedHalves { revision: row.revision, private: Some(left), public: None });
                }
                let change = row.public.as_ref().map(DecodedRow::decode).transpose().map_err(damaged)?;
                if let Some(DecodedRow { change: PublicChange::Published(other), .. }) = change
                    && other.content_digest == content
                    && other.version_id != id
                {
                    copies.push(name(&other));
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
    let last = journal.head()?;
    let mut at = Timestamp::default();
    for_each_row(journal, |row| {
        at = row.at;
        Ok(())
    })?;
    let at = Timestamp::now().max(at);
    let record = PublicChange::RowRedacted(RowRedacted { row: plan.revision, reason: reason.to_owned() });
    let public = PublicRow::new(last + 1, encode(last + 1, at, &record.into())?);
    let private = private::encode(&private::Audit::default(), &[]).map_err(json_failed)?;
    journal.append(&Row { revision: last + 1, at, private, public: Some(public) })?;
    journal.make_durable(last + 1)?;
    let (report, end) = check_history(&copy)?;
    drop(copy);
    refuse_faults(&report)?;
    pending.remove_unnamed(&end.packages)?;
    let (_, generation) = local_state(data)?;
    let revision = (last + 1).saturating_add(generation).saturating_add(1);
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

/// The private half of a row without the submission of a version. None if it has none.
fn without_submission(row: &Row, version: Id) -> Result<Option<String>, RedactionError> {
    let decoded = private::decode(row).map_err(damaged)?;
    let is_submission = |change: &PrivateChange| matches!(change, PrivateChange::Submitted(submission) if submission.published.version_id == version);
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

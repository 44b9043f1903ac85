//! The audit trail: who did what and when, read out of the journal.

mod act;

use serde::Serialize;

use crate::journal::{Journal, JournalError, PublicRow, Revision};
use crate::names::{Coordinate, Handle};
use crate::private::{self, DecodedPrivate};
use crate::public::{DecodedRow, Id};
use crate::time::Timestamp;
pub use act::Act;
use act::Names;

/// How many rows are held in memory at once.
const BATCH: usize = 100;

/// Which rows are asked for: those that fit everything that is given.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// What this person did, or what was done to their account or membership.
    pub user: Option<Handle>,
    /// What was done to this skill.
    pub skill: Option<Coordinate>,
    /// What was done then or later.
    pub since: Option<Timestamp>,
}

/// A row of the journal, for people.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The row.
    pub revision: Revision,
    /// When.
    pub at: Timestamp,
    /// Who; None for the operator of the machine.
    pub actor: Option<Handle>,
    /// With which token.
    pub credential: Option<Id>,
    /// In which session.
    pub session: Option<String>,
    /// In which request, as its answer named it.
    pub request: Option<String>,
    /// What.
    pub acts: Vec<Act>,
}

impl AuditFilter {
    fn matches(&self, entry: &Entry) -> bool {
        let is_user = |user: &Handle| {
            entry.actor.as_ref() == Some(user) || entry.acts.iter().any(|act| act.user.as_ref() == Some(user))
        };
        let is_skill = |skill: &Coordinate| entry.acts.iter().any(|act| act.skill.as_ref() == Some(skill));
        self.since.is_none_or(|since| entry.at >= since)
            && self.user.as_ref().is_none_or(is_user)
            && self.skill.as_ref().is_none_or(is_skill)
    }
}

/// Calls `visit` with every row that matches `filter`, in order.
///
/// Errors: the journal cannot be read, a row cannot be understood, or `visit`
/// fails.
pub fn audit<E: From<JournalError>>(
    journal: &dyn Journal,
    filter: &AuditFilter,
    mut visit: impl FnMut(Entry) -> Result<(), E>,
) -> Result<(), E> {
    let (mut names, mut last) = (Names::default(), 0);
    loop {
        let rows = journal.since(last, BATCH)?;
        let Some(end) = rows.last() else { return Ok(()) };
        last = end.revision;
        for row in rows {
            let damaged = |why: &dyn std::fmt::Display| JournalError::Damaged(why.to_string().into());
            let DecodedPrivate { audit, changes } = private::decode(&row).map_err(|why| damaged(&why))?;
            let mut acts = Vec::new();
            if let Some(json) = row.public {
                let public = PublicRow { revision: row.revision, json };
                let decoded = DecodedRow::decode(&public).map_err(|why| damaged(&why))?;
                acts.push(names.public(&decoded.change));
            }
            acts.extend(changes.iter().map(|change| names.private(Id(row.revision), change)));
            let entry = Entry {
                revision: row.revision,
                at: row.at,
                actor: audit.actor,
                credential: audit.credential,
                session: audit.session,
                request: audit.request,
                acts,
            };
            if filter.matches(&entry) {
                visit(entry)?;
            }
        }
    }
}

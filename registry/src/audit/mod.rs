//! The audit trail: who did what and when, read from the journal.

mod act;

use serde::Serialize;

use crate::journal::{Journal, JournalError, Revision};
use crate::names::{Coordinate, Handle};
use crate::private::DecodedPrivate;
use crate::public::Id;
use crate::replay::{Decoded, Position};
use crate::time::Timestamp;
pub use act::Act;
use act::Names;

/// Rows that are read at a time.
const BATCH: usize = 100;

/// Selects rows. A row matches if it fits all fields that are set.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// A user who acted, or whose account or membership changed.
    pub user: Option<Handle>,
    /// A skill that changed.
    pub skill: Option<Coordinate>,
    /// The earliest time.
    pub since: Option<Timestamp>,
}

/// A row of the journal, in words.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The number of the row.
    pub revision: Revision,
    /// The time.
    pub at: Timestamp,
    /// The user. None for an operator who acted for nobody.
    pub actor: Option<Handle>,
    /// The id of the token in use.
    pub credential: Option<Id>,
    /// The public id of the session in use.
    pub session: Option<String>,
    /// The id of the request, as in the response header.
    pub request: Option<String>,
    /// The changes.
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
/// Errors: the journal cannot be read, a row is damaged, or `visit` fails.
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
            let Decoded { position: Position { revision, at }, private, public } = Decoded::from_row(row)?;
            let DecodedPrivate { audit, changes } = private;
            let mut acts: Vec<_> = public.iter().map(|(_, row)| names.public(&row.change)).collect();
            acts.extend(changes.iter().map(|change| names.private(Id(revision), change)));
            let entry = Entry {
                revision,
                at,
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

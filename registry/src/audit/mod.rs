//! The audit trail: who did what and when, read from the journal.

mod act;

use serde::Serialize;

use crate::journal::{Journal, JournalError, Revision};
use crate::names::{Coordinate, Handle, Namespace, TagName, Version};
use crate::private::{DecodedPrivate, MemberRole, Score};
use crate::public::{Id, SkillName};
use crate::replay::{Decoded, Position};
use crate::time::Timestamp;
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

/// A row of the journal, in words and as fields.
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
    pub token: Option<Id>,
    /// The public id of the session in use.
    pub session: Option<String>,
    /// The id of the request, as in the response header.
    pub request: Option<String>,
    /// The changes.
    pub acts: Vec<Act>,
}

/// One change.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Act {
    /// The kind of the change, as in the journal: `published`, `token_revoked`.
    pub action: &'static str,
    /// The changed namespace, or that of the skill.
    pub namespace: Option<Namespace>,
    /// The changed skill.
    pub skill: Option<Coordinate>,
    /// The version that is published, reviewed, yanked, or given a tag.
    pub version: Option<Version>,
    /// The user whose account or membership changed.
    pub user: Option<Handle>,
    /// The review.
    pub review: Option<Id>,
    /// The token that is issued or revoked.
    pub token: Option<Id>,
    /// The tag of the skill.
    pub tag: Option<TagName>,
    /// The role of the member.
    pub role: Option<MemberRole>,
    /// The rating.
    pub score: Option<Score>,
    /// The reason or the comment, in the words of a person.
    pub reason: Option<String>,
    /// The change as a sentence without its subject.
    #[serde(skip)]
    pub what: String,
}

impl Act {
    fn of(action: &'static str, what: String) -> Self {
        Self { action, what, ..Self::default() }
    }

    fn of_skill(action: &'static str, skill: Coordinate, what: impl FnOnce(&Coordinate) -> String) -> Self {
        Self::of(action, what(&skill)).with(|act| act.skill = Some(skill))
    }

    fn of_version(
        action: &'static str,
        skill: &SkillName,
        version: &Version,
        what: impl FnOnce(&Coordinate) -> String,
    ) -> Self {
        Self::of_skill(action, skill.coordinate(), what).with(|act| act.version = Some(version.clone()))
    }

    fn of_user(action: &'static str, user: &Handle, what: String) -> Self {
        Self::of(action, what).with(|act| act.user = Some(user.clone()))
    }

    fn of_member(action: &'static str, namespace: &Namespace, user: &Handle, what: String) -> Self {
        Self::of_user(action, user, what).with(|act| act.namespace = Some(namespace.clone()))
    }

    fn with(mut self, set: impl FnOnce(&mut Self)) -> Self {
        set(&mut self);
        self
    }

    fn because(self, reason: Option<&str>) -> Self {
        self.with(|act| act.reason = reason.map(ToOwned::to_owned))
    }
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
            for act in &mut acts {
                let of_skill = act.skill.as_ref().map(|skill| skill.namespace.clone());
                act.namespace = act.namespace.take().or(of_skill);
            }
            let entry = Entry {
                revision,
                at,
                actor: audit.actor,
                token: audit.credential,
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

//! The audit trail: who did what and when, read from the journal.

mod act;
mod phrases;

use std::collections::HashMap;

use serde::Serialize;

use crate::Registry;
use crate::journal::{JournalError, Revision, Row};
use crate::names::{Coordinate, Handle, Namespace, TagName, Version};
use crate::private::{self, DecodedPrivate, IssuedToken, MemberRole, PrivateChange, Score};
use crate::public::{Id, PublicChange, SkillName};
use crate::replay::{Decoded, Position, ROWS_PER_BATCH};
use crate::time::Timestamp;
use act::Names;

/// The rows that are read at a time from the end: one of a large package has a megabyte.
const ROWS_FROM_END: Revision = 20;

/// A page reads no more rows once it has read this many.
const MAX_ROWS_OF_PAGE: Revision = 2_000;

/// A page reads no more rows once they have this many bytes together.
const MAX_BYTES_OF_PAGE: usize = 8 << 20;

/// Selects rows. A row matches if it fits all fields that are set.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// A user who acted, or whose account or membership changed.
    pub user: Option<Handle>,
    /// A skill that changed.
    pub skill: Option<Coordinate>,
    /// A namespace that changed itself, or in its members or skills.
    pub namespace: Option<Namespace>,
    /// The earliest time.
    pub since: Option<Timestamp>,
}

/// Part of the audit trail, newest first.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct AuditPage {
    /// The rows that match.
    pub items: Vec<Entry>,
    /// The next page has the rows before this one. None after the first row of the journal.
    pub next: Option<Revision>,
}

/// A row of the journal, in words and as fields.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "AuditEntry"))]
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
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "AuditAct"))]
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
        let is_namespace =
            |name: &Namespace| entry.acts.iter().any(|act| act.namespace.as_ref() == Some(name));
        self.since.is_none_or(|since| entry.at >= since)
            && self.user.as_ref().is_none_or(is_user)
            && self.skill.as_ref().is_none_or(is_skill)
            && self.namespace.as_ref().is_none_or(is_namespace)
    }
}

impl Registry {
    /// Calls `visit` with every row that matches `filter`, in order.
    ///
    /// Errors: the journal cannot be read, a row is damaged, or `visit` fails.
    pub fn audit<E: From<JournalError>>(
        &self,
        filter: &AuditFilter,
        mut visit: impl FnMut(Entry) -> Result<(), E>,
    ) -> Result<(), E> {
        self.rows_between(0, self.revision() + 1, |row| {
            let entry = self.entry(Decoded::from_row(row)?)?;
            if filter.matches(&entry) { visit(entry) } else { Ok(()) }
        })
    }

    /// The last `size` rows before row `before` that match `filter`, newest first. They may be fewer, even none, if few
    /// rows match, because a page reads a bounded number of rows. Waits for a disk.
    pub fn audit_page(
        &self,
        filter: &AuditFilter,
        before: Option<Revision>,
        size: usize,
    ) -> Result<AuditPage, JournalError> {
        let mut next = before.unwrap_or(Revision::MAX).min(self.revision() + 1);
        let (mut items, mut read, mut bytes) = (Vec::new(), 0, 0);
        while next > 1 && items.len() < size && read < MAX_ROWS_OF_PAGE && bytes < MAX_BYTES_OF_PAGE {
            let after = next.saturating_sub(ROWS_FROM_END + 1);
            let mut rows = Vec::new();
            self.rows_between(after, next, |row| {
                rows.push(row);
                Ok::<_, JournalError>(())
            })?;
            read += ROWS_FROM_END;
            next = after + 1;
            for row in rows.into_iter().rev() {
                bytes += row.bytes();
                let row = Decoded::from_row(row)?;
                let revision = row.position.revision;
                let restored = row.public.as_ref().and_then(|(_, row)| match &row.change {
                    PublicChange::HistoryRestored(restored) => Some(restored.backup_revision),
                    _ => None,
                });
                // A restore skips numbers.
                next = restored.map_or(revision, |backup| (backup + 1).min(revision));
                items.extend(Some(self.entry(row)?).filter(|entry| filter.matches(entry)));
                if items.len() == size || next < revision {
                    break;
                }
            }
        }
        Ok(AuditPage { items, next: Some(next).filter(|next| *next > 1) })
    }

    /// Calls `visit` with the rows after row `after` and before row `end`, in order.
    fn rows_between<E: From<JournalError>>(
        &self,
        mut after: Revision,
        end: Revision,
        mut visit: impl FnMut(Row) -> Result<(), E>,
    ) -> Result<(), E> {
        while after + 1 < end {
            let limit = usize::try_from(end - after - 1).unwrap_or(usize::MAX).min(ROWS_PER_BATCH);
            let rows = self.journal().since(after, limit)?;
            let Some(last) = rows.last() else { break };
            after = last.revision;
            rows.into_iter().filter(|row| row.revision < end).try_for_each(&mut visit)?;
        }
        Ok(())
    }

    /// A row in words.
    fn entry(&self, row: Decoded) -> Result<Entry, JournalError> {
        let Decoded { position: Position { revision, at }, private, public } = row;
        let DecodedPrivate { audit, changes } = private;
        let mut revoked = HashMap::new();
        for change in &changes {
            if let PrivateChange::TokenRevoked { id } = change {
                revoked.extend(self.issued_token(*id)?.map(|token| (*id, token)));
            }
        }
        let mut acts: Vec<_> = self.read(|catalog| {
            let names = Names { catalog, revoked: &revoked };
            let public = public.iter().map(|(_, row)| names.public(&row.change));
            public.chain(changes.iter().map(|change| names.private(Id(revision), change))).collect()
        });
        for act in &mut acts {
            let of_skill = act.skill.as_ref().map(|skill| skill.namespace.clone());
            act.namespace = act.namespace.take().or(of_skill);
        }
        Ok(Entry {
            revision,
            at,
            actor: audit.actor,
            token: audit.credential,
            session: audit.session,
            request: audit.request,
            acts,
        })
    }

    /// A token as it was issued, from its row.
    fn issued_token(&self, id: Id) -> Result<Option<IssuedToken>, JournalError> {
        let Some(row) = self.row(id.0)? else { return Ok(None) };
        let changes = private::decode(&row).map(|decoded| decoded.changes).unwrap_or_default();
        Ok(changes.into_iter().find_map(|change| match change {
            PrivateChange::TokenIssued(token) => Some(token),
            _ => None,
        }))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

//! Which history a source has, and what is signed about it.

use registry::journal::Epoch;
use registry::transparency_log::{NotRestored, Restore};

use super::{FollowError, Follower};
use crate::SignedNotes;
use crate::address::Document;
use registry::api::public::Head;

impl Follower {
    /// Refuses a head of another history, unless it was accepted beforehand, or a trusted key has
    /// signed that it continues this one. A source that lies could replace all that the mirror has.
    pub(super) fn check_history(&self, head: &Head) -> Result<(), FollowError> {
        let Some((known, known_revision)) = self.history() else { return Ok(()) };
        if *known == head.epoch || self.options.accepts_new_history {
            return Ok(());
        }
        let Some(missing) = self.lacks_continuation(head, known)? else { return Ok(()) };
        Err(FollowError::OtherHistory {
            name: self.replica.feed.source.name(),
            epoch: head.epoch.clone(),
            revision: head.revision,
            known: known.clone(),
            known_revision,
            missing,
        })
    }

    /// What is missing for following another epoch than the known one, as the rest of a sentence
    /// about the source. None if nothing is.
    fn lacks_continuation(&self, head: &Head, known: &Epoch) -> Result<Option<String>, FollowError> {
        if self.trust.keys.is_empty() {
            return Ok(Some("without --vkey nobody can tell whether it continues this one".into()));
        }
        let file = Document::EpochStatement.name();
        let keys = &self.replica.settings.keys;
        let Some(signed) = self.trust.read_statement(&self.replica.feed, keys)? else {
            return Ok(Some(format!(
                "{file}, signed, would say that it continues this one, but does not exist"
            )));
        };
        let statement = &signed.statement;
        if statement.epoch != head.epoch {
            return Ok(Some(format!("{file} is about the epoch {}", statement.epoch)));
        }
        let own_root = || self.replica.public.read().log().root_at(statement.size);
        let own_root = self.replica.head.as_ref().and_then(|_| own_root());
        // The roots of the source's rows are checked with the rows.
        let restore = Restore { statement, accepted: Some(known), roots: [own_root, None] };
        let size = statement.size;
        Ok(restore.check().err().map(|why| match why {
            NotRestored::OtherEpoch => format!("{file} does not name the epoch of this mirror"),
            NotRestored::OtherRows => {
                format!("{file} names other rows as the first {size} than this mirror has")
            }
        }))
    }

    /// Reads what the source has signed.
    pub(super) fn read_notes(&self, head: &Head) -> Result<SignedNotes, FollowError> {
        let feed = &self.replica.feed;
        let checkpoint = self.trust.read(feed, head)?;
        let is_other = head.epoch != self.replica.epoch();
        let statement = match is_other || self.replica.lacks_statement() {
            true => self
                .trust
                .read_statement(feed, &self.replica.settings.keys)?
                .filter(|it| it.statement.epoch == head.epoch),
            false => self.replica.statement(),
        };
        Ok(SignedNotes { checkpoint, statement })
    }
}

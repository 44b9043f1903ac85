//! The one thing that the token of a job allows.

use super::{Actor, Denied};
use crate::names::Coordinate;
use crate::private::{JobGrant, PrivateChange};
use crate::public::{PublicChange, PublicRecord};

impl JobGrant {
    /// Refuses to publish another skill than the one of the token.
    pub(crate) fn check(&self, skill: &Coordinate) -> Result<(), Denied> {
        match self.covers(skill) {
            true => Ok(()),
            false => Err(Denied(format!(
                "this token of a job publishes {}, and not {}: exchange the job's token for that one",
                self.what(),
                skill.scoped()
            ))),
        }
    }
}

impl Actor {
    /// Checks what an operation has decided. A job's token writes nothing but a publication of its skill, whatever the
    /// operation allows to the person in whose name it acts.
    pub(crate) fn may_write(
        &self,
        private: &[PrivateChange],
        public: Option<&PublicRecord>,
    ) -> Result<(), Denied> {
        let Some(grant) = &self.job else { return Ok(()) };
        let only = || {
            Denied(format!("this token of a job only publishes {}: use a token of a person", grant.what()))
        };
        let mut published = None;
        for change in private {
            match change {
                PrivateChange::Submitted(submission) => published = Some(submission.published.coordinate()),
                PrivateChange::PublishedByJob { .. } | PrivateChange::SubmissionWithdrawn { .. } => {}
                _ => return Err(only()),
            }
        }
        match public.map(PublicRecord::change) {
            Some(PublicChange::Published(public)) => published = Some(public.coordinate()),
            Some(_) => return Err(only()),
            None => {}
        }
        match published {
            Some(skill) => grant.check(&skill),
            None if private.is_empty() => Ok(()),
            // It would withdraw a submission.
            None => Err(only()),
        }
    }
}

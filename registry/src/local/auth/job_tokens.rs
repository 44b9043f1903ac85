//! The short-lived tokens of jobs, and the tokens of CI systems that were exchanged for them.

use crate::local::{LocalError, LocalStore, Record, Space};
use crate::names::Digest;
use crate::private::JobGrant;
use crate::time::Timestamp;

/// What each token allows, by its digest.
pub(super) const JOB_TOKENS: Space = Space::new("job_tokens.1");

/// The tokens of CI systems that were exchanged, by the digest of their issuer and id.
const EXCHANGED: Space = Space::new("exchanged_job_ids.1");

impl LocalStore {
    /// Keeps the token of a job, unless the token of the CI system with this id was exchanged before, perhaps at
    /// another server. `ends_at` is the time until which the latter is accepted. Returns whether it is kept.
    pub fn exchange_job_token(
        &self,
        id: &Digest,
        ends_at: Timestamp,
        token: &Digest,
        grant: &JobGrant,
    ) -> Result<bool, LocalError> {
        let used = (EXCHANGED, id.to_string());
        let new = [
            // A record expires in the second that it names.
            Record::new(used.clone(), &true)?.expiring(ends_at.as_unix().saturating_add(1)),
            Record::new((JOB_TOKENS, token.to_string()), grant)?.expiring(grant.expires_at.as_unix()),
        ];
        self.write(Some(EXCHANGED), |records| {
            let is_new = records.get(std::slice::from_ref(&used))?.iter().all(Option::is_none);
            if is_new {
                records.put(&new)?;
            }
            Ok(is_new)
        })
    }

    /// What the token of a job allows. None if it is unknown or has expired.
    pub fn job_token(&self, token: &Digest, now: Timestamp) -> Result<Option<JobGrant>, LocalError> {
        let grant: Option<JobGrant> = self.single(|records| records.value(JOB_TOKENS, &token.to_string()))?;
        Ok(grant.filter(|grant| grant.expires_at > now))
    }
}

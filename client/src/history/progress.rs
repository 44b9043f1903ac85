//! Whether a log continues what this user has seen of it.

use generator::address::Document;
use registry::public::Epoch;
use registry::transparency_log::{
    Checkpoint, Continuation, EpochStatement, MAX_SIGNED_NOTE, Restore, continuation,
};

use super::{HistoryError, SignedHistory, TrustedRegistries};
use crate::ClientError;

impl SignedHistory<'_> {
    /// Checks that the log of a checkpoint continues the last one that this user has seen. If a backup
    /// was restored, the registry must have signed that. Returns the epoch to remember, if it is
    /// another one than before.
    pub(super) fn check_progress(
        &self,
        checkpoint: &Checkpoint,
        signed: &str,
    ) -> Result<Option<Epoch>, ClientError> {
        let trusted = TrustedRegistries::load()?;
        let Some((kept, text)) = trusted.checkpoint(&checkpoint.origin) else {
            return Ok(self.epoch_statement()?.map(|statement| statement.epoch));
        };
        let root_at = |size| match size <= checkpoint.size {
            true => self.in_log(checkpoint.clone(), |log| log.root_at(size)).map(Some),
            false => Ok(None),
        };
        let root = root_at(kept.size)?;
        if continuation(&kept, checkpoint, root, None) == Continuation::Continues {
            return Ok(None);
        }
        let statement = self.epoch_statement()?.filter(|statement| statement.size <= checkpoint.size);
        let new_root = statement.as_ref().map(|statement| root_at(statement.size)).transpose()?.flatten();
        let accepted = trusted.epoch(&checkpoint.origin);
        let restore =
            statement.as_ref().map(|statement| Restore { statement, accepted, roots: [None, new_root] });
        let (registry, size) = (self.registry(), kept.size);
        let evidence = || trusted.keep_evidence([text, signed]);
        Err(match continuation(&kept, checkpoint, root, restore) {
            Continuation::Continues => return Ok(None),
            Continuation::Restored => return Ok(statement.map(|statement| statement.epoch)),
            Continuation::RolledBack => HistoryError::RolledBack {
                registry,
                found: checkpoint.size,
                kept: size,
                evidence: evidence()?,
            },
            Continuation::Forked => HistoryError::Forked { registry, size, evidence: evidence()? },
        }
        .into())
    }

    /// What the registry has signed about its epoch. None if it never restored a backup.
    fn epoch_statement(&self) -> Result<Option<EpochStatement>, ClientError> {
        let signed = self.read(&Document::EpochStatement, MAX_SIGNED_NOTE as u64, false)?;
        // Some hosts send a web page instead of 404. So a text without a trusted signature counts as missing.
        Ok(signed.and_then(|signed| EpochStatement::verify(&signed, &self.keys).ok()))
    }
}

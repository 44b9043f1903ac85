//! Whether a log continues what this user has seen of it.

use generator::address::Document;
use registry::public::Epoch;
use registry::transparency_log::{Checkpoint, EpochStatement, MAX_SIGNED_NOTE};

use super::{HistoryError, SignedHistory, TrustedRegistries};
use crate::ClientError;

impl SignedHistory<'_> {
    /// Checks that the log of a checkpoint continues the last one that this user has seen. If a backup
    /// was restored, the registry must have signed that. Returns the epoch to remember, if it is
    /// another one than before: nobody may say twice that the same backup was restored.
    pub(super) fn check_progress(
        &self,
        checkpoint: &Checkpoint,
        signed: &str,
    ) -> Result<Option<Epoch>, ClientError> {
        let trusted = TrustedRegistries::load()?;
        let Some((kept, text)) = trusted.checkpoint(&checkpoint.origin) else {
            return Ok(self.epoch_statement()?.map(|statement| statement.epoch));
        };
        let continues = checkpoint.size >= kept.size
            && self.in_log(checkpoint.clone(), |log| log.root_at(kept.size))? == kept.root;
        if continues {
            return Ok(None);
        }
        let known = trusted.epoch(&checkpoint.origin);
        if let Some(statement) = self.epoch_statement()?
            && Some(&statement.epoch) != known
            && statement.size <= checkpoint.size
            && self.in_log(checkpoint.clone(), |log| log.root_at(statement.size))? == statement.root
        {
            return Ok(Some(statement.epoch));
        }
        let evidence = trusted.keep_evidence([text, signed])?;
        let (registry, size, found) = (self.registry(), kept.size, checkpoint.size);
        Err(match found < size {
            true => HistoryError::RolledBack { registry, found, kept: size, evidence },
            false => HistoryError::Forked { registry, size, evidence },
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

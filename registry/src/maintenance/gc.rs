//! Packages that no version names are removed.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use crate::journal::{JournalError, Removal, Revision, StoredBlob};
use crate::names::Digest;
use crate::registry::Registry;

/// How many blobs are removed while writers wait.
const BLOBS_PER_BATCH: usize = 64;

/// What was removed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct GcReport {
    /// The packages.
    pub removed: Vec<StoredBlob>,
    /// Whether it ended so.
    pub outcome: Outcome,
}

/// How a removal ended.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is left that could be removed.
    #[default]
    Complete,
    /// Someone reads all packages (a check or a backup), or removes some too.
    Held,
}

impl Registry {
    /// Removes every package that no live, pending or restorable version names
    /// and that was put (or would have been, were it not there) at least `age`
    /// ago.
    ///
    /// A package is stored before the row that names it, so one that nothing
    /// names yet may be about to be: `age` is how long that may take.
    pub fn collect_garbage(&self, age: Duration) -> Result<GcReport, JournalError> {
        let before = SystemTime::now().checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH);
        let (mut head, mut named) = self.named_packages()?;
        let mut unnamed = Vec::new();
        self.journal().visit_blobs(&mut |blob| {
            if blob.put_at < before && !named.contains(&blob.digest) {
                unnamed.push(blob.digest);
            }
        })?;
        let mut collected = GcReport::default();
        for batch in unnamed.chunks(BLOBS_PER_BATCH) {
            let removal = loop {
                let still: Vec<_> = batch.iter().filter(|digest| !named.contains(*digest)).copied().collect();
                match self.journal().remove_blobs(head, before, &still) {
                    Err(JournalError::Conflict { .. }) => (head, named) = self.named_packages()?,
                    done => break done?,
                }
            };
            match removal {
                Removal::Done(removed) => collected.removed.extend(removed),
                Removal::Held => {
                    collected.outcome = Outcome::Held;
                    break;
                }
            }
        }
        Ok(collected)
    }

    /// What versions name, and a revision at which no other package is named:
    /// the state may be newer, but then the journal is too.
    fn named_packages(&self) -> Result<(Revision, HashSet<Digest>), JournalError> {
        let head = self.catch_up()?;
        let named = self.read(|catalog| catalog.packages().map(|package| package.archive.sha256).collect());
        Ok((head, named))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

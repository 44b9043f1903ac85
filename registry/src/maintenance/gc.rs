//! Garbage collection: removes packages that no version names.

use std::collections::HashSet;
use std::time::Duration;

use serde::Serialize;

use crate::journal::{JournalError, Removal, Revision, StoredBlob};
use crate::names::Digest;
use crate::registry::Registry;

/// Writers wait while this many blobs are removed.
const BLOBS_PER_BATCH: usize = 64;

/// The outcome of [`Registry::collect_garbage`].
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GcReport {
    /// The removed packages.
    pub removed: Vec<StoredBlob>,
    /// False if another process reads all packages (a check or a backup), or
    /// removes packages too. Garbage may be left then.
    pub is_complete: bool,
}

impl Registry {
    /// Removes every package that no live, pending or restorable version names,
    /// unless it was put or renewed less than `age` ago.
    ///
    /// A package is stored before the row that names it, so `age` has to be
    /// longer than a publication takes.
    pub fn collect_garbage(&self, age: Duration) -> Result<GcReport, JournalError> {
        let (mut head, mut named) = self.named_packages()?;
        let mut unnamed = Vec::new();
        self.blobs().visit_blobs(&mut |blob| {
            if blob.age >= age && !named.contains(&blob.digest) {
                unnamed.push(blob.digest);
            }
        })?;
        let mut report = GcReport { removed: Vec::new(), is_complete: true };
        for batch in unnamed.chunks(BLOBS_PER_BATCH) {
            let removal = loop {
                let still: Vec<_> = batch.iter().filter(|digest| !named.contains(*digest)).copied().collect();
                match self.remove_while(head, age, &still) {
                    Err(JournalError::Conflict { .. }) => (head, named) = self.named_packages()?,
                    removal => break removal?,
                }
            };
            match removal {
                Removal::Done(removed) => report.removed.extend(removed),
                Removal::Held => return Ok(GcReport { is_complete: false, ..report }),
            }
        }
        Ok(report)
    }

    /// Removes packages while no row can be appended after row `head`, which names none of them.
    fn remove_while(
        &self,
        head: Revision,
        age: Duration,
        digests: &[Digest],
    ) -> Result<Removal, JournalError> {
        let mut removal = Removal::Held;
        self.journal().freeze(head, &mut || {
            removal = self.blobs().remove_blobs(age, digests)?;
            Ok(())
        })?;
        Ok(removal)
    }

    /// All named packages, and a revision at which no others were named. The
    /// state may be newer, but then the journal is too and the removal conflicts.
    fn named_packages(&self) -> Result<(Revision, HashSet<Digest>), JournalError> {
        let head = self.catch_up()?;
        let named = self.read(|catalog| catalog.packages().map(|package| package.archive.sha256).collect());
        Ok((head, named))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

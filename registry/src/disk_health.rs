//! Whether the stores of journal and packages take writes. A full disk is noticed by
//! the write that it refuses, and can be probed with that many bytes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::journal::JournalError;

/// A refused write counts as at least this many bytes. Even a small row takes
/// several pages of the database and of its log.
const MIN_REFUSED_BYTES: u64 = 64 * 1024;

/// A part of the registry that may have a store of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Journal,
    Packages,
}

/// The writes that were refused.
#[derive(Debug, Default)]
pub(crate) struct DiskHealth {
    /// The size in bytes of the largest refused write, until a write of that size
    /// succeeds; 0 if none was refused.
    refused: AtomicU64,
    /// Whether the last one that was refused was of packages.
    is_of_packages: AtomicBool,
}

impl DiskHealth {
    /// Records the outcome of a write of `size` bytes, and returns it.
    pub(crate) fn record<T>(
        &self,
        part: Part,
        size: u64,
        outcome: Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        match &outcome {
            Err(JournalError::Storage(_)) => self.record_refused(part, size),
            Ok(_) => {
                let healed = |refused| (0 < refused && refused <= size).then_some(0);
                // An error means that nothing has to change.
                let _ = self.refused.fetch_update(Ordering::AcqRel, Ordering::Acquire, healed);
            }
            Err(JournalError::Conflict { .. } | JournalError::Damaged(_)) => {}
        }
        outcome
    }

    /// Records a refused write of `size` bytes.
    pub(crate) fn record_refused(&self, part: Part, size: u64) {
        self.is_of_packages.store(part == Part::Packages, Ordering::Release);
        self.refused.fetch_max(size.max(MIN_REFUSED_BYTES), Ordering::AcqRel);
    }

    /// The part whose store refused last.
    pub(crate) fn refuser(&self) -> Part {
        if self.is_of_packages.load(Ordering::Acquire) { Part::Packages } else { Part::Journal }
    }

    /// The size in bytes of the largest refused write, or 0.
    pub(crate) fn refused(&self) -> u64 {
        self.refused.load(Ordering::Acquire)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn health_after_refused_write_returns_with_a_write_of_that_size() {
        let health = DiskHealth::default();
        let full = || Err::<(), _>(JournalError::Storage("full".into()));
        health.record(Part::Journal, 1 << 20, full()).unwrap_err();
        health.record(Part::Journal, 10, full()).unwrap_err();
        assert_eq!(health.refused(), 1 << 20);
        health.record(Part::Journal, MIN_REFUSED_BYTES, Ok(())).unwrap();
        assert_eq!(health.refused(), 1 << 20);
        health.record(Part::Journal, 1 << 20, Ok(())).unwrap();
        assert_eq!(health.refused(), 0);
        health.record::<()>(Part::Journal, 1, Err(JournalError::Conflict { head: 1 })).unwrap_err();
        assert_eq!(health.refused(), 0, "another writer's row is not a failure of the disk");
        health.record(Part::Packages, 1, full()).unwrap_err();
        assert_eq!((health.refused(), health.refuser()), (MIN_REFUSED_BYTES, Part::Packages));
        health.record(Part::Packages, 0, Ok(())).unwrap();
        assert_eq!(health.refuser(), Part::Packages, "until a write of that size succeeds");
    }
}

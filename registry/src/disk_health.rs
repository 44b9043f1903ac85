//! Whether the disk of the journal takes writes. A full disk is noticed by the
//! write that it refuses, and can be probed with that many bytes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::journal::JournalError;

/// A refused write counts as at least this many bytes. Even a small row takes
/// several pages of the database and of its log.
const MIN_REFUSED_BYTES: u64 = 64 * 1024;

/// The size in bytes of the largest refused write, until a write of that size
/// succeeds; 0 if none was refused.
#[derive(Debug, Default)]
pub(crate) struct DiskHealth(AtomicU64, RefusedByPackages);

/// Whether the store of the packages has refused last.
type RefusedByPackages = AtomicBool;

impl DiskHealth {
    /// Records the outcome of a write of `size` bytes, and returns it.
    pub(crate) fn record<T>(&self, size: u64, outcome: Result<T, JournalError>) -> Result<T, JournalError> {
        match &outcome {
            Err(JournalError::Storage(_)) => {
                self.0.fetch_max(size.max(MIN_REFUSED_BYTES), Ordering::AcqRel);
            }
            Ok(_) => {
                let healed = |refused| (0 < refused && refused <= size).then_some(0);
                // An error means that nothing has to change.
                let _ = self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, healed);
            }
            Err(JournalError::Conflict { .. } | JournalError::Damaged(_)) => {}
        }
        outcome
    }

    /// Like [`Self::record`], for a write of packages.
    pub(crate) fn record_packages<T>(
        &self,
        size: u64,
        outcome: Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        self.1.store(matches!(outcome, Err(JournalError::Storage(_))), Ordering::Relaxed);
        self.record(size, outcome)
    }

    /// Whether the last refused write was one of packages.
    pub(crate) fn is_of_packages(&self) -> bool {
        self.1.load(Ordering::Relaxed)
    }

    /// The size in bytes of the largest refused write, or 0.
    pub(crate) fn refused(&self) -> u64 {
        self.0.load(Ordering::Acquire)
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
        health.record(1 << 20, full()).unwrap_err();
        health.record(10, full()).unwrap_err();
        assert_eq!(health.refused(), 1 << 20);
        health.record(MIN_REFUSED_BYTES, Ok(())).unwrap();
        assert_eq!(health.refused(), 1 << 20);
        health.record(1 << 20, Ok(())).unwrap();
        assert_eq!(health.refused(), 0);
        health.record::<()>(1, Err(JournalError::Conflict { head: 1 })).unwrap_err();
        assert_eq!(health.refused(), 0, "another writer's row is not a failure of the disk");
        health.record(1, full()).unwrap_err();
        assert_eq!(health.refused(), MIN_REFUSED_BYTES);
    }
}

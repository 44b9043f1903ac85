//! A log of changed skills, for indexes that are computed from the catalog.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::public::Id;

/// A state of one catalog in memory. Clocks of different catalogs cannot be
/// compared, even if they have the same history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CatalogClock {
    catalog: u64,
    clock: u64,
}

/// The changed skills, each at its last change.
#[derive(Debug)]
pub(super) struct ChangeLog {
    now: CatalogClock,
    by_clock: BTreeMap<u64, Id>,
    by_id: HashMap<Id, u64>,
    is_asleep: bool,
}

impl Default for ChangeLog {
    fn default() -> Self {
        static CATALOGS: AtomicU64 = AtomicU64::new(0);
        let catalog = CATALOGS.fetch_add(1, Ordering::Relaxed);
        let now = CatalogClock { catalog, clock: 0 };
        Self { now, by_clock: BTreeMap::new(), by_id: HashMap::new(), is_asleep: false }
    }
}

impl ChangeLog {
    /// A log that records nothing, for a replay: nobody has a clock of this
    /// catalog yet.
    pub(super) fn asleep() -> Self {
        Self { is_asleep: true, ..Self::default() }
    }

    /// Starts recording.
    pub(super) fn wake(&mut self) {
        self.is_asleep = false;
    }

    /// Records that a skill was added, changed or removed.
    pub(super) fn note(&mut self, id: Id) {
        if self.is_asleep {
            return;
        }
        self.now.clock += 1;
        if let Some(before) = self.by_id.insert(id, self.now.clock) {
            self.by_clock.remove(&before);
        }
        self.by_clock.insert(self.now.clock, id);
    }

    pub(super) fn now(&self) -> CatalogClock {
        self.now
    }

    /// The skills that changed after `clock`, or None if it belongs to another
    /// catalog.
    pub(super) fn since(&self, clock: CatalogClock) -> Option<impl Iterator<Item = Id>> {
        let after = clock.clock + 1;
        (clock.catalog == self.now.catalog).then(|| self.by_clock.range(after..).map(|(_, id)| *id))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn since_returns_each_skill_once_at_its_last_change() {
        let (mut log, other) = (ChangeLog::default(), ChangeLog::default());
        let id = Id;
        let start = log.now();
        log.note(id(1));
        log.note(id(2));
        let middle = log.now();
        log.note(id(1));
        assert_eq!(log.since(start).unwrap().collect::<Vec<_>>(), [id(2), id(1)]);
        assert_eq!(log.since(middle).unwrap().collect::<Vec<_>>(), [id(1)]);
        assert_eq!(log.since(log.now()).unwrap().count(), 0);
        assert!(log.since(other.now()).is_none());
    }
}

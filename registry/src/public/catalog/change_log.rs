//! Which skills have changed since when, for what is computed from them beside
//! the catalog.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::public::Id;

/// A moment in the life of one catalog in memory. It says nothing of any other
/// catalog, even of the same history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CatalogClock {
    catalog: u64,
    clock: u64,
}

/// The skills that were touched, each at its last moment.
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
    /// One that notes nothing, while nobody can have asked yet.
    pub(super) fn asleep() -> Self {
        Self { is_asleep: true, ..Self::default() }
    }

    /// From now on it notes what happens.
    pub(super) fn wake(&mut self) {
        self.is_asleep = false;
    }

    /// Notes that a skill is another one now, is there, or is gone.
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

    /// The skills that were touched after a moment. None where that is one of
    /// another catalog.
    pub(super) fn since(&self, moment: CatalogClock) -> Option<impl Iterator<Item = Id>> {
        let after = moment.clock + 1;
        (moment.catalog == self.now.catalog).then(|| self.by_clock.range(after..).map(|(_, id)| *id))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn each_skill_counts_once_and_at_its_last_moment() {
        let (mut touched, other) = (ChangeLog::default(), ChangeLog::default());
        let id = Id;
        let start = touched.now();
        touched.note(id(1));
        touched.note(id(2));
        let middle = touched.now();
        touched.note(id(1));
        assert_eq!(touched.since(start).unwrap().collect::<Vec<_>>(), [id(2), id(1)]);
        assert_eq!(touched.since(middle).unwrap().collect::<Vec<_>>(), [id(1)]);
        assert_eq!(touched.since(touched.now()).unwrap().count(), 0);
        assert!(touched.since(other.now()).is_none());
    }
}

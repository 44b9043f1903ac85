//! Publishes counters.

use super::{Lists, PublicCatalog};
use crate::public::{CounterShards, Counters, Id, Skill};

/// If at least this many skills change, sorting all lists again is cheaper than
/// moving each skill.
const MANY: usize = 5_000;

impl PublicCatalog {
    /// The published counters.
    pub fn counters(&self) -> &CounterShards {
        &self.counters
    }

    /// The generation of the last published counters, or 0.
    pub fn counter_generation(&self) -> u64 {
        self.counters.generation()
    }

    /// Publishes counters, each with its generation.
    pub fn publish_counters(&mut self, published: &[(Id, Counters, u64)]) {
        self.counters.publish(published.iter().copied());
        let changed: Vec<_> = published.iter().map(|(id, counters, _)| (*id, *counters)).collect();
        self.show_counters(&changed);
    }

    /// Replaces the counters with a later state that another registry has
    /// published.
    pub fn adopt_counters(&mut self, later: CounterShards) {
        let changed = self.counters.advance_to(later);
        self.show_counters(&changed);
    }

    fn show_counters(&mut self, changed: &[(Id, Counters)]) {
        let is_bulk = changed.len() >= MANY;
        for (id, counters) in changed {
            let Some(coordinate) = self.names.get(id) else { continue };
            if let Some(removed) = self.removed.get_mut(coordinate) {
                removed.counters = *counters;
            }
            let is_listed = self.is_listed(&coordinate.namespace) && !is_bulk;
            let Some(skill) = self.skills.get_mut(coordinate) else { continue };
            if is_listed {
                self.lists.remove(skill);
            }
            skill.counters = *counters;
            if is_listed {
                self.lists.insert(skill);
            }
        }
        if is_bulk {
            self.lists = self.sorted_lists();
        }
    }

    /// All lists, sorted again.
    pub(super) fn sorted_lists(&self) -> Lists {
        let is_listed = |skill: &&Skill| self.is_listed(&skill.coordinate.namespace);
        Lists::of(self.skills().filter(is_listed))
    }
}

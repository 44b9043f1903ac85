//! The published counters of each skill: the process that counts hands them to
//! the process that writes the tree.

use crate::local::{LocalError, LocalStore};
use crate::public::{Counters, Id};

impl LocalStore {
    /// Publishes the counters of some skills as `generation`, in one transaction.
    ///
    /// Errors: [`LocalError::Conflict`] unless the last generation is smaller,
    /// because another process has published meanwhile.
    pub fn publish_counters(&self, counters: &[(Id, Counters)], generation: u64) -> Result<(), LocalError> {
        self.backend.publish_counters(counters, generation)
    }

    /// The counters that were published after `generation` (0: all), each with
    /// its generation. Sorted by generation, then by skill.
    pub fn published_counters_since(&self, generation: u64) -> Result<Vec<(Id, Counters, u64)>, LocalError> {
        self.backend.published_counters_since(generation)
    }

    /// The last published generation, or 0. It never falls, not even when a
    /// restored history has fewer skills.
    pub fn counter_generation(&self) -> Result<u64, LocalError> {
        self.backend.counter_generation()
    }
}

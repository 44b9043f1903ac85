//! Adopts the counters that a tree shows if the local store has none, because
//! its file was lost or erased.

use crate::local::{LocalError, LocalStore};
use crate::public::{Counters, Id};

impl LocalStore {
    /// Publishes counters that a tree shows up to `generation`, unless counters
    /// were published here. They get the next generation. The downloads of each
    /// day are lost, so totals are counted on from these.
    pub fn adopt_counters(&self, counters: &[(Id, Counters)], generation: u64) -> Result<(), LocalError> {
        self.backend.adopt_counters(counters, generation)
    }
}

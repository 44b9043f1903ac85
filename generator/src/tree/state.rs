//! What a tree shows, as two numbers that only grow.

use registry::journal::Revision;
use registry::public::PublicCatalog;
use serde::{Deserialize, Serialize};

/// A state of the public record: of its history and of its counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    /// The last public revision.
    pub revision: Revision,
    /// The generation of the last published counters.
    pub counters: u64,
}

impl State {
    /// The state of a catalog.
    pub fn of(catalog: &PublicCatalog) -> Self {
        Self { revision: catalog.revision(), counters: catalog.counter_generation() }
    }

    /// Whether it has all that another one has.
    pub fn covers(self, other: Self) -> bool {
        self.revision >= other.revision && self.counters >= other.counters
    }

    /// What both have.
    pub(super) fn both(self, other: Self) -> Self {
        Self { revision: self.revision.min(other.revision), counters: self.counters.min(other.counters) }
    }
}

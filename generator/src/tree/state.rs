//! The state of a tree, as two numbers that only grow.

use registry::api::public::Head;
use registry::journal::Revision;
use registry::public::PublicCatalog;
use serde::{Deserialize, Serialize};

/// A state of the public record: its history and its counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    /// The last public revision.
    pub revision: Revision,
    /// The generation of the last published counters.
    pub counters: u64,
}

/// The largest sum of revision and counter generation that a source may claim. It leaves room below
/// the times of clocks (see [`StateTime`](super::StateTime)).
const MAX_SUM: u64 = 100_000_000;

impl From<&Head> for State {
    fn from(head: &Head) -> Self {
        Self { revision: head.revision, counters: head.counters.generation }
    }
}

impl State {
    /// The state of a catalog.
    pub fn of(catalog: &PublicCatalog) -> Self {
        Self { revision: catalog.revision(), counters: catalog.counter_generation() }
    }

    /// Whether it includes all of another state.
    pub fn covers(self, other: Self) -> bool {
        self.revision >= other.revision && self.counters >= other.counters
    }

    /// Revision and counter generation together. Every change of the state makes it larger.
    pub fn sum(self) -> u64 {
        self.revision.saturating_add(self.counters)
    }

    /// Whether a registry can have got as far as this.
    pub fn is_plausible(self) -> bool {
        self.sum() <= MAX_SUM
    }

    /// The largest state that both include.
    pub(super) fn common(self, other: Self) -> Self {
        Self { revision: self.revision.min(other.revision), counters: self.counters.min(other.counters) }
    }
}

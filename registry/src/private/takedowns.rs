//! What the registry's staff has taken down.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::public::Id;

/// A skill that staff removed, or a version that staff yanked. Only staff can undo that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Takedown {
    /// The skill.
    pub skill: Id,
    /// The version. None: the whole skill.
    pub version: Option<Id>,
}

/// All takedowns that were not lifted.
#[derive(Default)]
pub struct Takedowns(HashSet<Takedown>);

impl Takedowns {
    pub(super) fn add(&mut self, takedown: Takedown) {
        self.0.insert(takedown);
    }

    pub(super) fn lift(&mut self, takedown: Takedown) {
        self.0.remove(&takedown);
    }

    /// Whether this is taken down.
    pub fn has(&self, takedown: Takedown) -> bool {
        self.0.contains(&takedown)
    }
}

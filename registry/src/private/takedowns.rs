//! What somebody above its author has taken down.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::public::Id;

/// A removed skill or a yanked version that its author cannot bring back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Takedown {
    /// The skill.
    pub skill: Id,
    /// The version. None: the whole skill.
    pub version: Option<Id>,
}

/// Who took something down, in ascending order. Only those can undo it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Authority {
    /// The namespace's owners, and for versions also its admins.
    Namespace,
    /// Platform admins. The default, because rows of schema 1 name no authority.
    #[default]
    Staff,
}

/// All takedowns that were not lifted.
#[derive(Default)]
pub struct Takedowns(HashMap<Takedown, Authority>);

impl Takedowns {
    pub(super) fn add(&mut self, takedown: Takedown, by: Authority) {
        self.0.insert(takedown, by);
    }

    pub(super) fn lift(&mut self, takedown: Takedown) {
        self.0.remove(&takedown);
    }

    /// What the registry's staff took down.
    pub fn by_staff(&self) -> impl Iterator<Item = &Takedown> {
        self.0.iter().filter(|(_, by)| **by == Authority::Staff).map(|(takedown, _)| takedown)
    }

    /// Who took this down, if anybody did.
    pub fn authority(&self, takedown: Takedown) -> Option<Authority> {
        self.0.get(&takedown).copied()
    }
}

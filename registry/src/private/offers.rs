//! The skills that are offered to another author.

use std::collections::HashMap;

use crate::names::Handle;
use crate::public::Id;
use crate::time::Timestamp;

/// An open offer of a skill to another author.
#[derive(Debug, Clone)]
pub struct Offer {
    /// The id: the revision of the row that created it.
    pub id: Id,
    /// The skill.
    pub skill: Id,
    /// The present author.
    pub from: Handle,
    /// The person who may accept it.
    pub to: Handle,
    /// The message of the present author.
    pub message: Option<String>,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The end of the time in which it can be accepted.
    pub expires_at: Timestamp,
}

impl Offer {
    /// Whether it has expired at `now`.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at <= now
    }
}

/// All open offers, at most one for each skill.
#[derive(Default)]
pub struct Offers(HashMap<Id, Offer>);

impl Offers {
    pub(super) fn make(&mut self, offer: Offer) {
        self.0.insert(offer.skill, offer);
    }

    pub(super) fn end(&mut self, skill: Id) {
        self.0.remove(&skill);
    }

    /// The open offer of a skill, expired or not.
    pub fn of(&self, skill: Id) -> Option<&Offer> {
        self.0.get(&skill)
    }

    /// The offers that a user made or received, newest first.
    pub fn with(&self, handle: &Handle) -> Vec<&Offer> {
        let mut offers: Vec<_> =
            self.0.values().filter(|offer| offer.from == *handle || offer.to == *handle).collect();
        offers.sort_unstable_by_key(|offer| std::cmp::Reverse(offer.id));
        offers
    }
}

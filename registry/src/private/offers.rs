//! Skills that are offered to another author.

use std::collections::HashMap;

use crate::names::Handle;
use crate::public::Id;
use crate::time::Timestamp;

/// An offer that nobody has answered.
#[derive(Debug, Clone)]
pub struct Offer {
    /// Its id, which is the row that made it.
    pub id: Id,
    /// Which skill.
    pub skill: Id,
    /// Who offers it.
    pub from: Handle,
    /// To whom.
    pub to: Handle,
    /// Why, in the words of who offers it.
    pub message: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// Until when it can be accepted.
    pub expires_at: Timestamp,
}

impl Offer {
    /// Whether its time is over.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at <= now
    }
}

/// All open offers: at most one a skill.
#[derive(Default)]
pub struct Offers(HashMap<Id, Offer>);

impl Offers {
    pub(super) fn make(&mut self, offer: Offer) {
        self.0.insert(offer.skill, offer);
    }

    pub(super) fn end(&mut self, skill: Id) {
        self.0.remove(&skill);
    }

    /// The offer of a skill, expired or not.
    pub fn of(&self, skill: Id) -> Option<&Offer> {
        self.0.get(&skill)
    }

    /// The offers that someone made or got, the newest first.
    pub fn with(&self, handle: &Handle) -> Vec<&Offer> {
        let mut offers: Vec<_> =
            self.0.values().filter(|offer| offer.from == *handle || offer.to == *handle).collect();
        offers.sort_unstable_by_key(|offer| std::cmp::Reverse(offer.id));
        offers
    }
}

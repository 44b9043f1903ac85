//! The counters as they are now: downloads, and the skills whose numbers have
//! to be published.
//!
//! Three sets of numbers exist. Stars and ratings are rows of the journal.
//! Downloads are totals of the local store. Documents show the published
//! counters, which are brought up to date a few skills at a time.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::public::Id;

/// The state that a [`Registry`](crate::Registry) keeps besides its catalogs.
#[derive(Default)]
pub(crate) struct LiveCounters {
    /// The total downloads of each skill.
    pub downloads: HashMap<Id, u64>,
    /// The change number up to which the local store's totals were read.
    pub downloads_read: u64,
    pub queue: IdQueue,
}

/// The skills whose live counters may differ from the published ones. First
/// in, first out, each at most once.
#[derive(Default)]
pub(crate) struct IdQueue {
    order: VecDeque<Id>,
    members: HashSet<Id>,
}

impl IdQueue {
    pub fn push(&mut self, id: Id) {
        if self.members.insert(id) {
            self.order.push_back(id);
        }
    }

    pub fn pop(&mut self) -> Option<Id> {
        let id = self.order.pop_front()?;
        self.members.remove(&id);
        Some(id)
    }

    /// Puts skills back at the front, in the same order.
    pub fn put_back(&mut self, ids: impl DoubleEndedIterator<Item = Id>) {
        for id in ids.rev() {
            if self.members.insert(id) {
                self.order.push_front(id);
            }
        }
    }
}

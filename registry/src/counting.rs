//! Live counters, and the published ones that follow them.
//!
//! Stars and ratings are rows of the journal, downloads are totals of the
//! local store. What documents show is a third thing: the published counters,
//! which are brought up to these a few skills at a time. Any process may do
//! that; the local store tells the others, and decides between two at once.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::catalog::Catalog;
use crate::local::{LocalError, LocalStore};
use crate::public::{Counters, Id};
use crate::registry::Registry;

/// What is counted besides the journal, and what has yet to be published.
#[derive(Default)]
pub(crate) struct Counting {
    downloads: HashMap<Id, u64>,
    /// How far the totals of downloads were read.
    downloads_read: u64,
    waiting: Waiting,
}

/// The skills whose live counters are not the published ones, perhaps; the
/// longest waiting first.
#[derive(Default)]
struct Waiting {
    order: VecDeque<Id>,
    members: HashSet<Id>,
}

impl Waiting {
    fn push(&mut self, id: Id) {
        if self.members.insert(id) {
            self.order.push_back(id);
        }
    }

    fn pop(&mut self) -> Option<Id> {
        let id = self.order.pop_front()?;
        self.members.remove(&id);
        Some(id)
    }

    /// Back in front, in the same order.
    fn put_back(&mut self, ids: &[Id]) {
        for id in ids.iter().rev() {
            if self.members.insert(*id) {
                self.order.push_front(*id);
            }
        }
    }
}

impl Registry {
    /// Takes note that a skill's live counters have changed.
    pub(crate) fn counted(&self, ids: impl IntoIterator<Item = Id>) {
        let mut ids = ids.into_iter().peekable();
        if ids.peek().is_some() {
            let mut counting = self.counting.lock();
            ids.for_each(|id| counting.waiting.push(id));
        }
    }

    /// A skill's numbers now, published or not.
    pub fn counters_now(&self, catalog: Catalog<'_>, id: Id) -> Counters {
        let downloads = self.counting.lock().downloads.get(&id).copied().unwrap_or(0);
        Counters { downloads, ..catalog.private.social().counters(id) }
    }

    /// Takes in what was counted and published elsewhere: to be called at a
    /// start, and now and then.
    ///
    /// Errors: the local store cannot be read.
    pub fn follow_counters(&self, local: &LocalStore) -> Result<(), LocalError> {
        let known = self.public().read().counter_generation();
        let published = local.published_counters_since(known)?;
        if !published.is_empty() {
            self.public().write().publish_counters(&published);
        }
        if known == 0 {
            // Shown before this start; after a restore they may be no more.
            self.counted(published.iter().map(|(id, ..)| *id));
        }
        // Writers wait for this lock, so it waits for no disk.
        let since = self.counting.lock().downloads_read;
        let (totals, read) = local.download_totals_since(since)?;
        let mut counting = self.counting.lock();
        counting.downloads_read = read;
        for (id, total) in totals {
            if counting.downloads.insert(id, total) != Some(total) {
                counting.waiting.push(id);
            }
        }
        Ok(())
    }

    /// Publishes the live counters of at most `batch` skills, those first that
    /// have waited longest. Returns whether there were any.
    ///
    /// Errors: the local store cannot be read or written; nothing is lost then.
    pub fn publish_counters(&self, local: &LocalStore, batch: usize) -> Result<bool, LocalError> {
        self.follow_counters(local)?;
        let mut changed = Vec::new();
        while changed.len() < batch {
            let Some(id) = self.counting.lock().waiting.pop() else { break };
            let live = self.read(|catalog| self.counters_now(catalog, id));
            let public = self.public();
            let public = public.read();
            // One that is only waiting for review is nobody's business.
            if public.name_of(id).is_some() && public.counters().get(id) != live {
                changed.push((id, live));
            }
        }
        if changed.is_empty() {
            return Ok(false);
        }
        let generation = self.public().read().counter_generation().max(local.counter_generation()?) + 1;
        if let Err(why) = local.publish_counters(&changed, generation) {
            let ids: Vec<_> = changed.iter().map(|(id, _)| *id).collect();
            self.counting.lock().waiting.put_back(&ids);
            return match why {
                // Another process has: what it has published is taken in next time.
                LocalError::Overtaken => Ok(false),
                why => Err(why),
            };
        }
        let published: Vec<_> =
            changed.into_iter().map(|(id, counters)| (id, counters, generation)).collect();
        self.public().write().publish_counters(&published);
        Ok(true)
    }
}

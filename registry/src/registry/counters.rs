//! Publishes counters: brings the numbers that documents show up to the live
//! ones. Any process may do so. The local store tells the others, and decides
//! if two publish at once.

use super::Registry;
use crate::catalog::Catalog;
use crate::local::{LocalError, LocalStore};
use crate::public::{Counters, Id};

impl Registry {
    /// Queues skills whose live counters may have changed.
    pub(super) fn queue_counters(&self, ids: &[Id]) {
        if !ids.is_empty() {
            let mut live = self.live_counters.lock();
            ids.iter().for_each(|id| live.queue.push(*id));
        }
    }

    /// The live counters of a skill, published or not.
    pub fn live_counters(&self, catalog: Catalog<'_>, id: Id) -> Counters {
        let downloads = self.live_counters.lock().downloads.get(&id).copied().unwrap_or(0);
        Counters { downloads, ..catalog.private.stars_and_ratings.counters(id) }
    }

    /// Reads what other processes have counted and published. Call it at the
    /// start, and from time to time.
    ///
    /// Errors: the local store cannot be read.
    pub fn refresh_counters(&self, local: &LocalStore) -> Result<(), LocalError> {
        let known = self.public.read().counter_generation();
        let published = local.published_counters_since(known)?;
        if !published.is_empty() {
            self.public.write().publish_counters(&published);
        }
        if known == 0 {
            // These were shown before this start. After a restore they may be wrong.
            let ids: Vec<_> = published.iter().map(|(id, ..)| *id).collect();
            self.queue_counters(&ids);
        }
        // Writers wait for this lock, so it is not held while the disk is read.
        let since = self.live_counters.lock().downloads_read;
        let (totals, read) = local.download_totals_since(since)?;
        let mut live = self.live_counters.lock();
        live.downloads_read = read;
        for (id, total) in totals {
            if live.downloads.insert(id, total) != Some(total) {
                live.queue.push(id);
            }
        }
        Ok(())
    }

    /// Publishes the live counters of at most `batch` skills, those that have
    /// waited longest first. Returns whether any were published.
    ///
    /// Errors: the local store cannot be read or written. The skills stay queued.
    pub fn publish_counters(&self, local: &LocalStore, batch: usize) -> Result<bool, LocalError> {
        self.refresh_counters(local)?;
        let mut changed = Vec::new();
        while changed.len() < batch {
            let Some(id) = self.live_counters.lock().queue.pop() else { break };
            let live = self.read(|catalog| self.live_counters(catalog, id));
            let public = self.public.read();
            // A skill that only waits for review has no public counters.
            if public.name_of(id).is_some() && public.counters().get(id) != live {
                changed.push((id, live));
            }
        }
        if changed.is_empty() {
            return Ok(false);
        }
        let generation = self.public.read().counter_generation().max(local.counter_generation()?) + 1;
        if let Err(error) = local.publish_counters(&changed, generation) {
            self.live_counters.lock().queue.put_back(changed.iter().map(|(id, _)| *id));
            return match error {
                // Another process has published. Its numbers are read next time.
                LocalError::Conflict => Ok(false),
                error => Err(error),
            };
        }
        let published: Vec<_> =
            changed.into_iter().map(|(id, counters)| (id, counters, generation)).collect();
        self.public.write().publish_counters(&published);
        Ok(true)
    }
}

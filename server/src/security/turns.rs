//! Turns at work that keeps a processor busy: hashing passwords, making packs.
//!
//! Each client and each network ([`registry::fair_share`]) does one thing at a time, so a newcomer waits
//! for the work of other networks, and not for all that they have asked for.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use registry::fair_share::Owner;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The most requests of a client that wait or work. The last one waits for some seconds.
pub(super) const MAX_QUEUED: usize = 100;

/// The number of queues after which empty ones are forgotten.
const MAX_QUEUES: usize = 4096;

/// The queues of all clients.
pub(crate) struct Turns {
    pub(super) processors: Arc<Semaphore>,
    queues: Mutex<HashMap<(Level, String), Weak<Queue>>>,
}

/// The level of a queue. A client and a network may have the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Level {
    Client,
    Network,
}

struct Queue {
    places: Arc<Semaphore>,
    front: Arc<Semaphore>,
}

/// A turn. Dropping it lets the next one work.
pub(crate) struct Turn {
    _permits: [OwnedSemaphorePermit; 4],
    _queues: [Arc<Queue>; 2],
}

impl Turns {
    /// Lets `processors` work at the same time.
    pub(crate) fn new(processors: usize) -> Self {
        Self { processors: Arc::new(Semaphore::new(processors)), queues: Mutex::default() }
    }

    /// Waits for a turn. None if this client has a hundred requests that wait, or if the server stops.
    pub(crate) async fn take(&self, owner: &Owner) -> Option<Turn> {
        let client = self.queue(Level::Client, owner.client());
        let network = self.queue(Level::Network, owner.network());
        let permits = [
            Arc::clone(&client.places).try_acquire_owned().ok()?,
            Arc::clone(&client.front).acquire_owned().await.ok()?,
            Arc::clone(&network.front).acquire_owned().await.ok()?,
            Arc::clone(&self.processors).acquire_owned().await.ok()?,
        ];
        Some(Turn { _permits: permits, _queues: [client, network] })
    }

    fn queue(&self, level: Level, name: &str) -> Arc<Queue> {
        let (mut queues, key) = (self.queues.lock(), (level, name.to_owned()));
        if let Some(known) = queues.get(&key).and_then(Weak::upgrade) {
            return known;
        }
        if queues.len() >= MAX_QUEUES {
            queues.retain(|_, known| known.strong_count() > 0);
        }
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        let queue = Arc::new(Queue { places: semaphore(MAX_QUEUED), front: semaphore(1) });
        queues.insert(key, Arc::downgrade(&queue));
        queue
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn owner(address: &str) -> Owner {
        Owner::of_address(address.parse().unwrap())
    }

    #[tokio::test]
    async fn newcomer_waits_for_one_turn_of_each_other_network() {
        let turns = Turns::new(1);
        let working = turns.take(&owner("2001:db8:1::1")).await.unwrap();
        // One of a network with a hundred clients is before the newcomer at most.
        let many: Vec<_> = (0..100).map(|n| owner(&format!("2001:db8:1:{n}::1"))).collect();
        let mut waiting: Vec<_> = many.iter().map(|owner| turns.take(owner).boxed()).collect();
        assert!(waiting.iter_mut().all(|turn| turn.now_or_never().is_none()));
        let other = owner("2001:db8:2::1");
        let mut newcomer = turns.take(&other).boxed();
        assert!((&mut newcomer).now_or_never().is_none());
        drop(working);
        let turn = newcomer.await.unwrap();
        assert!(waiting.iter_mut().all(|turn| turn.now_or_never().is_none()));
        drop(turn);
        let working: Vec<_> = waiting.iter_mut().filter_map(FutureExt::now_or_never).collect();
        assert_eq!(working.len(), 1);
    }

    #[tokio::test]
    async fn queues_without_requests_are_forgotten() {
        let turns = Turns::new(1);
        for client in 0..2 * MAX_QUEUES {
            turns.take(&Owner::unrelated(client.to_string())).await.unwrap();
        }
        assert!(turns.queues.lock().len() <= MAX_QUEUES + 2);
    }
}

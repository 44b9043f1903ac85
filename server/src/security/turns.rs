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
    queues: Mutex<HashMap<(Queue, String), Weak<Semaphore>>>,
}

/// What the requests of a client or of a network wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Queue {
    /// One of the places in the client's queue.
    Place,
    /// The front of the client's queue.
    Client,
    /// The front of the network's queue.
    Network,
}

/// The front of a network's queue. Dropping it lets the next one of the network go on.
pub(crate) struct Front {
    processors: Arc<Semaphore>,
    _queues: [OwnedSemaphorePermit; 3],
}

/// A turn. Dropping it lets the next one work.
pub(crate) struct Turn {
    _front: Front,
    _processor: Option<OwnedSemaphorePermit>,
}

impl Front {
    /// Waits for a processor.
    pub(crate) async fn turn(self) -> Turn {
        // The semaphore is never closed.
        let processor = Arc::clone(&self.processors).acquire_owned().await.ok();
        Turn { _front: self, _processor: processor }
    }
}

impl Turns {
    /// Lets `processors` work at the same time.
    pub(crate) fn new(processors: usize) -> Self {
        Self { processors: Arc::new(Semaphore::new(processors)), queues: Mutex::default() }
    }

    /// Waits for a turn. None if this client has a hundred requests that wait or work.
    pub(crate) async fn take(&self, owner: &Owner) -> Option<Turn> {
        Some(self.front(owner).await?.turn().await)
    }

    /// Waits until no other request of the client and of its network is before this one. None if this client
    /// has a hundred requests that wait or work.
    pub(crate) async fn front(&self, owner: &Owner) -> Option<Front> {
        let queues = [
            self.queue(Queue::Place, owner.client()).try_acquire_owned().ok()?,
            self.queue(Queue::Client, owner.client()).acquire_owned().await.ok()?,
            self.queue(Queue::Network, owner.network()).acquire_owned().await.ok()?,
        ];
        Some(Front { processors: Arc::clone(&self.processors), _queues: queues })
    }

    fn queue(&self, queue: Queue, name: &str) -> Arc<Semaphore> {
        let (mut queues, key) = (self.queues.lock(), (queue, name.to_owned()));
        if let Some(known) = queues.get(&key).and_then(Weak::upgrade) {
            return known;
        }
        if queues.len() >= MAX_QUEUES {
            queues.retain(|_, known| known.strong_count() > 0);
        }
        let queue = Arc::new(Semaphore::new(if queue == Queue::Place { MAX_QUEUED } else { 1 }));
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
        assert!(turns.queues.lock().len() <= MAX_QUEUES + 3);
    }

    #[tokio::test]
    async fn front_keeps_no_processor() {
        let turns = Turns::new(1);
        let fronts = ["192.0.2.1", "203.0.113.1"].map(|address| turns.front(&owner(address)).now_or_never());
        assert!(fronts.iter().all(|front| front.as_ref().is_some_and(Option::is_some)));
        assert!(turns.take(&owner("198.51.100.1")).now_or_never().is_some());
        assert!(turns.take(&owner("192.0.2.2")).now_or_never().is_none(), "a neighbour is before it");
        drop(fronts);
        assert!(turns.take(&owner("192.0.2.2")).now_or_never().is_some());
    }
}

//! The open connections: how many each client has, and which one may be closed for a new one.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::request::client_address::ClientAddress;

/// A connection is idle after this time without a request in work and without a byte sent or
/// received. A shorter time would close connections whose next request is on its way.
const IDLE_AFTER: Duration = Duration::from_secs(1);

/// How often a new connection looks for an idle one to replace.
const RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// All open connections of a listener, or of several that share their limits.
pub(crate) struct OpenConnections {
    places: Arc<Semaphore>,
    max_per_client: usize,
    open: Mutex<HashMap<u64, Open>>,
}

struct Open {
    client: ClientAddress,
    activity: Arc<Activity>,
}

/// What a connection is doing.
pub(super) struct Activity {
    opened: Instant,
    /// Milliseconds after `opened`.
    last_transfer: AtomicU64,
    /// Requests whose response has not begun.
    requests: AtomicUsize,
    closed: Notify,
}

impl Default for Activity {
    fn default() -> Self {
        let (last_transfer, requests) = (AtomicU64::new(0), AtomicUsize::new(0));
        Self { opened: Instant::now(), last_transfer, requests, closed: Notify::new() }
    }
}

impl Activity {
    /// Bytes were sent or received.
    pub(super) fn transferred(&self) {
        let elapsed = u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last_transfer.store(elapsed, Ordering::Relaxed);
    }

    /// A request is in work until the result is dropped.
    pub(super) fn request(self: &Arc<Self>) -> RequestInWork {
        self.requests.fetch_add(1, Ordering::Relaxed);
        RequestInWork(Arc::clone(self))
    }

    /// Waits until the connection has to make room for another one.
    pub(super) async fn closed(&self) {
        self.closed.notified().await;
    }

    /// Since when the connection has been idle. None if it is not.
    fn idle_since(&self) -> Option<Instant> {
        let last = self.opened + Duration::from_millis(self.last_transfer.load(Ordering::Relaxed));
        let is_idle = self.requests.load(Ordering::Relaxed) == 0 && last.elapsed() >= IDLE_AFTER;
        is_idle.then_some(last)
    }
}

/// Marks a connection as busy while it lives.
pub(super) struct RequestInWork(Arc<Activity>);

impl Drop for RequestInWork {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The place of an open connection. Dropping it frees the place.
pub(super) struct Place {
    connections: Arc<OpenConnections>,
    number: u64,
    pub(super) activity: Arc<Activity>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.open.lock().remove(&self.number);
    }
}

impl OpenConnections {
    /// At most `max` connections, of which a client has at most `max_per_client`.
    pub(crate) fn new(max: usize, max_per_client: usize) -> Self {
        Self { places: Arc::new(Semaphore::new(max)), max_per_client, open: Mutex::default() }
    }

    /// How many are open.
    pub(crate) fn len(&self) -> usize {
        self.open.lock().len()
    }

    /// Takes a place for a new connection. Closes the longest idle one if there is no other way,
    /// and waits for the place.
    ///
    /// None if the client has as many connections as it may, all of them busy.
    pub(super) async fn place(self: &Arc<Self>, number: u64, client: ClientAddress) -> Option<Place> {
        let client = client.network();
        if self.count(client) >= self.max_per_client && !self.close_longest_idle(Some(client)) {
            return None;
        }
        let permit = loop {
            if let Ok(permit) = Arc::clone(&self.places).try_acquire_owned() {
                break permit;
            }
            self.close_longest_idle(None);
            let freed = Arc::clone(&self.places).acquire_owned();
            // The semaphore is never closed.
            if let Ok(Ok(permit)) = tokio::time::timeout(RETRY_INTERVAL, freed).await {
                break permit;
            }
        };
        let activity = Arc::new(Activity::default());
        self.open.lock().insert(number, Open { client, activity: Arc::clone(&activity) });
        Some(Place { connections: Arc::clone(self), number, activity, _permit: permit })
    }

    fn count(&self, client: ClientAddress) -> usize {
        self.open.lock().values().filter(|open| open.client == client).count()
    }

    /// Closes the connection that has been idle longest, of this client or of all. Returns whether
    /// there was one.
    fn close_longest_idle(&self, client: Option<ClientAddress>) -> bool {
        let mut open = self.open.lock();
        let candidates = open.iter().filter(|(_, open)| client.is_none_or(|client| open.client == client));
        let idle = candidates.filter_map(|(number, open)| Some((open.activity.idle_since()?, *number)));
        let Some((_, number)) = idle.min() else { return false };
        // It is out of the list at once, so that the next connection closes another one.
        if let Some(closed) = open.remove(&number) {
            closed.activity.closed.notify_one();
        }
        true
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn client(last: u8) -> ClientAddress {
        ClientAddress::Known([192, 0, 2, last].into())
    }

    /// Whether the connection was told to close.
    async fn is_closed(place: &Place) -> bool {
        tokio::time::timeout(Duration::from_millis(1), place.activity.closed()).await.is_ok()
    }

    // tokio's time is paused: it jumps to the next timer when nothing runs.
    #[tokio::test(start_paused = true)]
    async fn full_server_closes_the_longest_idle_connection() {
        let connections = Arc::new(OpenConnections::new(3, 3));
        let busy = connections.place(1, client(1)).await.unwrap();
        let _request = busy.activity.request();
        let older = connections.place(2, client(1)).await.unwrap();
        tokio::time::advance(Duration::from_secs(5)).await;
        let newer = connections.place(3, client(1)).await.unwrap();
        newer.activity.transferred();
        tokio::time::advance(IDLE_AFTER).await;
        let admitted = {
            let connections = Arc::clone(&connections);
            tokio::spawn(async move { connections.place(4, client(2)).await.is_some() })
        };
        older.activity.closed().await;
        drop(older);
        assert!(admitted.await.unwrap());
        assert!(!is_closed(&busy).await && !is_closed(&newer).await);
    }

    #[tokio::test(start_paused = true)]
    async fn full_server_waits_while_all_connections_are_busy() {
        let connections = Arc::new(OpenConnections::new(1, 1));
        let busy = connections.place(1, client(1)).await.unwrap();
        let request = busy.activity.request();
        let waiting = connections.place(2, client(2));
        tokio::pin!(waiting);
        assert!(tokio::time::timeout(Duration::from_secs(60), &mut waiting).await.is_err());
        drop((request, busy));
        assert!(waiting.await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn client_over_its_limit_loses_its_own_idle_connection() {
        let connections = Arc::new(OpenConnections::new(10, 2));
        let other = connections.place(1, client(2)).await.unwrap();
        let first = connections.place(2, client(1)).await.unwrap();
        let second = connections.place(3, client(1)).await.unwrap();
        assert!(connections.place(4, client(1)).await.is_none(), "neither is idle yet");
        tokio::time::advance(IDLE_AFTER).await;
        second.activity.transferred();
        assert!(connections.place(5, client(1)).await.is_some());
        assert!(is_closed(&first).await && !is_closed(&second).await && !is_closed(&other).await);
    }
}

//! The open connections: how many each client has, and which one is closed for a new one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use registry::fair_share::{Held, Owner, gives_way};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::request::client_address::ClientAddress;

/// A connection is idle after this time without a request in work and without a byte sent or
/// received. A shorter time would close connections whose next request is on its way.
const IDLE_AFTER: Duration = Duration::from_secs(1);

/// How often a new connection looks for one to replace.
const RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// The most connections of crowded networks that wait for a place.
const MAX_IN_LINE: usize = 64;

/// Why a connection has no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoPlace {
    /// Its client has as many as it may.
    OfClient,
    /// The server is full, all connections are busy, and no network has more than its own.
    Crowded,
}

/// All open connections of a listener, or of several that share their limits.
pub(crate) struct OpenConnections {
    places: Arc<Semaphore>,
    /// For connections of crowded networks.
    line: Semaphore,
    max_per_client: usize,
    open: Mutex<BTreeMap<u64, Open>>,
}

struct Open {
    owner: Owner,
    activity: Arc<Activity>,
}

/// What a connection is doing.
pub(super) struct Activity {
    opened: Instant,
    /// Milliseconds after `opened`.
    last_transfer: AtomicU64,
    /// Requests whose response has not begun.
    requests: AtomicUsize,
    /// Closes the connection, also in the middle of a request.
    pub(super) close: CancellationToken,
}

impl Default for Activity {
    fn default() -> Self {
        let (last_transfer, requests) = (AtomicU64::new(0), AtomicUsize::new(0));
        Self { opened: Instant::now(), last_transfer, requests, close: CancellationToken::new() }
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

impl Place {
    /// The connection for its requests.
    pub(super) fn link(&self) -> ConnectionLink {
        let (connections, close) = (Arc::clone(&self.connections), self.activity.close.clone());
        ConnectionLink { number: self.number, close, connections }
    }
}

/// A connection as its requests see it.
#[derive(Clone)]
pub(crate) struct ConnectionLink {
    /// A number that no other connection has.
    pub(crate) number: u64,
    /// Closes the connection.
    pub(crate) close: CancellationToken,
    connections: Arc<OpenConnections>,
}

impl ConnectionLink {
    /// From now on, counts the connection to the client for whom a trusted proxy uses it.
    pub(crate) fn assign(&self, client: &ClientAddress) {
        if let Some(open) = self.connections.open.lock().get_mut(&self.number) {
            open.owner = client.owner();
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.open.lock().remove(&self.number);
    }
}

impl OpenConnections {
    /// At most `max` connections, of which a client has at most `max_per_client`.
    pub(crate) fn new(max: usize, max_per_client: usize) -> Self {
        let (places, line) = (Arc::new(Semaphore::new(max)), Semaphore::new(MAX_IN_LINE));
        Self { places, line, max_per_client, open: Mutex::default() }
    }

    /// How many are open.
    pub(crate) fn len(&self) -> usize {
        self.open.lock().len()
    }

    /// Takes a place for a new connection. On a full server it closes one of the client that has most
    /// ([`gives_way`]), or else an idle one, or waits.
    ///
    /// Errors: the client has as many connections as it may, all of them busy. Or its network has most of a full
    /// server whose connections are all busy: it has to wait without keeping others out ([`Self::place_in_line`]).
    pub(super) async fn place(
        self: &Arc<Self>,
        number: u64,
        client: ClientAddress,
    ) -> Result<Place, NoPlace> {
        let owner = client.owner();
        if self.count(|open| open.owner == owner) >= self.max_per_client
            && !self.close_longest_idle(|open| open.owner == owner)
        {
            return Err(NoPlace::OfClient);
        }
        let permit = loop {
            if let Ok(permit) = Arc::clone(&self.places).try_acquire_owned() {
                break permit;
            }
            let has_neighbours = self.count(|open| open.owner.network() == owner.network()) > 0;
            let has_closed = self.close_of_largest(&owner)
                || self.close_longest_idle(|open| open.owner == owner)
                || self.close_longest_idle(|_| true);
            if !has_closed && has_neighbours {
                return Err(NoPlace::Crowded);
            }
            let freed = Arc::clone(&self.places).acquire_owned();
            // The semaphore is never closed.
            if let Ok(Ok(permit)) = tokio::time::timeout(RETRY_INTERVAL, freed).await {
                break permit;
            }
        };
        let activity = Arc::new(Activity::default());
        self.open.lock().insert(number, Open { owner, activity: Arc::clone(&activity) });
        Ok(Place { connections: Arc::clone(self), number, activity, _permit: permit })
    }

    /// Waits for a place for a connection of a crowded network. None if the client has as many as it may,
    /// if `patience` is over, or if too many wait.
    pub(super) async fn place_in_line(
        self: &Arc<Self>,
        number: u64,
        client: ClientAddress,
        patience: Duration,
    ) -> Option<Place> {
        let (_in_line, end) = (self.line.try_acquire().ok()?, Instant::now() + patience);
        while Instant::now() < end {
            // Connections of other networks, which wait for a place that is being freed, go first.
            tokio::time::sleep(RETRY_INTERVAL).await;
            match self.place(number, client).await {
                Ok(place) => return Some(place),
                Err(NoPlace::Crowded) => {}
                Err(NoPlace::OfClient) => return None,
            }
        }
        None
    }

    fn count(&self, of: impl Fn(&Open) -> bool) -> usize {
        self.open.lock().values().filter(|open| of(open)).count()
    }

    /// Closes a connection of the client with most: the one that has been idle longest, or else the
    /// oldest. Returns whether there was one.
    fn close_of_largest(&self, newcomer: &Owner) -> bool {
        let mut open = self.open.lock();
        let held = open.iter().map(|(number, open)| {
            let Open { owner, activity } = open;
            let order = activity.idle_since().map_or((true, activity.opened), |since| (false, since));
            Held { owner, amount: 1, id: Some((order, *number)) }
        });
        let Some((_, number)) = gives_way(newcomer, 1, held) else { return false };
        close(&mut open, number);
        true
    }

    /// Closes the one of these connections that has been idle longest. Returns whether there was one.
    fn close_longest_idle(&self, of: impl Fn(&Open) -> bool) -> bool {
        let mut open = self.open.lock();
        let candidates = open.iter().filter(|(_, open)| of(open));
        let idle = candidates.filter_map(|(number, open)| Some((open.activity.idle_since()?, *number)));
        let Some((_, number)) = idle.min() else { return false };
        close(&mut open, number);
        true
    }
}

/// Closes a connection. It is out of the list at once, so that the next newcomer closes another one.
fn close(open: &mut BTreeMap<u64, Open>, number: u64) {
    if let Some(closed) = open.remove(&number) {
        closed.activity.close.cancel();
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
        tokio::time::timeout(Duration::from_millis(1), place.activity.close.cancelled()).await.is_ok()
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
            tokio::spawn(async move { connections.place(4, client(2)).await.is_ok() })
        };
        older.activity.close.cancelled().await;
        drop(older);
        assert!(admitted.await.unwrap());
        assert!(!is_closed(&busy).await && !is_closed(&newer).await);
    }

    #[tokio::test(start_paused = true)]
    async fn full_server_waits_while_all_connections_are_busy() {
        let connections = Arc::new(OpenConnections::new(1, 1));
        let busy = connections.place(1, ClientAddress::Unknown(1)).await.unwrap();
        let request = busy.activity.request();
        let waiting = connections.place(2, client(2));
        tokio::pin!(waiting);
        assert!(tokio::time::timeout(Duration::from_secs(60), &mut waiting).await.is_err());
        drop((request, busy));
        assert!(waiting.await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn client_over_its_limit_loses_its_own_idle_connection() {
        let connections = Arc::new(OpenConnections::new(10, 2));
        let other = connections.place(1, client(2)).await.unwrap();
        let first = connections.place(2, client(1)).await.unwrap();
        let second = connections.place(3, client(1)).await.unwrap();
        assert!(connections.place(4, client(1)).await.is_err(), "neither is idle yet");
        tokio::time::advance(IDLE_AFTER).await;
        second.activity.transferred();
        assert!(connections.place(5, client(1)).await.is_ok());
        assert!(is_closed(&first).await && !is_closed(&second).await && !is_closed(&other).await);
    }

    #[tokio::test(start_paused = true)]
    async fn full_server_closes_a_busy_connection_of_the_network_with_most() {
        let attacker = |number: u16| ClientAddress::Known([0x2001, 0xdb8, 7, number, 0, 0, 0, 1].into());
        let connections = Arc::new(OpenConnections::new(4, 3));
        let mut held = Vec::new();
        for (number, client) in [(1, 1), (2, 1), (3, 2), (4, 3)] {
            let place = connections.place(number, attacker(client)).await.unwrap();
            held.push((place.activity.request(), place));
        }
        let crowded = connections.place(5, attacker(1)).await.err();
        assert_eq!(crowded, Some(NoPlace::Crowded), "its client holds most");
        let patience = Duration::from_secs(5);
        assert!(connections.place_in_line(5, attacker(1), patience).await.is_none());
        let admitted = {
            let connections = Arc::clone(&connections);
            tokio::spawn(async move { connections.place(6, client(1)).await.is_ok() })
        };
        held[0].1.activity.close.cancelled().await;
        held.remove(0);
        assert!(admitted.await.unwrap());
        for (_, place) in &held {
            assert!(!is_closed(place).await);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn crowded_network_takes_idle_connections_of_others() {
        let connections = Arc::new(OpenConnections::new(3, 3));
        let idle = connections.place(1, ClientAddress::Known([203, 0, 113, 1].into())).await.unwrap();
        let mut busy = Vec::new();
        for number in [2, 3] {
            let place = connections.place(number, client(1)).await.unwrap();
            busy.push((place.activity.request(), place));
        }
        assert_eq!(connections.place(4, client(2)).await.err(), Some(NoPlace::Crowded), "none is idle yet");
        tokio::time::advance(IDLE_AFTER).await;
        let admitted = {
            let connections = Arc::clone(&connections);
            tokio::spawn(async move { connections.place(5, client(2)).await.is_ok() })
        };
        idle.activity.close.cancelled().await;
        drop(idle);
        assert!(admitted.await.unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn connection_of_a_proxy_counts_to_the_client_that_it_serves() {
        let connections = Arc::new(OpenConnections::new(3, 3));
        let mut held = Vec::new();
        for (number, served) in [(1, client(1)), (2, client(2)), (3, client(2))] {
            let place = connections.place(number, ClientAddress::Unknown(number)).await.unwrap();
            place.link().assign(&served);
            held.push((place.activity.request(), place));
        }
        let admitted = {
            let connections = Arc::clone(&connections);
            tokio::spawn(async move { connections.place(4, ClientAddress::Unknown(4)).await.is_ok() })
        };
        held[1].1.activity.close.cancelled().await;
        held.remove(1);
        assert!(admitted.await.unwrap());
        assert!(!is_closed(&held[0].1).await && !is_closed(&held[1].1).await);
    }
}

//! How many requests are answered at once. An answer may have 24 MiB (a file of 16 MiB in base64), and is
//! in memory until it is sent.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::problem::Problem;
use crate::request::client_address::ClientAddress;

/// The most requests that are answered at once.
const MAX_PLACES: usize = 16;

/// The most places of one client. One that reads its answers slowly cannot take them all.
const MAX_PER_CLIENT: usize = 4;

/// How long a request waits for a place.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// How many clients are remembered before those without requests are forgotten.
const MAX_CLIENTS: usize = 1024;

/// The places for requests.
pub(super) struct Places {
    all: Arc<Semaphore>,
    clients: Mutex<HashMap<ClientAddress, Weak<Semaphore>>>,
}

/// A place for one request. Dropping it frees the place.
pub(super) struct Place {
    _of_client: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Default for Places {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(MAX_PLACES)), clients: Mutex::default() }
    }
}

impl Places {
    /// Waits for a place.
    ///
    /// # Errors
    ///
    /// 503 if there is none for ten seconds.
    pub(super) async fn take(&self, client: ClientAddress) -> Result<Place, Problem> {
        let (own, all) = (self.of_client(client.network()), Arc::clone(&self.all));
        let both = async { Some((own.acquire_owned().await.ok()?, all.acquire_owned().await.ok()?)) };
        match timeout(MAX_WAIT, both).await {
            Ok(Some((of_client, of_all))) => Ok(Place { _of_client: of_client, _of_all: of_all }),
            _ => {
                let detail = "Too many requests are answered at once: try again later.";
                Err(Problem::unavailable(detail, MAX_WAIT))
            }
        }
    }

    fn of_client(&self, client: ClientAddress) -> Arc<Semaphore> {
        let mut clients = self.clients.lock();
        if let Some(known) = clients.get(&client).and_then(Weak::upgrade) {
            return known;
        }
        if clients.len() >= MAX_CLIENTS {
            clients.retain(|_, known| known.strong_count() > 0);
        }
        let places = Arc::new(Semaphore::new(MAX_PER_CLIENT));
        clients.insert(client, Arc::downgrade(&places));
        places
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn client_without_free_places_waits_and_others_do_not() {
        let places = Places::default();
        let (slow, other) = (ClientAddress::Unknown(1), ClientAddress::Unknown(2));
        let mut taken = Vec::new();
        for _ in 0..MAX_PER_CLIENT {
            taken.push(places.take(slow).await.unwrap());
        }
        let refused = places.take(slow).await.err().unwrap();
        assert_eq!(refused.code().as_str(), "unavailable");
        places.take(other).await.unwrap();
        taken.pop();
        places.take(slow).await.unwrap();
        for client in 0..(MAX_CLIENTS as u64) * 2 {
            places.take(ClientAddress::Unknown(client)).await.unwrap();
        }
        assert!(places.clients.lock().len() <= MAX_CLIENTS, "clients without requests are forgotten");
    }
}

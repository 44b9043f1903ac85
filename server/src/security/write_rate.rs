//! The limit on writes of each person, or of each client without a credential.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use registry::access::Actor;
use registry::names::Handle;

use crate::problem::Problem;
use crate::request::client_address::ClientAddress;

static LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
static REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
static RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// The number of keys above which unused ones are removed.
const MAX_KEYS: usize = 10_000;

/// The unit that writes are counted for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Key {
    /// A person, whichever credential they use.
    Person(Handle),
    /// Requests without a credential, by [`ClientAddress::network`].
    Client(ClientAddress),
}

impl Key {
    /// The key of a request from `client` by `actor`.
    pub fn of(actor: Option<&Actor>, client: ClientAddress) -> Self {
        let person = actor.and_then(|actor| actor.handle.clone()).map(Self::Person);
        person.unwrap_or_else(|| Self::Client(client.network()))
    }
}

/// A limit on writes per minute for each key. A minute's writes may come at once
/// (GCRA, the leaky bucket as a meter).
pub struct WriteRate {
    limiter: RateLimiter<Key, DefaultKeyedStateStore<Key>, DefaultClock, StateInformationMiddleware>,
    clock: DefaultClock,
    per_minute: NonZeroU32,
    /// The number of keys at which unused ones are removed next.
    next_sweep: AtomicUsize,
}

impl WriteRate {
    /// Allows `per_minute` writes per minute for each key.
    pub fn new(per_minute: NonZeroU32) -> Self {
        let limiter = RateLimiter::keyed(Quota::per_minute(per_minute));
        Self {
            limiter: limiter.with_middleware(),
            clock: DefaultClock::default(),
            per_minute,
            next_sweep: MAX_KEYS.into(),
        }
    }

    /// Counts a write.
    pub fn count(&self, key: &Key) -> RateStatus {
        let keys = self.limiter.len();
        if keys > self.next_sweep.load(Ordering::Relaxed) {
            self.limiter.retain_recent();
            // Twice the keys that are left: if all are recent, a lower number would
            // make every write search all of them.
            self.next_sweep.store(MAX_KEYS.max(2 * self.limiter.len()), Ordering::Relaxed);
        }
        let limit = self.per_minute.get();
        match self.limiter.check_key(key) {
            Ok(state) => {
                let remaining = state.remaining_burst_capacity().min(limit);
                let used = limit.saturating_sub(remaining);
                let reset = state.quota().replenish_interval().saturating_mul(used);
                RateStatus { limit, remaining, reset, wait: None }
            }
            Err(early) => {
                let wait = early.wait_time_from(self.clock.now());
                RateStatus { limit, remaining: 0, reset: wait, wait: Some(wait) }
            }
        }
    }
}

/// The state of a key's limit after a write.
#[derive(Debug, Clone, Copy)]
pub struct RateStatus {
    limit: u32,
    remaining: u32,
    /// Until the whole limit is available again; if none is left, until the next
    /// write is allowed.
    reset: Duration,
    /// How long to wait, if the write came too early.
    wait: Option<Duration>,
}

impl RateStatus {
    /// 429 if the write came too early, with the time to wait.
    pub fn admit(&self) -> Result<(), Problem> {
        let wait = self
            .wait
            .map(|wait| Problem::rate_limited("Too many writes: wait for the time in `Retry-After`.", wait));
        wait.map_or(Ok(()), Err)
    }

    /// Whether the write came too early.
    pub fn is_exceeded(&self) -> bool {
        self.wait.is_some()
    }

    /// Sets the headers of draft-ietf-httpapi-ratelimit-headers-03.
    pub fn set_headers(&self, headers: &mut HeaderMap) {
        let reset = u64::try_from(self.reset.as_millis().div_ceil(1000)).unwrap_or(u64::MAX);
        // Not less than `Retry-After`, which is never 0.
        let reset = if self.wait.is_some() { reset.max(1) } else { reset };
        headers.insert(LIMIT.clone(), HeaderValue::from(self.limit));
        headers.insert(REMAINING.clone(), HeaderValue::from(self.remaining));
        headers.insert(RESET.clone(), HeaderValue::from(reset));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Code;

    fn numbers(status: RateStatus) -> [u64; 3] {
        let mut headers = HeaderMap::new();
        status.set_headers(&mut headers);
        [&LIMIT, &REMAINING, &RESET].map(|name| headers[name].to_str().unwrap().parse().unwrap())
    }

    #[test]
    fn keys_are_limited_separately() {
        let rate = WriteRate::new(NonZeroU32::new(3).unwrap());
        let key = |text: &str| Key::Client(ClientAddress::Known(text.parse().unwrap()).network());
        let person = |handle: &str| Key::Person(handle.parse().unwrap());
        for remaining in [2, 1, 0] {
            let status = rate.count(&person("ann"));
            status.admit().unwrap();
            let [limit, left, reset] = numbers(status);
            assert_eq!((limit, left), (3, remaining));
            assert!((1..=60).contains(&reset), "{reset}");
        }
        let late = rate.count(&person("ann"));
        assert_eq!(late.admit().unwrap_err().code(), Code::RateLimited);
        assert_eq!(numbers(late)[..2], [3, 0]);
        for other in [
            person("bob"),
            Key::Client(ClientAddress::Unknown(1)),
            Key::Client(ClientAddress::Unknown(2)),
            key("192.0.2.1"),
            key("2001:db8::1"),
        ] {
            assert_eq!(numbers(rate.count(&other))[1], 2, "{other:?}");
        }
        assert_eq!(numbers(rate.count(&key("2001:db8::2")))[1], 1, "the same network");
    }

    #[test]
    fn unused_keys_are_removed() {
        let rate = WriteRate::new(NonZeroU32::MAX);
        for n in 0..3 * MAX_KEYS as u64 {
            rate.count(&Key::Client(ClientAddress::Unknown(n)));
        }
        assert!(rate.limiter.len() <= MAX_KEYS + 1, "{}", rate.limiter.len());
    }
}

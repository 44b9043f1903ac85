//! The limit on writes of each person, or of each client without a credential.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use registry::Registry;
use registry::access::Actor;
use registry::local::{LocalStore, WriteCount, WriteLimit};
use registry::names::Handle;

use crate::blocking::blocking;
use crate::problem::Problem;
use crate::request::client_address::ClientAddress;

static LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
static REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
static RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

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

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person(handle) => write!(f, "person {handle}"),
            Self::Client(client) => write!(f, "client {}", client.key()),
        }
    }
}

/// What is counted.
#[derive(Debug, Clone, Copy)]
pub enum Subject {
    /// Writes.
    Writes,
    /// Codes of logins that were entered.
    Codes,
}

/// A limit per minute for each key. The counts are local data, so the limit holds for all servers of a
/// database together.
pub struct WriteRate {
    local: Arc<LocalStore>,
    registry: Arc<Registry>,
    subject: Subject,
    limit: WriteLimit,
}

impl WriteRate {
    /// Allows `per_minute` of `subject` for each key.
    pub fn new(
        local: Arc<LocalStore>,
        registry: Arc<Registry>,
        subject: Subject,
        per_minute: NonZeroU32,
    ) -> Self {
        Self { local, registry, subject, limit: WriteLimit::per_minute(per_minute) }
    }

    /// Counts one for `key`.
    ///
    /// Errors: 503 if the local data cannot be written. The server is not ready then.
    pub async fn count(&self, key: &Key) -> Result<RateStatus, Problem> {
        let (local, registry, limit) = (Arc::clone(&self.local), Arc::clone(&self.registry), self.limit);
        let key = format!("{:?} of {key}", self.subject);
        let count = move || {
            local.count_write(&key, limit).map_err(|error| {
                registry.note_refused_write();
                Problem::uncounted(error)
            })
        };
        let counted = blocking(count).await?;
        Ok(RateStatus::of(counted, limit))
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
    fn of(WriteCount { is_allowed, full_in }: WriteCount, limit: WriteLimit) -> Self {
        let (share, writes) = (limit.share(), limit.writes());
        if !is_allowed {
            let wait = (full_in + share).saturating_sub(limit.window());
            return Self { limit: writes, remaining: 0, reset: wait, wait: Some(wait) };
        }
        let used = full_in.as_nanos().div_ceil(share.as_nanos());
        let used = u32::try_from(used).unwrap_or(writes).min(writes);
        Self { limit: writes, remaining: writes - used, reset: share * used, wait: None }
    }

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

    fn status(is_allowed: bool, full_in: u64) -> RateStatus {
        let full_in = Duration::from_secs(full_in);
        let limit = WriteLimit::per_minute(NonZeroU32::new(3).unwrap());
        RateStatus::of(WriteCount { is_allowed, full_in }, limit)
    }

    fn numbers(status: RateStatus) -> [u64; 3] {
        let mut headers = HeaderMap::new();
        status.set_headers(&mut headers);
        [&LIMIT, &REMAINING, &RESET].map(|name| headers[name].to_str().unwrap().parse().unwrap())
    }

    #[test]
    fn headers_tell_what_is_left() {
        for (full_in, left, reset) in [(20, 2, 20), (21, 1, 40), (40, 1, 40), (59, 0, 60), (60, 0, 60)] {
            let status = status(true, full_in);
            status.admit().unwrap();
            assert_eq!(numbers(status), [3, left, reset], "{full_in}");
        }
        for (full_in, wait) in [(60, 20), (41, 1), (40, 1)] {
            let status = status(false, full_in);
            assert_eq!(status.admit().unwrap_err().code(), Code::RateLimited);
            assert_eq!(numbers(status), [3, 0, wait], "{full_in}");
        }
    }

    #[test]
    fn keys_are_limited_separately() {
        let keys: [Key; 5] = [
            Key::Person("ann".parse().unwrap()),
            Key::Person("bob".parse().unwrap()),
            Key::Client(ClientAddress::Unknown(1)),
            Key::Client(ClientAddress::Unknown(2)),
            Key::Client(ClientAddress::Known("192.0.2.1".parse().unwrap())),
        ];
        let texts: std::collections::HashSet<_> = keys.iter().map(Key::to_string).collect();
        assert_eq!(texts.len(), keys.len());
        let of = |text: &str| Key::of(None, ClientAddress::Known(text.parse().unwrap()));
        assert_eq!(of("2001:db8::1"), of("2001:db8::2"), "the same network");
    }
}

//! Logins of clients that cannot receive a redirect (RFC 8628): the client shows a code, and its
//! user enters the code in a browser.
//!
//! The logins that have begun are in memory. A restart of the server ends them, and the clients
//! start again. Only digests of the codes are kept.

mod codes;

use std::collections::{HashMap, VecDeque};
use std::io;
use std::time::Duration;

use parking_lot::Mutex;
use registry::access::Credential;
use registry::names::Digest;
use registry::private::Scopes;
use registry::time::Timestamp;

pub use self::codes::UserCode;
use self::codes::device_code;
use crate::request::client_address::ClientAddress;

/// The lifetime of the codes.
pub const CODE_TTL: Duration = Duration::from_secs(600);
/// The seconds between two polls of a client, unless it was told to slow down.
pub const POLL_INTERVAL: u64 = 2;
/// The seconds that a client which polls too often has to wait longer (RFC 8628, section 3.5).
const SLOW_DOWN: u64 = 5;
/// The most logins of one client that have begun. Many people may share one address.
const MAX_PER_CLIENT: usize = 100;
/// The most logins that have begun. Each takes less than a kilobyte.
const MAX_LOGINS: usize = 10_000;

/// A client's request for a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginRequest {
    /// The name that the client gives itself.
    pub label: String,
    /// The scopes that it asks for.
    pub scopes: Scopes,
    /// Where it asks from.
    pub client: ClientAddress,
}

/// The codes of a login that has begun.
pub struct Codes {
    /// Which the client keeps.
    pub device: String,
    /// Which its user enters.
    pub user: UserCode,
}

/// Too many logins have begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany;

/// What the user has decided.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// The client gets a token, which this credential issues.
    Allowed(Credential),
    /// The client gets none.
    Denied,
}

/// The state of a login, for the client that polls. `Allowed`, `Denied` and `Expired` end it.
#[derive(Debug, Clone)]
pub enum Poll {
    /// The user has not decided.
    Pending,
    /// The client has to wait this number of seconds between two polls.
    TooFast(u64),
    /// The token may be issued.
    Allowed(Box<LoginRequest>, Credential),
    /// The user has refused.
    Denied,
    /// The codes have expired.
    Expired,
    /// No login has this code, or it has ended.
    Unknown,
}

/// The logins that have begun.
#[derive(Default)]
pub struct DeviceLogins(Mutex<Table>);

#[derive(Default)]
struct Table {
    /// By the digest of the device code.
    logins: HashMap<Digest, Login>,
    /// The digests of the device codes by those of the user codes that still wait.
    waiting: HashMap<Digest, Digest>,
    /// The digests of the device codes, the oldest login first. Some have ended.
    by_age: VecDeque<(Timestamp, Digest)>,
    per_client: HashMap<ClientAddress, usize>,
}

struct Login {
    request: LoginRequest,
    user_code: Digest,
    ends_at: Timestamp,
    interval: u64,
    last_poll: Option<Timestamp>,
    verdict: Option<Verdict>,
}

impl DeviceLogins {
    /// Begins a login. The outer error: the system has no random numbers.
    pub fn begin(&self, request: LoginRequest, now: Timestamp) -> io::Result<Result<Codes, TooMany>> {
        let codes = Codes { device: device_code()?, user: UserCode::random()? };
        Ok(self.0.lock().insert(&codes, request, now).map(|()| codes))
    }

    /// The request that waits for the user who has this code.
    pub fn find(&self, code: &UserCode, now: Timestamp) -> Option<LoginRequest> {
        self.0.lock().waiting(code, now).map(|login| login.request.clone())
    }

    /// Ends the wait for the user. Returns false if no login waits under this code.
    pub fn decide(&self, code: &UserCode, verdict: Verdict, now: Timestamp) -> bool {
        let mut table = self.0.lock();
        let Some(login) = table.waiting(code, now) else { return false };
        login.verdict = Some(verdict);
        table.waiting.remove(&code.digest());
        true
    }

    /// The state of the login with this device code.
    pub fn poll(&self, code: &str, now: Timestamp) -> Poll {
        self.0.lock().poll(&Digest::of(code.as_bytes()), now)
    }
}

impl Table {
    fn insert(&mut self, codes: &Codes, request: LoginRequest, now: Timestamp) -> Result<(), TooMany> {
        self.remove_expired(now);
        let client = request.client.network();
        let of_client = self.per_client.get(&client).copied().unwrap_or_default();
        if self.logins.len() >= MAX_LOGINS || of_client >= MAX_PER_CLIENT {
            return Err(TooMany);
        }
        let (device_code, user_code) = (Digest::of(codes.device.as_bytes()), codes.user.digest());
        let ends_at = now.plus(CODE_TTL);
        let interval = POLL_INTERVAL;
        let login = Login { request, user_code, ends_at, interval, last_poll: None, verdict: None };
        self.logins.insert(device_code, login);
        // Two equal codes at a time are as likely as a guess: the first one then expires.
        self.waiting.insert(user_code, device_code);
        self.by_age.push_back((ends_at, device_code));
        *self.per_client.entry(client).or_default() += 1;
        Ok(())
    }

    fn waiting(&mut self, code: &UserCode, now: Timestamp) -> Option<&mut Login> {
        let device_code = self.waiting.get(&code.digest())?;
        self.logins.get_mut(device_code).filter(|login| login.ends_at > now && login.verdict.is_none())
    }

    fn poll(&mut self, device_code: &Digest, now: Timestamp) -> Poll {
        let Some(login) = self.logins.get_mut(device_code) else { return Poll::Unknown };
        if login.ends_at <= now {
            self.remove(device_code);
            return Poll::Expired;
        }
        let earliest = login.last_poll.map(|last| last.plus(Duration::from_secs(login.interval)));
        login.last_poll = Some(now);
        if earliest.is_some_and(|earliest| now < earliest) {
            login.interval += SLOW_DOWN;
            return Poll::TooFast(login.interval);
        }
        match login.verdict.take() {
            None => Poll::Pending,
            Some(verdict) => match (verdict, self.remove(device_code)) {
                (Verdict::Allowed(credential), Some(login)) => {
                    Poll::Allowed(Box::new(login.request), credential)
                }
                _ => Poll::Denied,
            },
        }
    }

    fn remove(&mut self, device_code: &Digest) -> Option<Login> {
        let login = self.logins.remove(device_code)?;
        if self.waiting.get(&login.user_code) == Some(device_code) {
            self.waiting.remove(&login.user_code);
        }
        let client = login.request.client.network();
        if let Some(count) = self.per_client.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                self.per_client.remove(&client);
            }
        }
        Some(login)
    }

    /// Removes the logins whose codes expired so long ago that their clients have noticed.
    fn remove_expired(&mut self, now: Timestamp) {
        while let Some((ends_at, device_code)) = self.by_age.front().copied()
            && (ends_at.plus(CODE_TTL) <= now || !self.logins.contains_key(&device_code))
        {
            self.by_age.pop_front();
            self.remove(&device_code);
        }
    }
}

#[cfg(test)]
mod tests;

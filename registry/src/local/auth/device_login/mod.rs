//! Logins of clients that cannot receive a redirect (RFC 8628): the client shows a code, and its
//! user enters the code in a browser.
//!
//! A login may begin on one server, be decided on another, and be polled on both. Each step holds
//! the login from reading it to storing what follows. The codes
//! themselves are not stored, but their digests.

mod codes;
mod stored;

use std::net::IpAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use self::codes::UserCode;
use self::codes::device_code;
use self::stored::DeviceLogin;
pub(super) use self::stored::{LOGINS, OF_CODE, OF_NETWORK};
use crate::local::{LocalError, LocalStore, Mode, Space, Transaction};
use crate::names::Digest;
use crate::private::Scopes;
use crate::time::Timestamp;

/// The lifetime of the codes.
pub const DEVICE_CODE_TTL: Duration = Duration::from_secs(600);
/// The seconds between two polls of a client, unless it was told to slow down.
pub const DEVICE_POLL_INTERVAL: u64 = 2;
/// The seconds that a client which polls too often has to wait longer (RFC 8628, section 3.5).
const SLOW_DOWN: u64 = 5;
/// The most logins of one network that have begun. Many people may share one address.
const MAX_PER_NETWORK: u64 = 100;
/// The most logins that have begun. Each takes about a kilobyte.
const MAX_LOGINS: u64 = 10_000;
const LIMITS: DeviceLimits = DeviceLimits { of_network: MAX_PER_NETWORK, all: MAX_LOGINS };

/// How many logins may have begun.
#[derive(Debug, Clone, Copy)]
pub(in crate::local) struct DeviceLimits {
    /// Of one network.
    pub(in crate::local) of_network: u64,
    /// Of all networks together.
    pub(in crate::local) all: u64,
}

/// A client's request for a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceRequest {
    /// The name that the client gives itself.
    pub label: String,
    /// The scopes that it asks for.
    pub scopes: Scopes,
    /// The IP address from which it asks, if it is known.
    pub client: Option<IpAddr>,
}

/// A person's decision about a login with a code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceVerdict {
    /// The client gets a token, which is made in the session with this public id.
    Allowed(String),
    /// The client gets none.
    Denied,
}

/// The codes of a login that has begun. `Debug` is missing, because both are secret.
pub struct DeviceCodes {
    /// The code that the client keeps.
    pub device: String,
    /// The code that its user enters.
    pub user: UserCode,
}

/// The state of a login, for the client that polls. `Allowed`, `Denied` and `Expired` end it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DevicePoll {
    /// The user has not decided.
    Pending,
    /// The client has to wait this number of seconds between two polls.
    TooFast(u64),
    /// The token may be issued. Of several polls at once, also on several servers, one gets this.
    Allowed {
        /// What the client asked for.
        request: DeviceRequest,
        /// The public id of the session in which the token is made.
        session: String,
    },
    /// The user has refused.
    Denied,
    /// The codes have expired.
    Expired,
    /// No login has this code, or it has ended.
    Unknown,
}

impl LocalStore {
    /// Begins a login of a client in `network`. Returns None if too many have begun: 100 of the
    /// network, or 10,000 in all.
    ///
    /// Errors: also if the system has no random numbers.
    pub fn begin_device_login(
        &self,
        request: &DeviceRequest,
        network: &str,
        now: Timestamp,
    ) -> Result<Option<DeviceCodes>, LocalError> {
        self.begin_device_login_within(LIMITS, request, network, now)
    }

    /// Begins a login within other limits.
    pub(in crate::local) fn begin_device_login_within(
        &self,
        limits: DeviceLimits,
        request: &DeviceRequest,
        network: &str,
        now: Timestamp,
    ) -> Result<Option<DeviceCodes>, LocalError> {
        let codes = DeviceCodes { device: device_code()?, user: UserCode::random()? };
        let device = Digest::of(codes.device.as_bytes()).to_string();
        let login = DeviceLogin {
            user_code: codes.user.digest(),
            network: Digest::of(network.as_bytes()),
            request: request.clone(),
            ends_at: now.plus(DEVICE_CODE_TTL),
            interval: DEVICE_POLL_INTERVAL,
            last_poll: None,
            verdict: None,
        };
        // Two servers that count at the same time would both find room for the last one.
        let begun = self.step(Some(LOGINS), |records| {
            records.delete_expired(now.as_unix())?;
            let has_room = stored::has_room(records, &login, limits)?;
            if has_room {
                login.begin(records, &device)?;
            }
            Ok(has_room)
        })?;
        Ok(begun.then_some(codes))
    }

    /// The request that waits for the person who has this code.
    pub fn waiting_device_login(
        &self,
        code: &UserCode,
        now: Timestamp,
    ) -> Result<Option<DeviceRequest>, LocalError> {
        let found = self.step(None, |records| find_waiting(records, code, now))?;
        Ok(found.map(|(_, login)| login.request))
    }

    /// Stores what the person with this code has decided. Returns false if no login waits under
    /// the code.
    pub fn decide_device_login(
        &self,
        code: &UserCode,
        verdict: &DeviceVerdict,
        now: Timestamp,
    ) -> Result<bool, LocalError> {
        self.step(None, |records| match find_waiting(records, code, now)? {
            Some((device, login)) => {
                let next = DeviceLogin { verdict: Some(verdict.clone()), ..login };
                next.store(records, &device).map(|()| true)
            }
            None => Ok(false),
        })
    }

    /// The state of the login with this device code. An end is told once.
    pub fn poll_device_login(&self, code: &str, now: Timestamp) -> Result<DevicePoll, LocalError> {
        let device = Digest::of(code.as_bytes()).to_string();
        self.step(None, |records| {
            let Some(login) = records.value::<DeviceLogin>(LOGINS, &device)? else {
                return Ok(DevicePoll::Unknown);
            };
            let (answer, next) = decide_poll(&login, now);
            match next {
                Some(next) => next.store(records, &device)?,
                None => records.delete(&login.places(&device))?,
            }
            Ok(answer)
        })
    }

    /// A login that the power takes with it begins again, so nothing waits for the disk.
    fn step<R>(
        &self,
        lock: Option<Space>,
        work: impl FnMut(&mut dyn Transaction) -> Result<R, LocalError>,
    ) -> Result<R, LocalError> {
        self.run(Mode::Write { lock, is_durable: false }, work)
    }
}

/// The login that waits for the person with this code, and its key. It is held until the end of the work.
fn find_waiting(
    records: &mut dyn Transaction,
    code: &UserCode,
    now: Timestamp,
) -> Result<Option<(String, DeviceLogin)>, LocalError> {
    let Some(device) = stored::find(records, &code.digest())? else { return Ok(None) };
    let login = records.value::<DeviceLogin>(LOGINS, &device)?;
    Ok(login.filter(|login| login.ends_at > now && login.verdict.is_none()).map(|login| (device, login)))
}

/// The answer to a poll, and the login after it. Without one it ends.
fn decide_poll(login: &DeviceLogin, now: Timestamp) -> (DevicePoll, Option<DeviceLogin>) {
    if login.ends_at <= now {
        return (DevicePoll::Expired, None);
    }
    let polled = DeviceLogin { last_poll: Some(now), ..login.clone() };
    if login.last_poll.is_some_and(|last| now < last.plus(Duration::from_secs(login.interval))) {
        let interval = login.interval.saturating_add(SLOW_DOWN);
        return (DevicePoll::TooFast(interval), Some(DeviceLogin { interval, ..polled }));
    }
    match &login.verdict {
        None => (DevicePoll::Pending, Some(polled)),
        Some(DeviceVerdict::Denied) => (DevicePoll::Denied, None),
        Some(DeviceVerdict::Allowed(session)) => {
            let (request, session) = (login.request.clone(), session.clone());
            (DevicePoll::Allowed { request, session }, None)
        }
    }
}

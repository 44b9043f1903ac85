//! Logins of clients that cannot receive a redirect (RFC 8628): the client shows a code, and its
//! user enters the code in a browser.
//!
//! A login may begin on one server, be decided on another, and be polled on both. Each step reads
//! the login, decides, and stores the result only if no other server was first. The codes
//! themselves are not stored, but their digests.

mod codes;

use std::net::IpAddr;
use std::time::Duration;

pub use self::codes::UserCode;
use self::codes::device_code;
use crate::local::{
    DeviceCodeDigest, DeviceLoginState, DeviceVerdict, LocalError, LocalStore, NewDeviceLogin,
    StoredDeviceLogin,
};
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
const MAX_PER_NETWORK: u32 = 100;
/// The most logins that have begun. Each takes less than a kilobyte.
const MAX_LOGINS: u32 = 10_000;

/// A client's request for a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceRequest {
    /// The name that the client gives itself.
    pub label: String,
    /// The scopes that it asks for.
    pub scopes: Scopes,
    /// The IP address from which it asks, if it is known.
    pub client: Option<IpAddr>,
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
        self.forget_device_logins(now)?;
        let codes = DeviceCodes { device: device_code()?, user: UserCode::random()? };
        let scopes = serde_json::to_string(&request.scopes).map_err(|why| LocalError::Storage(why.into()))?;
        let begun = self.backend.begin_device_login(&NewDeviceLogin {
            device_code: &Digest::of(codes.device.as_bytes()),
            user_code: &codes.user.digest(),
            network: &Digest::of(network.as_bytes()),
            label: &request.label,
            scopes: &scopes,
            client: request.client.map(|client| client.to_string()).as_deref(),
            ends_at: now.plus(DEVICE_CODE_TTL),
            interval: DEVICE_POLL_INTERVAL,
            max_of_network: MAX_PER_NETWORK,
            max: MAX_LOGINS,
        })?;
        Ok(begun.then_some(codes))
    }

    /// The request that waits for the person who has this code.
    pub fn waiting_device_login(
        &self,
        code: &UserCode,
        now: Timestamp,
    ) -> Result<Option<DeviceRequest>, LocalError> {
        self.find_waiting(code, now)?.map(|login| request_of(&login)).transpose()
    }

    /// Stores what the person with this code has decided. Returns false if no login waits under
    /// the code.
    pub fn decide_device_login(
        &self,
        code: &UserCode,
        verdict: &DeviceVerdict,
        now: Timestamp,
    ) -> Result<bool, LocalError> {
        // A poll of the client may come in between.
        while let Some(login) = self.find_waiting(code, now)? {
            let next = DeviceLoginState { verdict: Some(verdict.clone()), ..login.state.clone() };
            if self.backend.change_device_login(&login, Some(&next))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The state of the login with this device code. An end is told once.
    pub fn poll_device_login(&self, code: &str, now: Timestamp) -> Result<DevicePoll, LocalError> {
        let code = Digest::of(code.as_bytes());
        // The decision, or another poll, may come in between.
        while let Some(login) = self.backend.device_login(DeviceCodeDigest::Device(&code))? {
            let (answer, next) = decide_poll(&login, now)?;
            if self.backend.change_device_login(&login, next.as_ref())? {
                return Ok(answer);
            }
        }
        Ok(DevicePoll::Unknown)
    }

    /// Removes the logins whose codes expired so long ago that their clients have noticed.
    pub(in crate::local) fn forget_device_logins(&self, now: Timestamp) -> Result<(), LocalError> {
        self.backend.forget_device_logins(now.as_unix().saturating_sub_unsigned(DEVICE_CODE_TTL.as_secs()))
    }

    fn find_waiting(&self, code: &UserCode, now: Timestamp) -> Result<Option<StoredDeviceLogin>, LocalError> {
        let found = self.backend.device_login(DeviceCodeDigest::User(&code.digest()))?;
        Ok(found.filter(|login| login.ends_at > now.as_unix() && login.state.verdict.is_none()))
    }
}

/// The answer to a poll, and the state after it. Without a state the login ends.
fn decide_poll(
    login: &StoredDeviceLogin,
    now: Timestamp,
) -> Result<(DevicePoll, Option<DeviceLoginState>), LocalError> {
    let now = now.as_unix();
    if login.ends_at <= now {
        return Ok((DevicePoll::Expired, None));
    }
    let state = &login.state;
    let polled = DeviceLoginState { last_poll: Some(now), ..state.clone() };
    if state.last_poll.is_some_and(|last| now < last.saturating_add_unsigned(state.interval)) {
        let interval = state.interval.saturating_add(SLOW_DOWN);
        return Ok((DevicePoll::TooFast(interval), Some(DeviceLoginState { interval, ..polled })));
    }
    Ok(match &state.verdict {
        None => (DevicePoll::Pending, Some(polled)),
        Some(DeviceVerdict::Denied) => (DevicePoll::Denied, None),
        Some(DeviceVerdict::Allowed(session)) => {
            (DevicePoll::Allowed { request: request_of(login)?, session: session.clone() }, None)
        }
    })
}

/// Errors: [`LocalError::Damaged`] if the stored request cannot be read.
fn request_of(login: &StoredDeviceLogin) -> Result<DeviceRequest, LocalError> {
    let damaged = |what: &str| LocalError::Damaged(format!("a login with a code has invalid {what}").into());
    let scopes = serde_json::from_str(&login.scopes).map_err(|_| damaged("scopes"))?;
    let client = login.client.as_deref().map(str::parse).transpose().map_err(|_| damaged("addresses"))?;
    Ok(DeviceRequest { label: login.label.clone(), scopes, client })
}

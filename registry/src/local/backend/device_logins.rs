//! Logins with a code, as a store keeps them.

use std::net::IpAddr;

use crate::fair_share::{Held, Owner, gives_way};
use crate::local::LocalError;
use crate::names::Digest;
use crate::time::Timestamp;

/// A login with a code to begin.
#[derive(Debug, Clone, Copy)]
pub struct NewDeviceLogin<'a> {
    /// The digest of the code that the client keeps.
    pub device_code: &'a Digest,
    /// The digest of the code that a person enters.
    pub user_code: &'a Digest,
    /// The digest of the client's network.
    pub network: &'a Digest,
    /// The name of the client.
    pub label: &'a str,
    /// The scopes, as a JSON array.
    pub scopes: &'a str,
    /// The IP address of the client, if it is known.
    pub client: Option<&'a str>,
    /// The time from which on the codes are expired.
    pub ends_at: Timestamp,
    /// Seconds between two polls.
    pub interval: u64,
    /// The most logins of one network.
    pub max_of_network: u32,
    /// The most logins in all.
    pub max: u32,
}

/// What a login with a code is found by.
#[derive(Debug, Clone, Copy)]
pub enum DeviceCodeDigest<'a> {
    /// The digest of the code that the client keeps.
    Device(&'a Digest),
    /// The digest of the code that a person enters.
    User(&'a Digest),
}

/// A login with a code as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDeviceLogin {
    /// The digest of the code that the client keeps, in hex.
    pub device_code: String,
    /// The name of the client.
    pub label: String,
    /// The scopes, as a JSON array.
    pub scopes: String,
    /// The IP address of the client, if it is known.
    pub client: Option<String>,
    /// The time (Unix seconds) from which on the codes are expired.
    pub ends_at: i64,
    /// What changes.
    pub state: DeviceLoginState,
    /// Rises with each change of the state.
    pub version: i64,
}

/// The part of a login with a code that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceLoginState {
    /// Seconds between two polls.
    pub interval: u64,
    /// The time of the last poll (Unix seconds).
    pub last_poll: Option<i64>,
    /// None while the person has not decided.
    pub verdict: Option<DeviceVerdict>,
}

/// A person's decision about a login with a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceVerdict {
    /// The client gets a token, which is made in the session with this public id.
    Allowed(String),
    /// The client gets none.
    Denied,
}

impl DeviceLoginState {
    /// Reads a verdict from two columns: whether there is one, and the session of a consent.
    pub fn verdict(is_decided: bool, session: Option<String>) -> Option<DeviceVerdict> {
        is_decided.then(|| session.map_or(DeviceVerdict::Denied, DeviceVerdict::Allowed))
    }

    /// The session in which the token is made, if the login is allowed.
    pub fn session(&self) -> Option<&str> {
        match &self.verdict {
            Some(DeviceVerdict::Allowed(session)) => Some(session),
            Some(DeviceVerdict::Denied) | None => None,
        }
    }
}

/// The logins of a client's network that have begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkLogins {
    /// The digest of the network, in hex.
    pub network: String,
    /// The IP address of one of its clients, if it is known.
    pub client: Option<String>,
    /// How many there are.
    pub logins: u64,
    /// The end (Unix seconds) and the device code of the oldest.
    pub oldest: (i64, String),
}

impl NetworkLogins {
    fn owner(network: &str, client: Option<&str>) -> Owner {
        let address = client.and_then(|client| client.parse::<IpAddr>().ok());
        address.map_or_else(|| Owner::unrelated(network.to_owned()), Owner::of_address)
    }

    /// The device code of the login that gives way to a new one, when there are as many as allowed.
    pub fn gives_way<'a>(networks: &'a [Self], login: &NewDeviceLogin<'_>) -> Option<&'a str> {
        let owners: Vec<_> =
            networks.iter().map(|one| Self::owner(&one.network, one.client.as_deref())).collect();
        let held = networks.iter().zip(&owners).map(|(one, owner)| Held {
            owner,
            amount: one.logins,
            id: Some(&one.oldest),
        });
        let newcomer = Self::owner(&login.network.to_string(), login.client);
        gives_way(&newcomer, 1, held).map(|(_, code)| code.as_str())
    }
}

/// Logins with a code (RFC 8628) that have begun.
pub trait DeviceLogins: Send + Sync {
    /// Begins a login. If there are as many as allowed in all, [`NetworkLogins::gives_way`] names one that
    /// ends. Returns false, and begins none, if there are as many as allowed of this network, or if none
    /// gives way.
    fn begin_device_login(&self, login: &NewDeviceLogin<'_>) -> Result<bool, LocalError>;

    /// The login with a code. If two have the same code for people, the one that ends later.
    fn device_login(&self, code: DeviceCodeDigest<'_>) -> Result<Option<StoredDeviceLogin>, LocalError>;

    /// Replaces the state of a login, or removes the login if there is no next state. Returns
    /// false, and changes nothing, unless the stored login has the version of `login`.
    fn change_device_login(
        &self,
        login: &StoredDeviceLogin,
        next: Option<&DeviceLoginState>,
    ) -> Result<bool, LocalError>;

    /// Removes all logins that ended at `until` (Unix seconds) or before.
    fn forget_device_logins(&self, until: i64) -> Result<(), LocalError>;
}

//! The records of a login with a code.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use super::{DEVICE_CODE_TTL, DeviceLimits, DeviceRequest, DeviceVerdict};
use crate::fair_share::{Held, Owner, gives_way};
use crate::local::{LocalError, Place, Record, Space, Transaction};
use crate::names::Digest;
use crate::time::Timestamp;

/// The logins, by the digest of the code that the client keeps.
pub(in crate::local::auth) const LOGINS: Space = Space::new("device_logins.1");
/// The logins of each code that people enter: the keys are `{digest of the code}/{key of the login}`.
pub(in crate::local::auth) const OF_CODE: Space = Space::new("device_logins_of_code.1");
/// The logins of each network: the keys are `{digest of the network}/{key of the login}`, the values are
/// the addresses of the clients.
pub(in crate::local::auth) const OF_NETWORK: Space = Space::new("device_logins_of_network.1");

/// A login with a code as it is stored.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct DeviceLogin {
    /// The digest of the code that a person enters.
    pub(super) user_code: Digest,
    /// The digest of the client's network.
    pub(super) network: Digest,
    pub(super) request: DeviceRequest,
    /// The time from which on the codes are expired.
    pub(super) ends_at: Timestamp,
    /// Seconds between two polls.
    pub(super) interval: u64,
    pub(super) last_poll: Option<Timestamp>,
    /// None while the person has not decided.
    pub(super) verdict: Option<DeviceVerdict>,
}

impl DeviceLogin {
    /// Its places under the key `device`.
    pub(super) fn places(&self, device: &str) -> [Place; 3] {
        [
            (LOGINS, device.to_owned()),
            (OF_CODE, format!("{}/{device}", self.user_code)),
            (OF_NETWORK, format!("{}/{device}", self.network)),
        ]
    }

    /// Stores a new login.
    pub(super) fn begin(&self, records: &mut dyn Transaction, device: &str) -> Result<(), LocalError> {
        let [login, of_code, of_network] = self.places(device);
        let end = self.ends_at.as_unix().unsigned_abs();
        let new = [
            Record::new(login, self)?,
            Record::new(of_code, &())?.numbered(end),
            Record::new(of_network, &self.request.client)?.numbered(end),
        ];
        records.put(&new.map(|record| self.expiring(record)))
    }

    /// Replaces a login.
    pub(super) fn store(&self, records: &mut dyn Transaction, device: &str) -> Result<(), LocalError> {
        let record = Record::new((LOGINS, device.to_owned()), self)?;
        records.put(&[self.expiring(record)])
    }

    /// The record stays until the client has noticed that the codes have expired.
    fn expiring(&self, record: Record) -> Record {
        record.expiring(self.ends_at.plus(DEVICE_CODE_TTL).as_unix())
    }
}

/// The key of the login with this code for people. If two have the same one, the one that ends later.
pub(super) fn find(records: &mut dyn Transaction, code: &Digest) -> Result<Option<String>, LocalError> {
    let found = records.all(OF_CODE, &format!("{code}/"))?;
    let last = found.iter().max_by_key(|record| record.number);
    Ok(last.map(|record| record.key_end().to_owned()))
}

/// Whether `login` may begin. If there are as many as allowed in all, the oldest of the client with most ends.
pub(super) fn has_room(
    records: &mut dyn Transaction,
    login: &DeviceLogin,
    limits: DeviceLimits,
) -> Result<bool, LocalError> {
    if records.count(OF_NETWORK, &format!("{}/", login.network))? >= limits.of_network {
        return Ok(false);
    }
    if records.count(LOGINS, "")? < limits.all {
        return Ok(true);
    }
    let mut begun = Vec::new();
    for record in records.all(OF_NETWORK, "")? {
        let (network, device) = record.place.1.split_once('/').ok_or_else(|| record.damaged())?;
        begun.push((owner(network, record.read()?), (record.number, device.to_owned())));
    }
    let held = begun.iter().map(|(owner, id)| Held { owner, amount: 1, id: Some(id) });
    let newcomer = owner(&login.network.to_string(), login.request.client);
    let Some((_, device)) = gives_way(&newcomer, 1, held) else { return Ok(false) };
    if let Some(old) = records.value::<DeviceLogin>(LOGINS, device)? {
        records.delete(&old.places(device))?;
    }
    Ok(true)
}

fn owner(network: &str, client: Option<IpAddr>) -> Owner {
    client.map_or_else(|| Owner::unrelated(network.to_owned()), Owner::of_address)
}

//! Remembers as hashes which clients downloaded which version on which day.
//!
//! A hash covers version and address under a random key of the day, so it cannot
//! be compared with data from elsewhere. The key and the hashes of a day are
//! erased when nothing of that day has been counted for a while. After that the
//! addresses cannot be found out.

use std::collections::BTreeMap;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use super::Download;
use crate::local::{LocalError, Place, Record, Space, Transaction};
use crate::names::DigestBuilder;
use crate::random::random_bytes;
use crate::time::Day;

/// The key of each day, by the number of the day.
pub(in crate::local) const DOWNLOAD_KEYS: Space = Space::new("download_keys.1");
/// The hashes: the keys are `{number of the day}/{hash in hex}`.
pub(in crate::local) const DOWNLOAD_CLIENTS: Space = Space::new("download_clients.1");

/// A key is erased this many days after its last use. Most logs are rotated by
/// then, and the logs of a mirror may come late.
const KEY_TTL_DAYS: i64 = 32;

/// The key of a day as it is stored.
#[derive(Serialize, Deserialize)]
struct StoredKey {
    key: [u8; 32],
    /// The number of the last day on which something was counted with it.
    used: i64,
}

/// The keys of the days of downloads.
pub(super) struct DayKeys(BTreeMap<Day, [u8; 32]>);

impl DayKeys {
    /// Reads the keys, and makes missing ones. The first use of a key on a day is stored, and erases all that are too
    /// old `today`.
    pub(super) fn open(
        records: &mut dyn Transaction,
        downloads: &[Download],
        today: Day,
    ) -> Result<Self, LocalError> {
        let mut keys: BTreeMap<Day, [u8; 32]> =
            downloads.iter().map(|download| (download.day, [0; 32])).collect();
        let places: Vec<_> = keys.keys().map(|day| (DOWNLOAD_KEYS, day.number().to_string())).collect();
        let mut stored = read(records.get(&places)?)?;
        let is_used = |key: &Option<StoredKey>| key.as_ref().is_some_and(|key| key.used >= today.number());
        if !stored.iter().all(is_used) {
            forget(records, today)?;
            stored = read(records.get(&places)?)?;
        }
        let mut renewed = Vec::new();
        for ((key, stored), place) in keys.values_mut().zip(stored).zip(places) {
            let is_used = is_used(&stored);
            *key = stored.map_or_else(random_bytes, |stored| Ok(stored.key))?;
            if !is_used {
                renewed.push(Record::new(place, &StoredKey { key: *key, used: today.number() })?);
            }
        }
        if !renewed.is_empty() {
            records.put(&renewed)?;
        }
        Ok(Self(keys))
    }

    /// Where the client of a download is remembered. All parts of the hash have a fixed length, so that no two inputs
    /// feed the same bytes.
    pub(super) fn client(&self, download: &Download) -> Place {
        let address = match download.client {
            IpAddr::V4(address) => address.to_ipv6_mapped(),
            IpAddr::V6(address) => address,
        };
        let mut digest = DigestBuilder::default();
        digest.update(self.0.get(&download.day).map_or(&[], <[u8; 32]>::as_slice));
        digest.update(&download.skill.0.to_be_bytes());
        digest.update(&download.version.0.to_be_bytes());
        digest.update(&address.octets());
        let mut hash = digest.finish().to_string();
        hash.truncate(32);
        (DOWNLOAD_CLIENTS, format!("{}/{hash}", download.day.number()))
    }
}

fn read(found: Vec<Option<Record>>) -> Result<Vec<Option<StoredKey>>, LocalError> {
    found.into_iter().map(|record| record.map(|record| record.read()).transpose()).collect()
}

/// Erases keys that were not used for [`KEY_TTL_DAYS`], and their hashes.
pub(super) fn forget(records: &mut dyn Transaction, today: Day) -> Result<(), LocalError> {
    let last = today.number() - KEY_TTL_DAYS;
    for record in records.all(DOWNLOAD_KEYS, "")? {
        if record.read::<StoredKey>()?.used <= last {
            records.delete_prefix(DOWNLOAD_CLIENTS, &format!("{}/", record.place.1))?;
            records.delete(&[record.place])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

//! How often each version was downloaded.
//!
//! A client counts once for each version and day. [`clients`] remembers clients
//! as hashes, for a limited time. [`logs`] remembers how far each access log was
//! counted.

mod clients;
mod logs;

use std::collections::HashMap;
use std::net::IpAddr;

pub use clients::{KEY_TTL_DAYS, client_hash, new_client_key};
pub use logs::{KnownLog, LogCounted, LogPosition, LogStart};

use super::{LocalError, LocalStore};
use crate::public::Id;
use crate::time::{Day, Timestamp};

/// A complete download of a version's package by a known client. Downloads of
/// unknown clients are not counted: anyone could raise the numbers with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Download {
    /// The skill's id.
    pub skill: Id,
    /// The version's id.
    pub version: Id,
    /// The day in UTC.
    pub day: Day,
    /// The client's address. An IPv4 address equals its IPv6 form.
    pub client: IpAddr,
}

/// The outcome of counting downloads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CountedDownloads {
    /// The number of counted downloads of each skill and version.
    pub new: HashMap<(Id, Id), u64>,
    /// The number of downloads by clients that had the version that day already.
    pub repeated: u64,
}

/// The downloads of a version on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DownloadDay {
    /// The version's id.
    pub version: Id,
    /// The day in UTC.
    pub day: Day,
    /// The number of clients that downloaded it.
    pub count: u64,
}

impl LocalStore {
    /// Counts downloads in one transaction. Other processes may count too.
    pub fn count_downloads(&self, downloads: &[Download]) -> Result<CountedDownloads, LocalError> {
        self.backend.count_downloads(downloads, Timestamp::now().into())
    }

    /// Forgets the clients of days that have not been counted for 32 days.
    /// Counting does so too, so call it when nothing is counted.
    pub fn forget_clients(&self) -> Result<(), LocalError> {
        self.backend.forget_clients(Timestamp::now().into())
    }

    /// The total downloads of each skill that was counted after change number
    /// `since` (0: every skill), and the last change number. The cost depends on
    /// the changes only.
    ///
    /// Change numbers belong to one store. A number that this store has not reached
    /// came from another one and counts as 0.
    pub fn download_totals_since(&self, since: u64) -> Result<(Vec<(Id, u64)>, u64), LocalError> {
        self.backend.download_totals_since(since)
    }

    /// The downloads of a skill's versions on each day, by version and day.
    pub fn download_days(&self, skill: Id) -> Result<Vec<DownloadDay>, LocalError> {
        self.backend.download_days(skill)
    }
}

#[cfg(test)]
mod tests;

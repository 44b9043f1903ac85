//! How often each version was downloaded.
//!
//! A client counts once for each version and day. [`clients`] remembers clients
//! as hashes, for a limited time. [`logs`] remembers how far each access log was
//! counted.

mod clients;
mod logs;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::IpAddr;

use clients::DayKeys;
pub use logs::{KnownLog, LogCounted, LogPosition, LogStart};

use super::{LocalError, LocalStore, Mode, Place, Record, Space, Transaction};
use crate::public::Id;
use crate::time::{Day, Timestamp};

/// The downloads of each version on each day: see [`DayKey`].
pub(super) const DOWNLOAD_DAYS: Space = Space::new("download_days.1");
/// The downloads of each skill whose days are not known any more, by skill.
pub(super) const EARLIER_DOWNLOADS: Space = Space::new("earlier_downloads.1");
/// The downloads of each skill, by skill. The number is that of the last change.
const DOWNLOAD_TOTALS: Space = Space::new("download_totals.1");
/// The last numbers that were given, by name. It is the lock of all that counts, so numbers become visible in their
/// order.
pub(super) const SEQUENCES: Space = Space::new("sequences.1");
/// The last change of a total.
const CHANGE: &str = "download_change";

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

/// The key of a skill: 20 digits, so that keys are in the order of numbers.
pub(super) fn skill_key(skill: Id) -> String {
    format!("{:020}", skill.0)
}

/// The key of the downloads of a version on a day: `{skill}/{version}/{day}`, of which the first two have 20
/// digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DayKey {
    pub(super) skill: Id,
    pub(super) version: Id,
    pub(super) day: Day,
}

impl DayKey {
    pub(super) fn text(self) -> String {
        format!("{}{:020}/{}", Self::prefix(self.skill), self.version.0, self.day.number())
    }

    fn prefix(skill: Id) -> String {
        skill_key(skill) + "/"
    }

    /// Errors: [`LocalError::Damaged`] if the record has another key.
    pub(super) fn read(record: &Record) -> Result<Self, LocalError> {
        let parts: Vec<_> = record.place.1.split('/').collect();
        let [skill, version, day] = parts.as_slice() else { return Err(record.damaged()) };
        let id = |text: &str| text.parse().map(Id).map_err(|_| record.damaged());
        let day = day.parse().ok().and_then(Day::from_number).ok_or_else(|| record.damaged())?;
        Ok(Self { skill: id(skill)?, version: id(version)?, day })
    }
}

impl LocalStore {
    /// Counts downloads as a whole. Other processes may count too.
    pub fn count_downloads(&self, downloads: &[Download]) -> Result<CountedDownloads, LocalError> {
        self.count_downloads_on(Timestamp::now().into(), downloads)
    }

    fn count_downloads_on(&self, today: Day, downloads: &[Download]) -> Result<CountedDownloads, LocalError> {
        self.write(Some(SEQUENCES), |records| count(records, downloads, today))
    }

    /// Forgets the clients of days that have not been counted for 32 days.
    /// Counting does so too, so call it when nothing is counted.
    pub fn forget_clients(&self) -> Result<(), LocalError> {
        self.forget_clients_on(Timestamp::now().into())
    }

    fn forget_clients_on(&self, today: Day) -> Result<(), LocalError> {
        self.write(Some(SEQUENCES), |records| clients::forget(records, today))
    }

    /// The total downloads of each skill that was counted after change number
    /// `since` (0: every skill), and the last change number. The cost depends on
    /// the changes only.
    ///
    /// Change numbers belong to one store. A number that this store has not reached
    /// came from another one and counts as 0.
    pub fn download_totals_since(&self, since: u64) -> Result<(Vec<(Id, u64)>, u64), LocalError> {
        let (totals, last) = self.changed_totals(since)?;
        if !totals.is_empty() || since == 0 {
            return Ok((totals, last));
        }
        let last: u64 = self.single(|records| records.value(SEQUENCES, CHANGE))?.unwrap_or_default();
        if last < since { self.changed_totals(0) } else { Ok((totals, since)) }
    }

    /// The totals after the change `since`, and the last of their changes.
    fn changed_totals(&self, since: u64) -> Result<(Vec<(Id, u64)>, u64), LocalError> {
        let since = i64::try_from(since).unwrap_or(i64::MAX);
        let changed = self.single(|records| records.since(DOWNLOAD_TOTALS, since))?;
        let last = changed.last().map_or(0, Record::count);
        let mut totals = Vec::with_capacity(changed.len());
        for record in &changed {
            totals.push((Id(record.place.1.parse().map_err(|_| record.damaged())?), record.read()?));
        }
        totals.sort_unstable();
        Ok((totals, last))
    }

    /// The downloads of a skill's versions on each day, by version and day.
    pub fn download_days(&self, skill: Id) -> Result<Vec<DownloadDay>, LocalError> {
        let found = self.run(Mode::Snapshot, |records| records.all(DOWNLOAD_DAYS, &DayKey::prefix(skill)))?;
        let mut days = Vec::with_capacity(found.len());
        for record in found {
            days.push((DayKey::read(&record)?, record.read()?));
        }
        days.sort_unstable();
        Ok(days
            .into_iter()
            .map(|(DayKey { version, day, .. }, count)| DownloadDay { version, day, count })
            .collect())
    }
}

/// Counts downloads `today`, each client once for a version and day.
fn count(
    records: &mut dyn Transaction,
    downloads: &[Download],
    today: Day,
) -> Result<CountedDownloads, LocalError> {
    let keys = DayKeys::open(records, downloads, today)?;
    let clients: Vec<_> = downloads.iter().map(|download| keys.client(download)).collect();
    let known = records.get(&clients)?;
    let (mut counted, mut new) = (CountedDownloads::default(), Vec::new());
    let (mut seen, mut added) = (HashSet::new(), BTreeMap::new());
    for ((download, client), known) in downloads.iter().zip(&clients).zip(known) {
        if known.is_some() || !seen.insert(client) {
            counted.repeated += 1;
            continue;
        }
        let Download { skill, version, day, .. } = *download;
        *added.entry((DOWNLOAD_DAYS, DayKey { skill, version, day }.text())).or_insert(0_u64) += 1;
        *added.entry((DOWNLOAD_TOTALS, skill_key(skill))).or_insert(0) += 1;
        *counted.new.entry((skill, version)).or_default() += 1;
        new.push(Record::new(client.clone(), &())?);
    }
    if !new.is_empty() {
        new.extend(sums(records, added)?);
        records.put_all(&new)?;
    }
    Ok(counted)
}

/// The records of days and totals after the addition of `added`, and of the next change.
fn sums(records: &mut dyn Transaction, added: BTreeMap<Place, u64>) -> Result<Vec<Record>, LocalError> {
    let (mut places, mut amounts): (Vec<_>, Vec<_>) = added.into_iter().unzip();
    places.push((SEQUENCES, CHANGE.to_owned()));
    amounts.push(1);
    let mut sums = Vec::with_capacity(places.len());
    for (amount, stored) in amounts.into_iter().zip(records.get(&places)?) {
        let stored: Option<u64> = stored.map(|record| record.read()).transpose()?;
        sums.push(stored.unwrap_or_default().saturating_add(amount));
    }
    let change = sums.last().copied().unwrap_or_default();
    let sums = places.into_iter().zip(sums).map(|(place, sum)| {
        let number = if place.0 == DOWNLOAD_TOTALS { change } else { 0 };
        Ok(Record::new(place, &sum)?.numbered(number))
    });
    sums.collect()
}

/// Computes all totals from the days and from adopted counters. Each total
/// counts as changed.
pub(super) fn recompute_totals(records: &mut dyn Transaction) -> Result<(), LocalError> {
    let mut totals: BTreeMap<Id, u64> = BTreeMap::new();
    records.visit(DOWNLOAD_DAYS, "", &mut |record| {
        let total = totals.entry(DayKey::read(&record)?.skill).or_default();
        *total = total.saturating_add(record.read()?);
        Ok(())
    })?;
    records.visit(EARLIER_DOWNLOADS, "", &mut |record| {
        let skill = Id(record.place.1.parse().map_err(|_| record.damaged())?);
        let total = totals.entry(skill).or_default();
        *total = total.saturating_add(record.read()?);
        Ok(())
    })?;
    let last: Option<u64> = records.value(SEQUENCES, CHANGE)?;
    let change = last.unwrap_or_default() + 1;
    let mut changed = vec![Record::new((SEQUENCES, CHANGE.to_owned()), &change)?];
    for (skill, total) in totals {
        changed.push(Record::new((DOWNLOAD_TOTALS, skill_key(skill)), &total)?.numbered(change));
    }
    records.delete_prefix(DOWNLOAD_TOTALS, "")?;
    records.put_all(&changed)
}

#[cfg(test)]
mod tests;

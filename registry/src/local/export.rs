//! The part of the local store that goes into a backup: password hashes and
//! download counts, as lines of JSON.
//!
//! Sessions, failed logins, uses of tokens, remembered clients and positions in
//! logs stay on their machine. The lines have a narrower format than a database,
//! so that a changed backup cannot bring anything else.

use std::collections::HashSet;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::auth::PASSWORDS;
use super::downloads::{DOWNLOAD_DAYS, DayKey, EARLIER_DOWNLOADS, SEQUENCES, recompute_totals, skill_key};
use super::{LocalError, LocalStore, Mode, Record, SqliteLocal, history};
use crate::names::Handle;
use crate::private::is_password_hash;
use crate::public::Id;
use crate::time::Day;

/// The longest line in bytes.
const MAX_LINE: u64 = 2048;

/// Records that are looked up together.
const CHUNK: usize = 10_000;

/// The highest sum of all counts. Sums of more could overflow.
const MAX_DOWNLOADS: u64 = 1 << 53;

/// A part of the local store, and a line of a backup.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum LocalRecord {
    /// The password of an account.
    Password {
        /// The account.
        handle: String,
        /// The hash of the password.
        hash: String,
    },
    /// The downloads of a version on a day.
    Downloads {
        /// The id of the skill.
        skill: u64,
        /// The id of the version.
        version: u64,
        /// The day, counted from 1970-01-01.
        day: i64,
        /// The number of downloads.
        count: u64,
    },
    /// The downloads of a skill whose days are not known any more.
    EarlierDownloads {
        /// The id of the skill.
        skill: u64,
        /// The number of downloads.
        count: u64,
    },
}

impl LocalRecord {
    /// Whether every value may be stored.
    fn is_valid(&self) -> bool {
        let fits = |number: &u64| i64::try_from(*number).is_ok();
        match self {
            Self::Password { handle, hash } => handle.parse::<Handle>().is_ok() && is_password_hash(hash),
            Self::Downloads { skill, version, day, .. } => {
                fits(skill) && fits(version) && Day::from_number(*day).is_some()
            }
            Self::EarlierDownloads { skill, .. } => fits(skill),
        }
    }

    /// The record that is stored.
    fn record(&self) -> Result<Record, LocalError> {
        match self {
            Self::Password { handle, hash } => Record::new((PASSWORDS, handle.clone()), hash),
            Self::Downloads { skill, version, day, count } => {
                let day = Day::from_number(*day).ok_or(LocalError::Damaged("a day is invalid".into()))?;
                let key = DayKey { skill: Id(*skill), version: Id(*version), day };
                Record::new((DOWNLOAD_DAYS, key.text()), count)
            }
            Self::EarlierDownloads { skill, count } => {
                Record::new((EARLIER_DOWNLOADS, skill_key(Id(*skill))), count)
            }
        }
    }

    /// The part of a backup that a stored record is.
    fn of(record: Record) -> Result<Self, LocalError> {
        Ok(match record.place.0 {
            PASSWORDS => Self::Password { hash: record.read()?, handle: record.place.1 },
            DOWNLOAD_DAYS => {
                let (DayKey { skill, version, day }, count) = (DayKey::read(&record)?, record.read()?);
                Self::Downloads { skill: skill.0, version: version.0, day: day.number(), count }
            }
            _ => {
                let skill = record.place.1.parse().map_err(|_| record.damaged())?;
                Self::EarlierDownloads { skill, count: record.read()? }
            }
        })
    }

    fn downloads(&self) -> u64 {
        match self {
            Self::Password { .. } => 0,
            Self::Downloads { count, .. } | Self::EarlierDownloads { count, .. } => *count,
        }
    }
}

/// Why the lines of a backup were not imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The line is not one that [`LocalStore::export`] writes. The text does not
    /// repeat it, because it may contain a hash.
    #[error("line {0} is not a password or a download count that this release reads")]
    Line(u64),
    /// The store failed.
    #[error(transparent)]
    Local(#[from] LocalError),
}

impl LocalStore {
    /// Writes the password hashes and download counts as they are now, one record
    /// a line: passwords by handle, downloads by skill, version and day, earlier downloads by skill.
    pub fn export(&self, to: &mut impl Write) -> Result<(), LocalError> {
        let lines = self.run(Mode::Snapshot, |records| {
            let mut lines = Vec::new();
            for space in [PASSWORDS, DOWNLOAD_DAYS, EARLIER_DOWNLOADS] {
                records.visit(space, "", &mut |record| {
                    let line = serde_json::to_string(&LocalRecord::of(record)?);
                    lines.extend_from_slice(line.map_err(io::Error::from)?.as_bytes());
                    lines.push(b'\n');
                    Ok(())
                })?;
            }
            Ok(lines)
        })?;
        Ok(to.write_all(&lines)?)
    }

    /// Stores the lines `from`, which belong to the history `epoch`, in a store that has
    /// none of them. All are stored, or none.
    pub fn import_lines(&self, epoch: &str, from: impl BufRead) -> Result<(), ImportError> {
        let (mut new, mut places) = (Vec::new(), HashSet::new());
        for (number, record) in (1..).zip(records(from)) {
            let record = record?.record()?;
            if !places.insert(record.place.clone()) {
                return Err(ImportError::Line(number));
            }
            new.push(record);
        }
        drop(places);
        let places: Vec<_> = new.iter().map(|record| record.place.clone()).collect();
        let epoch = history::record(epoch)?;
        let known = self.write(Some(SEQUENCES), |records| {
            let mut numbers = 1..;
            for places in places.chunks(CHUNK) {
                let mut stored = records.get(places)?.into_iter().zip(&mut numbers);
                if let Some((_, number)) = stored.find(|(record, _)| record.is_some()) {
                    return Ok(Some(number));
                }
            }
            records.put_all(&new)?;
            recompute_totals(records)?;
            records.put(std::slice::from_ref(&epoch))?;
            Ok(None)
        })?;
        known.map_or(Ok(()), |number| Err(ImportError::Line(number)))
    }

    /// Creates a store in `folder`, which has none, from the lines `from`. They
    /// belong to the history `epoch`. Afterwards all of it is in one file.
    pub fn import(folder: &Path, epoch: &str, from: impl BufRead) -> Result<(), ImportError> {
        let (sqlite, _) = SqliteLocal::open(folder)?;
        let sqlite = Arc::new(sqlite);
        Self::on(Arc::<SqliteLocal>::clone(&sqlite)).import_lines(epoch, from)?;
        Ok(Arc::into_inner(sqlite).map_or(Ok(()), SqliteLocal::close)?)
    }
}

/// The records of the lines `from`, up to the first that is invalid.
fn records(mut from: impl BufRead) -> impl Iterator<Item = Result<LocalRecord, ImportError>> {
    let (mut line, mut downloads, mut number) = (Vec::new(), 0_u64, 0);
    std::iter::from_fn(move || {
        line.clear();
        number += 1;
        match from.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(why) => return Some(Err(LocalError::from(why).into())),
        }
        let record = serde_json::from_slice::<LocalRecord>(&line).ok().filter(LocalRecord::is_valid);
        let record = record.filter(|record| {
            downloads = downloads.saturating_add(record.downloads());
            downloads <= MAX_DOWNLOADS
        });
        Some(record.ok_or(ImportError::Line(number)))
    })
}

#[cfg(test)]
mod tests;

//! The part of the local store that goes into a backup: password hashes and
//! download counts, as lines of JSON.
//!
//! Sessions, failed logins, uses of tokens, remembered clients and positions in
//! logs stay on their machine. The lines have a narrower format than a database,
//! so that a changed backup cannot bring anything else.

use std::io::{BufRead, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{LocalError, LocalStore, Records, SqliteLocal};
use crate::names::Handle;
use crate::private::is_password_hash;
use crate::time::Day;

/// The longest line in bytes.
const MAX_LINE: u64 = 2048;

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

impl From<rusqlite::Error> for ImportError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Local(error.into())
    }
}

impl LocalStore {
    /// Writes the password hashes and download counts as they are now, one record
    /// a line.
    pub fn export(&self, to: &mut impl Write) -> Result<(), LocalError> {
        self.backend.export(&mut |record| {
            serde_json::to_writer(&mut *to, &record).map_err(std::io::Error::from)?;
            Ok(to.write_all(b"\n")?)
        })
    }

    /// Stores the lines `from`, which belong to the history `epoch`, in a store that has
    /// none of them. All are stored, or none.
    pub fn import_lines(&self, epoch: &str, from: impl BufRead) -> Result<(), ImportError> {
        self.backend.import(epoch, &mut records(from))
    }

    /// Creates a store in `folder`, which has none, from the lines `from`. They
    /// belong to the history `epoch`. Afterwards all of it is in one file.
    pub fn import(folder: &Path, epoch: &str, from: impl BufRead) -> Result<(), ImportError> {
        let (store, _) = SqliteLocal::open(folder)?;
        store.import(epoch, &mut records(from))?;
        Ok(store.close()?)
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

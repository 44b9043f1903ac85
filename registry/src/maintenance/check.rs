//! Checks a registry: reads the whole journal and every package that it names.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;

use serde::Serialize;

use crate::catalog::{Catalog, NamedPackage};
use crate::journal::{BlobSource, Epoch, JournalError, Revision, Row, Storage};
use crate::names::Digest;
use crate::private::{self, PrivateCatalog};
use crate::public::{Archive, Contents, DecodedRow, PublicCatalog, PublicChange};
use crate::time::Timestamp;

const ROWS_PER_BATCH: usize = 1000;

/// The check of rows stops after this many faults.
const MAX_FAULTS: usize = 1000;

/// Damage that a check found. As JSON it is a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub enum Fault {
    /// A row, and its fault.
    Row(Revision, String),
    /// A package, the revision that names it, and its fault.
    Package(Digest, Revision, String),
    /// There were too many faults to go on.
    More,
}

impl From<Fault> for String {
    fn from(fault: Fault) -> Self {
        fault.to_string()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(revision, why) => write!(f, "revision {revision}: {why}"),
            Self::Package(digest, revision, why) => {
                write!(f, "package {digest}, named by revision {revision}: {why}")
            }
            Self::More => f.write_str("there are too many faults: the remaining rows were not checked"),
        }
    }
}

/// The outcome of [`check`].
#[derive(Debug, Default, Serialize)]
pub struct CheckReport {
    /// The last revision.
    pub head: Revision,
    /// The number of named packages.
    pub packages: usize,
    /// The size of these packages in bytes.
    pub bytes: u64,
    /// The damage, empty for an intact registry.
    pub faults: Vec<Fault>,
}

/// Reads the whole journal (its digest chain and both halves of every row) and
/// every package that a live, pending or restorable version names.
///
/// Errors: the journal cannot be read at all.
pub fn check(storage: &Storage) -> Result<CheckReport, JournalError> {
    check_history(storage).map(|(report, _)| report)
}

/// The end of a checked history.
pub(super) struct HistoryEnd {
    /// The time of the last row.
    pub at: Timestamp,
    /// The current name of the history, then the earlier ones.
    pub epochs: Vec<Epoch>,
    /// The packages that the history names.
    pub packages: HashSet<Digest>,
}

/// Like [`check`], and returns the end of the history.
pub(super) fn check_history(storage: &Storage) -> Result<(CheckReport, HistoryEnd), JournalError> {
    // A package must not be removed between reading the row that names it and
    // reading the package.
    let _held = storage.blobs.hold_blobs()?;
    let journal = &storage.journal;
    let mut checker = Checker {
        storage,
        public: PublicCatalog::new(journal.epoch()?),
        private: PrivateCatalog::default(),
        report: CheckReport { head: journal.head()?, ..CheckReport::default() },
        public_rows: BTreeSet::new(),
        at: Timestamp::default(),
        unexplained: BTreeSet::new(),
    };
    checker.check_rows()?;
    checker.check_public_index()?;
    let packages = checker.check_packages()?;
    let epochs = checker.public.epochs().cloned().collect();
    Ok((checker.report, HistoryEnd { at: checker.at, epochs, packages }))
}

struct Checker<'a> {
    storage: &'a Storage,
    public: PublicCatalog,
    private: PrivateCatalog,
    report: CheckReport,
    /// The rows that have a public half.
    public_rows: BTreeSet<Revision>,
    /// The time of the last row.
    at: Timestamp,
    /// The rows without a text that no later row explains.
    unexplained: BTreeSet<Revision>,
}

impl Checker<'_> {
    fn check_rows(&mut self) -> Result<(), JournalError> {
        let head = self.report.head;
        let (mut read, mut one_by_one_until) = (0, 0);
        while read < head && self.report.faults.len() < MAX_FAULTS {
            let size = if read < one_by_one_until { 1 } else { ROWS_PER_BATCH };
            match self.storage.journal.since(read, size) {
                Ok(rows) => {
                    read = rows.last().map_or(head, |row| row.revision);
                    rows.into_iter().for_each(|row| self.check_row(row));
                }
                // Reads the batch row by row to find the damaged ones.
                Err(JournalError::Damaged(_)) if size > 1 => one_by_one_until = read + size as u64,
                Err(JournalError::Damaged(why)) => {
                    read += 1;
                    self.report.faults.push(Fault::Row(read, why.to_string()));
                }
                Err(other) => return Err(other),
            }
        }
        let why = "its text is missing, and no later row says that it was redacted";
        let unexplained = std::mem::take(&mut self.unexplained).into_iter();
        self.report.faults.extend(unexplained.map(|revision| Fault::Row(revision, why.into())));
        if self.report.faults.len() >= MAX_FAULTS {
            self.report.faults.push(Fault::More);
        }
        Ok(())
    }

    /// Decodes both halves of a row and applies them.
    fn check_row(&mut self, row: Row) {
        self.at = row.at;
        let mut fault = |why: String| self.report.faults.push(Fault::Row(row.revision, why));
        match private::decode(&row) {
            Ok(decoded) => self.private.apply(row.revision, row.at, decoded),
            Err(error) => fault(error.cause.to_string()),
        }
        let Some(public) = row.public else { return };
        self.public_rows.insert(row.revision);
        match DecodedRow::decode(&public) {
            Ok(decoded) => {
                if decoded.at != row.at {
                    fault(format!("its public half is dated {}, the row {}", decoded.at, row.at));
                }
                if matches!(decoded.change, PublicChange::Published(_))
                    && let Err(error) = Contents::decode(&public)
                {
                    fault(error.cause.to_string());
                }
                match &decoded.change {
                    PublicChange::Redacted(_) => drop(self.unexplained.insert(row.revision)),
                    PublicChange::RowRedacted(redacted) => drop(self.unexplained.remove(&redacted.row)),
                    _ => {}
                }
                self.public.apply(&public, decoded);
            }
            Err(error) => fault(error.cause.to_string()),
        }
    }

    /// Checks that mirrors, which read rows through an index, get all of them.
    fn check_public_index(&mut self) -> Result<(), JournalError> {
        let mut missed = std::mem::take(&mut self.public_rows);
        let mut after = 0;
        loop {
            let rows = match self.storage.journal.public_since(after, ROWS_PER_BATCH) {
                // The check of the rows has named the damage.
                Err(JournalError::Damaged(_)) if !self.report.faults.is_empty() => return Ok(()),
                rows => rows?,
            };
            let Some(last) = rows.last() else { break };
            after = last.revision;
            for row in &rows {
                missed.remove(&row.revision);
            }
        }
        let why = "its public half is not found by mirrors: the index `public_rows` is damaged";
        self.report.faults.extend(missed.into_iter().map(|revision| Fault::Row(revision, why.into())));
        Ok(())
    }

    /// Checks the packages that the history names, and returns them.
    fn check_packages(&mut self) -> Result<HashSet<Digest>, JournalError> {
        let catalog = Catalog { public: &self.public, private: &self.private };
        let named = distinct(catalog.packages());
        self.report.packages = named.len();
        for &NamedPackage { revision, archive } in &named {
            self.report.bytes += archive.size;
            if let Some(why) = package_fault(self.storage, archive)? {
                self.report.faults.push(Fault::Package(archive.sha256, revision, why));
            }
        }
        Ok(named.into_iter().map(|package| package.archive.sha256).collect())
    }
}

/// Each package once, with the first revision that names it, in that order.
pub(super) fn distinct(named: impl Iterator<Item = NamedPackage>) -> Vec<NamedPackage> {
    let mut first: HashMap<Digest, NamedPackage> = HashMap::new();
    for package in named {
        let known = first.entry(package.archive.sha256).or_insert(package);
        if package.revision < known.revision {
            *known = package;
        }
    }
    let mut distinct: Vec<_> = first.into_values().collect();
    distinct.sort_unstable_by_key(|package| (package.revision, package.archive.sha256));
    distinct
}

/// The fault of a stored package, if it has one.
fn package_fault(store: &dyn BlobSource, archive: Archive) -> Result<Option<String>, JournalError> {
    let Some(mut blob) = store.open_blob(archive.sha256)? else {
        return Ok(Some("it is missing".into()));
    };
    let size = blob.size()?;
    if size != archive.size {
        return Ok(Some(format!("it has {size} bytes instead of {}", archive.size)));
    }
    let found = match Digest::of_reader(&mut blob) {
        Ok((found, _)) => found,
        Err(error) => return Ok(Some(format!("it cannot be read: {error}"))),
    };
    Ok((found != archive.sha256).then(|| format!("its content has changed (sha256 {found})")))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

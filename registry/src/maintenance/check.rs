//! The whole journal is read, and every package that it names.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use crate::catalog::{Catalog, NamedPackage};
use crate::journal::{Journal, JournalError, PublicRow, Revision, Row};
use crate::names::Digest;
use crate::private::{self, PrivateCatalog};
use crate::public::{Archive, Contents, DecodedRow, PublicCatalog, PublicChange};

/// How many rows are read at a time.
const ROWS_PER_BATCH: usize = 1000;

/// After so many faults in rows the rest is not looked at.
const MAX_FAULTS: usize = 1000;

/// Something that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// A row, and what is wrong with it.
    Row(Revision, String),
    /// A package, the revision that names it, and what is wrong with it.
    Package(Digest, Revision, String),
    /// There were too many to go on.
    More,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(revision, why) => write!(f, "revision {revision}: {why}"),
            Self::Package(digest, revision, why) => {
                write!(f, "package {digest}, named by revision {revision}: {why}")
            }
            Self::More => f.write_str("there are too many faults: the rest was not looked at"),
        }
    }
}

/// What a check has looked at, and what it found.
#[derive(Debug, Default)]
pub struct CheckReport {
    /// The last revision.
    pub head: Revision,
    /// How many packages are named.
    pub packages: usize,
    /// How many bytes they have.
    pub bytes: u64,
    /// What is wrong. Empty where all is well.
    pub faults: Vec<Fault>,
}

/// Reads the whole journal (its digest chain, and both halves of every row)
/// and every package that a live, pending or restorable version names.
///
/// Errors: the journal can't be read at all.
pub fn check(journal: &dyn Journal) -> Result<CheckReport, JournalError> {
    // What is named by a row that is read must not be removed before it is
    // looked at.
    let _held = journal.hold_blobs()?;
    let mut checking = Checker {
        public: PublicCatalog::new(journal.epoch()?),
        private: PrivateCatalog::default(),
        checked: CheckReport { head: journal.head()?, ..CheckReport::default() },
        public_rows: BTreeSet::new(),
    };
    checking.rows(journal)?;
    checking.shown(journal)?;
    checking.packages(journal)?;
    Ok(checking.checked)
}

/// A check under way.
struct Checker {
    public: PublicCatalog,
    private: PrivateCatalog,
    checked: CheckReport,
    /// Those that have a public half.
    public_rows: BTreeSet<Revision>,
}

impl Checker {
    fn rows(&mut self, journal: &dyn Journal) -> Result<(), JournalError> {
        let head = self.checked.head;
        let mut read = 0;
        while read < head && self.checked.faults.len() < MAX_FAULTS {
            match journal.since(read, ROWS_PER_BATCH) {
                Ok(rows) => {
                    let last = rows.last().map_or(head, |row| row.revision);
                    rows.into_iter().for_each(|row| self.row(row));
                    read = last;
                }
                Err(JournalError::Damaged(_)) => {
                    // One by one, to find out which.
                    let end = head.min(read + ROWS_PER_BATCH as u64);
                    while read < end && self.checked.faults.len() < MAX_FAULTS {
                        self.single(journal, read + 1)?;
                        read += 1;
                    }
                }
                Err(other) => return Err(other),
            }
        }
        if self.checked.faults.len() >= MAX_FAULTS {
            self.checked.faults.push(Fault::More);
        }
        Ok(())
    }

    /// Reads one row out of a batch that has a fault.
    fn single(&mut self, journal: &dyn Journal, revision: Revision) -> Result<(), JournalError> {
        match journal.since(revision - 1, 1) {
            Ok(rows) => rows.into_iter().for_each(|row| self.row(row)),
            Err(JournalError::Damaged(why)) => self.checked.faults.push(Fault::Row(revision, why)),
            Err(other) => return Err(other),
        }
        Ok(())
    }

    /// Understands both halves of a row, and takes them in.
    fn row(&mut self, row: Row) {
        let mut wrong = |why: String| self.checked.faults.push(Fault::Row(row.revision, why));
        match private::decode(&row) {
            Ok(decoded) => self.private.apply(row.revision, row.at, decoded),
            Err(error) => wrong(error.why),
        }
        let Some(json) = row.public else { return };
        self.public_rows.insert(row.revision);
        let public = PublicRow { revision: row.revision, json };
        match DecodedRow::decode(&public) {
            Ok(decoded) => {
                if decoded.at != row.at {
                    wrong(format!("its public half is dated {}, the row {}", decoded.at, row.at));
                }
                if matches!(decoded.change, PublicChange::Published(_))
                    && let Err(error) = Contents::decode(&public)
                {
                    wrong(error.why);
                }
                self.public.apply(&public, decoded);
            }
            Err(error) => wrong(error.why),
        }
    }

    /// Whether mirrors, who are shown the rows another way, get all of them.
    fn shown(&mut self, journal: &dyn Journal) -> Result<(), JournalError> {
        let mut missed = std::mem::take(&mut self.public_rows);
        let mut after = 0;
        loop {
            let shown = match journal.public_since(after, ROWS_PER_BATCH) {
                // What can't be read was named when all rows were.
                Err(JournalError::Damaged(_)) if !self.checked.faults.is_empty() => return Ok(()),
                shown => shown?,
            };
            for row in &shown {
                missed.remove(&row.revision);
                after = row.revision;
            }
            if shown.is_empty() {
                break;
            }
        }
        let why = "its public half is not found by mirrors: the index `public_rows` is damaged";
        self.checked.faults.extend(missed.into_iter().map(|revision| Fault::Row(revision, why.into())));
        Ok(())
    }

    fn packages(&mut self, journal: &dyn Journal) -> Result<(), JournalError> {
        let catalog = Catalog { public: &self.public, private: &self.private };
        let named = distinct(catalog.packages());
        self.checked.packages = named.len();
        for NamedPackage { revision, archive } in named {
            self.checked.bytes += archive.size;
            if let Some(why) = fault(journal, archive)? {
                self.checked.faults.push(Fault::Package(archive.sha256, revision, why));
            }
        }
        Ok(())
    }
}

/// Each package once, under the first revision that names it, in that order.
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

/// What is wrong with a stored package.
fn fault(journal: &dyn Journal, archive: Archive) -> Result<Option<String>, JournalError> {
    let Some(mut blob) = journal.open_blob(archive.sha256)? else {
        return Ok(Some("it is missing".into()));
    };
    if blob.size() != archive.size {
        return Ok(Some(format!("it has {} bytes instead of {}", blob.size(), archive.size)));
    }
    let found = match Digest::of_reader(&mut blob) {
        Ok((found, _)) => found,
        Err(error) => return Ok(Some(format!("it can't be read: {error}"))),
    };
    Ok((found != archive.sha256).then(|| format!("its bytes are not those that were put (sha256 {found})")))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

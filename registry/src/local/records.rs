//! The seam below [`super::LocalStore`]: records with a space and a key. An engine stores them and knows nothing of
//! what they mean. Any number of processes, on one machine or on several, may have the same records open.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{LocalError, WriteCount, WriteLimit};
use crate::names::Digest;

/// Records that are read at once. Their values are short.
const PAGE: u32 = 10_000;

/// A kind of records. Its name ends in the version of their form: another form gets another space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Space(&'static str);

impl Space {
    /// A space with a name of `a-z`, `_`, `.` and digits.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name.
    pub fn name(self) -> &'static str {
        self.0
    }
}

/// The space and the key of a record. A key is printable ASCII, and not empty.
pub type Place = (Space, String);

/// A record. `Debug` hides the value, which may be the hash of a password.
#[derive(Clone, PartialEq, Eq)]
pub struct Record {
    /// Where it is.
    pub place: Place,
    /// JSON.
    pub value: String,
    /// A number by which [`Transaction::since`] finds it, or 0.
    pub number: i64,
    /// The time (Unix seconds) from which on [`Transaction::delete_expired`] deletes it.
    pub expires: Option<i64>,
}

impl Record {
    /// A record that does not expire, with the number 0.
    pub fn new(place: Place, value: &impl Serialize) -> Result<Self, LocalError> {
        let value = serde_json::to_string(value).map_err(|why| LocalError::Storage(why.into()))?;
        Ok(Self { place, value, number: 0, expires: None })
    }

    /// Sets the number.
    pub fn numbered(self, number: u64) -> Self {
        Self { number: i64::try_from(number).unwrap_or(i64::MAX), ..self }
    }

    /// Sets the time (Unix seconds) from which on it is deleted.
    pub fn expiring(self, at: i64) -> Self {
        Self { expires: Some(at), ..self }
    }

    /// The number, which is not negative.
    pub(super) fn count(&self) -> u64 {
        u64::try_from(self.number).unwrap_or_default()
    }

    /// The part of the key after its first `/`.
    pub(super) fn key_end(&self) -> &str {
        self.place.1.split_once('/').map_or("", |(_, end)| end)
    }

    /// Reads the value.
    ///
    /// Errors: [`LocalError::Damaged`] if it is not a `T`. The error does not show it.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, LocalError> {
        serde_json::from_str(&self.value).map_err(|_| self.damaged())
    }

    /// The error for a record that this program has not written.
    pub(super) fn damaged(&self) -> LocalError {
        LocalError::Damaged(format!("a record of `{}` has an unexpected value", self.place.0.name()).into())
    }
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").field("place", &self.place).finish_non_exhaustive()
    }
}

/// How the calls of one work belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// One call, which is atomic by itself.
    Single,
    /// Calls that read one state, and write nothing.
    Snapshot,
    /// Calls that all happen, or none if the work fails. The next work in any process sees them.
    Write {
        /// With a lock, no other work with this lock runs meanwhile: it may count, and may rely on a record that is
        /// missing. Without one, each record that [`Transaction::get`] has returned stays as it is until the end.
        lock: Option<Space>,
        /// Without it, the store may lose the work if the power fails, to be faster.
        is_durable: bool,
    },
}

/// What a work does with the records. Each call is one round trip, however many records it has.
pub trait Transaction {
    /// The records at these places, in their order.
    fn get(&mut self, places: &[Place]) -> Result<Vec<Option<Record>>, LocalError>;

    /// The first `limit` records, by key, of those whose keys begin with `prefix` and are greater than `after`.
    fn scan(
        &mut self,
        space: Space,
        prefix: &str,
        after: &str,
        limit: u32,
    ) -> Result<Vec<Record>, LocalError>;

    /// The records with a number above `number`, which is not negative, by number.
    fn since(&mut self, space: Space, number: i64) -> Result<Vec<Record>, LocalError>;

    /// The number of records whose keys begin with `prefix`.
    fn count(&mut self, space: Space, prefix: &str) -> Result<u64, LocalError>;

    /// Stores records. Each replaces the one that had its place.
    fn put(&mut self, records: &[Record]) -> Result<(), LocalError>;

    /// Deletes the records at these places, if they exist.
    fn delete(&mut self, places: &[Place]) -> Result<(), LocalError>;

    /// Deletes the records whose keys begin with `prefix`.
    fn delete_prefix(&mut self, space: Space, prefix: &str) -> Result<(), LocalError>;

    /// Deletes all records of all spaces that expire at `now` (Unix seconds) or before. Records that another process
    /// is changing may stay.
    fn delete_expired(&mut self, now: i64) -> Result<(), LocalError>;
}

/// Does something with the records. It may run again after a conflict with another process, so it changes nothing else.
pub type Work<'w> = dyn FnMut(&mut dyn Transaction) -> Result<(), LocalError> + 'w;

/// A store of records, and of counts of writes.
pub trait Records: Send + Sync {
    /// Runs `work`. A failed call fails the work.
    fn run(&self, mode: Mode, work: &mut Work<'_>) -> Result<(), LocalError>;

    /// Counts a write of `key`, if the limit allows it. A store that several servers share counts for all of them, by
    /// its own clock. Otherwise each process may count for itself.
    fn count_write(&self, key: &Digest, limit: WriteLimit) -> Result<WriteCount, LocalError>;

    /// Forgets the keys of which no share is taken up.
    fn forget_write_counts(&self) -> Result<(), LocalError>;
}

impl dyn Transaction + '_ {
    /// The value of one record.
    pub(super) fn value<T: DeserializeOwned>(
        &mut self,
        space: Space,
        key: &str,
    ) -> Result<Option<T>, LocalError> {
        let found = self.get(&[(space, key.to_owned())])?.pop().flatten();
        found.map(|record| record.read()).transpose()
    }

    /// Calls `visit` with all records whose keys begin with `prefix`, by key.
    pub(super) fn visit(
        &mut self,
        space: Space,
        prefix: &str,
        visit: &mut dyn FnMut(Record) -> Result<(), LocalError>,
    ) -> Result<(), LocalError> {
        let mut after = String::new();
        loop {
            let page = self.scan(space, prefix, &after, PAGE)?;
            let is_last = page.len() < PAGE as usize;
            if let Some(record) = page.last() {
                after.clone_from(&record.place.1);
            }
            page.into_iter().try_for_each(&mut *visit)?;
            if is_last {
                return Ok(());
            }
        }
    }

    /// All records whose keys begin with `prefix`, by key.
    pub(super) fn all(&mut self, space: Space, prefix: &str) -> Result<Vec<Record>, LocalError> {
        let mut all = Vec::new();
        self.visit(space, prefix, &mut |record| {
            all.push(record);
            Ok(())
        })?;
        Ok(all)
    }

    /// Deletes the records of a space whose keys `keep` refuses.
    pub(super) fn retain(&mut self, space: Space, keep: &dyn Fn(&Record) -> bool) -> Result<(), LocalError> {
        let mut unwanted = Vec::new();
        self.visit(space, "", &mut |record| {
            if !keep(&record) {
                unwanted.push(record.place);
            }
            Ok(())
        })?;
        unwanted.chunks(PAGE as usize).try_for_each(|places| self.delete(places))
    }

    /// Stores any number of records.
    pub(super) fn put_all(&mut self, records: &[Record]) -> Result<(), LocalError> {
        records.chunks(PAGE as usize).try_for_each(|records| self.put(records))
    }
}

/// The key that is greater than all keys that begin with `prefix`.
pub fn end_of(prefix: &str) -> String {
    format!("{prefix}\u{7f}")
}

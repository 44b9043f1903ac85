//! What the lines of logs came to.

use std::collections::BTreeMap;

use registry::local::CountedDownloads;
use registry::public::Id;

/// Numbers of lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// New lines, empty ones left out: the sum of all that follows.
    pub lines: u64,
    /// Counted downloads by the ids of skill and version.
    pub counted: BTreeMap<(Id, Id), u64>,
    /// Of clients that had the version on the same day already.
    pub repeated: u64,
    /// Of clients that the log does not name by an address.
    pub unnamed: u64,
    /// Broken off, or a part that does not begin with the first byte.
    pub incomplete: u64,
    /// Of skills and versions that are not in the registry.
    pub unknown: u64,
    /// About something else than the download of a package.
    pub other: u64,
    /// Such as could not be understood.
    pub unreadable: u64,
    /// The number of the first of these in its log, from 1.
    pub first_unreadable: Option<u64>,
}

impl Tally {
    /// Counts a line that cannot be understood, by its number in the log.
    pub fn unreadable(&mut self, number: u64) {
        self.unreadable += 1;
        self.first_unreadable.get_or_insert(number);
    }

    /// Adds what a part of the same log came to, and what became of its downloads.
    pub fn add(&mut self, part: Self, counted: CountedDownloads) {
        self.merge(part);
        self.repeated += counted.repeated;
        for (version, count) in counted.new {
            *self.counted.entry(version).or_default() += count;
        }
    }

    /// Adds another log's.
    pub fn merge(&mut self, other: Self) {
        self.lines += other.lines;
        self.repeated += other.repeated;
        self.unnamed += other.unnamed;
        self.incomplete += other.incomplete;
        self.unknown += other.unknown;
        self.other += other.other;
        self.unreadable += other.unreadable;
        self.first_unreadable = self.first_unreadable.or(other.first_unreadable);
        for (version, count) in other.counted {
            *self.counted.entry(version).or_default() += count;
        }
    }

    /// How many downloads were counted.
    pub fn downloads(&self) -> u64 {
        self.counted.values().sum()
    }
}

//! The numbers of lines by result.

use std::collections::BTreeMap;

use registry::local::CountedDownloads;
use registry::public::Id;

/// The numbers of lines by result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// All new lines except empty ones: the sum of the other numbers.
    pub lines: u64,
    /// Counted downloads, by the ids of skill and version.
    pub counted: BTreeMap<(Id, Id), u64>,
    /// Downloads by clients that already had the version on the same day.
    pub repeated: u64,
    /// Downloads by clients whose address the log does not have.
    pub unnamed: u64,
    /// Incomplete downloads, and parts that do not start with the first byte.
    pub incomplete: u64,
    /// Downloads of skills and versions that are not in the registry.
    pub unknown: u64,
    /// Other requests.
    pub other: u64,
    /// Lines that cannot be parsed.
    pub unreadable: u64,
    /// The number, from 1, of the first line that cannot be parsed.
    pub first_unreadable: Option<u64>,
}

impl Tally {
    /// Counts a line that cannot be parsed, by its number in the log.
    pub fn unreadable(&mut self, number: u64) {
        self.unreadable += 1;
        self.first_unreadable.get_or_insert(number);
    }

    /// Adds a batch of the same log, with the result of counting its downloads.
    pub fn add(&mut self, part: Self, counted: CountedDownloads) {
        self.merge(part);
        self.repeated += counted.repeated;
        for (version, count) in counted.new {
            *self.counted.entry(version).or_default() += count;
        }
    }

    /// Adds the numbers of another log.
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

    /// The number of counted downloads.
    pub fn downloads(&self) -> u64 {
        self.counted.values().sum()
    }
}

//! The numbers of lines by result.

use std::collections::BTreeMap;

use registry::local::CountedDownloads;
use registry::public::Id;

/// Why a line does not count as a download.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skipped {
    /// The client already had the version on the same day.
    Repeated,
    /// An incomplete download, or a part that does not start with byte 0.
    Incomplete,
    /// A complete download by a client without an address.
    WithoutAddress,
    /// A download of a skill or version that is not in the catalog.
    Unknown,
    /// Another request, or a line about something else.
    Other,
    /// A line that cannot be parsed.
    Unreadable,
}

impl Skipped {
    /// All reasons in the order of the report: their names in JSON, and their texts.
    pub const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::Repeated, "repeated", "the same client already had the same version on the same day"),
        (Self::Incomplete, "incomplete", "incomplete, or a part that does not start with the first byte"),
        (
            Self::WithoutAddress,
            "unnamed",
            "the log does not have the address of the client, so clients cannot be told apart",
        ),
        (Self::Unknown, "unknown", "no such skill or version in this registry"),
        (Self::Other, "other", "not the download of a package"),
        (Self::Unreadable, "unreadable", "cannot be parsed"),
    ];
}

/// The numbers of lines by result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// All new lines except empty ones: the sum of the other numbers.
    pub lines: u64,
    /// Counted downloads, by the ids of skill and version.
    pub counted: BTreeMap<(Id, Id), u64>,
    skipped: BTreeMap<Skipped, u64>,
    /// The number, from 1, of the first line that cannot be parsed.
    pub first_unreadable: Option<u64>,
}

impl Tally {
    /// Counts a line that is no download, by its number in the log.
    pub fn skip(&mut self, why: Skipped, number: u64) {
        *self.skipped.entry(why).or_default() += 1;
        if why == Skipped::Unreadable {
            self.first_unreadable.get_or_insert(number);
        }
    }

    /// Adds a batch of the same log, with the result of counting its downloads.
    pub fn add(&mut self, part: &Self, counted: CountedDownloads) {
        self.merge(part);
        self.merge(&Self {
            counted: counted.new.into_iter().collect(),
            skipped: [(Skipped::Repeated, counted.repeated)].into(),
            ..Self::default()
        });
    }

    /// Adds the numbers of another log.
    pub fn merge(&mut self, other: &Self) {
        self.lines += other.lines;
        self.first_unreadable = self.first_unreadable.or(other.first_unreadable);
        for (why, count) in &other.skipped {
            *self.skipped.entry(*why).or_default() += count;
        }
        for (version, count) in &other.counted {
            *self.counted.entry(*version).or_default() += count;
        }
    }

    /// The number of counted downloads.
    pub fn downloads(&self) -> u64 {
        self.counted.values().sum()
    }

    /// The number of lines that do not count for a reason.
    pub fn skipped(&self, why: Skipped) -> u64 {
        self.skipped.get(&why).copied().unwrap_or_default()
    }
}

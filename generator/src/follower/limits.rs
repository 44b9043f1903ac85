//! How much a source may make a mirror store.

use registry::public::{Published, Skill};

/// Limits on sizes that a source names. They are checked before anything of that size is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceLimits {
    /// The largest package, in bytes.
    pub package: u64,
    /// The largest sum of all rows and all packages of a tree, in bytes.
    pub total: u64,
}

/// The bytes that the rows of a history need: their own, and those of the packages that the source
/// has now. Each version counts its package, even if others have the same one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StoredBytes(u64);

impl StoredBytes {
    pub fn add_row(&mut self, json: &str) {
        self.0 = self.0.saturating_add(json.len() as u64);
    }

    pub fn add_version(&mut self, published: &Published) {
        self.add_package(published.package_size);
    }

    pub fn add_package(&mut self, size: u64) {
        self.0 = self.0.saturating_add(size);
    }

    /// Adds the packages of a restored skill.
    pub fn add_skill(&mut self, skill: &Skill) {
        self.add_package(package_bytes(skill));
    }

    /// Subtracts the packages of a removed skill.
    pub fn remove_skill(&mut self, skill: &Skill) {
        self.0 = self.0.saturating_sub(package_bytes(skill));
    }
}

fn package_bytes(skill: &Skill) -> u64 {
    skill.versions.iter().fold(0, |sum, entry| sum.saturating_add(entry.package_size))
}

impl SourceLimits {
    /// Checks the size of a package. The error is the rest of a sentence about it.
    pub(super) fn check_package(&self, size: u64) -> Result<(), String> {
        if size <= self.package {
            return Ok(());
        }
        Err(format!(
            "has {size} bytes, but this mirror takes packages of {} bytes: to take larger ones, raise \
             `mirror.feed_max_package`",
            self.package
        ))
    }

    /// Checks the sum of all sizes. The error is the rest of a sentence about the head.
    pub(super) fn check_total(&self, StoredBytes(bytes): StoredBytes) -> Result<(), String> {
        if bytes <= self.total {
            return Ok(());
        }
        Err(format!(
            "leads to {bytes} bytes of rows and packages, but this mirror takes {} bytes: to take more, raise \
             `mirror.feed_max_total`",
            self.total
        ))
    }
}

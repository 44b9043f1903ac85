//! How much a source may make a mirror store.

use registry::names::Coordinate;
use registry::public::{PublicCatalog, PublicChange, Published, Skill};

use crate::settings::TreeSettings;

/// Limits on sizes that a source names. They are checked before anything of that size is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceLimits {
    /// The largest package, in bytes.
    pub package: u64,
    /// The largest sum of all rows and all packages of a tree, in bytes.
    pub total: u64,
    /// The largest number of public rows.
    pub rows: u64,
    /// The largest number of files of the tree, by estimate.
    pub files: u64,
}

/// The rows of a history, and the files that they make.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MadeCount {
    /// The rows themselves.
    pub rows: u64,
    /// The files, if nothing was ever removed.
    pub files: u64,
}

/// The most files of a namespace, of a skill, of its git repository, of a version and of a tag. A page of a list is
/// one more file, but for twenty skills.
const NAMESPACE_FILES: u64 = 8;
const SKILL_FILES: u64 = 14;
const GIT_FILES: u64 = 10;
const VERSION_FILES: u64 = 6;
const TAG_FILES: u64 = 2;

impl MadeCount {
    /// Adds the files that a change makes.
    pub fn add(
        &mut self,
        change: &PublicChange,
        is_new_skill: impl Fn(&Coordinate) -> bool,
        settings: &TreeSettings,
    ) {
        let of_skill = SKILL_FILES + if settings.git { GIT_FILES } else { 0 };
        self.files += match change {
            PublicChange::NamespaceCreated(_) => NAMESPACE_FILES,
            PublicChange::Published(published) => {
                let of_skill = if is_new_skill(&published.coordinate()) { of_skill } else { 0 };
                of_skill + VERSION_FILES + TAG_FILES * published.tags.len() as u64
            }
            PublicChange::TagSet(_) => TAG_FILES,
            _ => 0,
        };
    }
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

/// Whether the next version of a skill is its first one.
pub(super) fn is_new_skill(catalog: &PublicCatalog, coordinate: &Coordinate) -> bool {
    catalog.skill(coordinate).or(catalog.removed(coordinate)).is_none()
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

    /// Checks the limits. The error is the rest of a sentence about a page.
    pub(super) fn check_count(&self, count: MadeCount) -> Result<(), String> {
        let limits = [
            ("rows", count.rows, self.rows, "feed_max_rows"),
            ("files of a tree", count.files, self.files, "feed_max_files"),
        ];
        match limits.into_iter().find(|(_, found, max, _)| found > max) {
            None => Ok(()),
            Some((what, found, max, setting)) => Err(format!(
                "leads to {found} {what}, but this mirror takes {max}: to take more, raise `mirror.{setting}`"
            )),
        }
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

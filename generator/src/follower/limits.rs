//! How much a source may make a mirror store.

use registry::public::{PublicChange, Published, Skill};

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
    /// The largest number of files of the tree, by estimate. Without it, the bytes of rows and packages limit them.
    pub files: Option<u64>,
}

/// The files that every source may make, one more for so many bytes of its rows and packages, and the most of all. The
/// smallest skill brings 1,250 bytes for its 20 files. Usual ones bring ten times as much.
const FREE_FILES: u64 = 50_000;
const BYTES_PER_FILE: u64 = 128;
const MAX_FILES: u64 = 10_000_000;

/// The rows of a history, and the files that they make.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MadeCount {
    /// The rows themselves.
    pub rows: u64,
    /// The files, if no tag was ever removed.
    pub files: u64,
}

/// The most files of a namespace, of a skill, of a git repository, of a version and of a tag. A page of a list is
/// one more file, but for twenty skills. Two files of a skill are for the pages of beginnings of slugs.
const NAMESPACE_FILES: u64 = 12;
const SKILL_FILES: u64 = 18;
const GIT_FILES: u64 = 10;
const VERSION_FILES: u64 = 7;
const TAG_FILES: u64 = 2;

/// The files of the attestation of a version that has one.
const ATTESTATION_FILES: u64 = 2;

/// The files that a change makes, if nothing was ever removed.
pub(super) fn files_of(change: &PublicChange, is_new_skill: bool, settings: &TreeSettings) -> u64 {
    match change {
        PublicChange::NamespaceCreated(_) => NAMESPACE_FILES + if settings.git { GIT_FILES } else { 0 },
        PublicChange::Published(published) => {
            let of_skill = if is_new_skill { files_of_skill(0, settings) } else { 0 };
            let attestations = u64::from(published.attestation_sha256.is_some());
            let of_version = VERSION_FILES + ATTESTATION_FILES * attestations;
            of_skill + of_version + TAG_FILES * published.tags.len() as u64
        }
        PublicChange::TagSet(_) => TAG_FILES,
        _ => 0,
    }
}

/// The files of a skill without those of its tags.
pub(super) fn files_of_skill(versions: usize, settings: &TreeSettings) -> u64 {
    SKILL_FILES + if settings.git { GIT_FILES } else { 0 } + VERSION_FILES * versions as u64
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

    /// Checks the number of rows. The error is the rest of a sentence about a page.
    pub(super) fn check_rows(&self, count: MadeCount) -> Result<(), String> {
        if count.rows <= self.rows {
            return Ok(());
        }
        Err(format!(
            "leads to {} rows, but this mirror takes {}: to take more, raise `mirror.feed_max_rows`",
            count.rows, self.rows
        ))
    }

    /// Checks the number of files. The error is the rest of a sentence about the head.
    pub(super) fn check_files(
        &self,
        count: MadeCount,
        StoredBytes(bytes): StoredBytes,
    ) -> Result<(), String> {
        let max =
            self.files.unwrap_or_else(|| MAX_FILES.min((bytes / BYTES_PER_FILE).saturating_add(FREE_FILES)));
        if count.files <= max {
            return Ok(());
        }
        Err(format!(
            "leads to {} files of a tree, but this mirror takes {max} for {bytes} bytes of rows and packages: to take \
             more, set `mirror.feed_max_files`",
            count.files
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::kind::{Each, Needs};
    use crate::documents::{Subject, kinds};

    #[test]
    fn version_counts_as_its_documents_and_their_siblings() {
        let (c, version) = ("team--hello".parse().unwrap(), "1.0.0".parse().unwrap());
        let files =
            kinds().filter(|kind| matches!(kind.each, Each::Version(_)) && kind.needs != Needs::Server);
        let files = files.filter_map(|kind| kind.of(Subject::Version(&c, &version)));
        let count: u64 = files.map(|document| 1 + u64::from(document.gzip_file().is_some())).sum();
        assert_eq!(count, VERSION_FILES + ATTESTATION_FILES);
    }

    #[test]
    fn small_source_makes_no_large_tree_and_a_large_one_may() {
        let limits = SourceLimits { package: 0, total: 0, rows: 0, files: None };
        for (files, bytes, is_taken) in [
            (50_000, 0, true),
            (202_000, 8 << 20, false),
            (3_200_000, 1 << 30, true),
            (10_000_001, 1 << 40, false),
        ] {
            let checked = limits.check_files(MadeCount { rows: 0, files }, StoredBytes(bytes));
            assert_eq!(checked.is_ok(), is_taken, "{files} {bytes}");
        }
        let set = SourceLimits { files: Some(202_000), ..limits };
        set.check_files(MadeCount { rows: 0, files: 202_000 }, StoredBytes(0)).unwrap();
        set.check_files(MadeCount { rows: 0, files: 202_001 }, StoredBytes(1 << 40)).unwrap_err();
    }
}

//! Limits of a package.

use super::finding::Finding;
use super::finding_codes;
use super::largest_folder;

/// Limits of one package. They are checked while reading, because headers may lie.
/// `Default` has the numbers of docs/api/packages.md ("Limits").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Unpacked bytes of all files: 100 MiB.
    pub unpacked: u64,
    /// Unpacked bytes of one file: 10 MiB.
    pub file: u64,
    /// Files, without junk and folders: 1,000.
    pub files: usize,
    /// Entries of the archive, with junk and folders: 100,000. This bounds the work that an
    /// archive full of junk can cause.
    pub entries: usize,
    /// Unpacked bytes for each packed byte: 200. This limits the whole archive, and each
    /// entry of more than 1 MiB.
    pub ratio: u64,
    /// Bytes of the front matter between its fences: 64 KiB.
    pub front_matter: usize,
    /// Levels of lists and maps in the front matter: 16.
    pub depth: usize,
    /// Values and keys in the front matter: 10,000.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            unpacked: 100 << 20,
            file: 10 << 20,
            files: 1_000,
            entries: 100_000,
            ratio: 200,
            front_matter: 64 << 10,
            depth: 16,
            nodes: 10_000,
        }
    }
}

impl Limits {
    /// Describes a file of `size` bytes, if that is too large.
    pub(super) fn check_file(&self, size: u64) -> Option<Finding> {
        let limit = shown_size(self.file);
        let why = format!("the file is larger than {limit}: shorten it or leave it out");
        (size > self.file).then(|| Finding::new(finding_codes::FILE_TOO_LARGE, why))
    }

    /// Describes files that are too large together: each with its path and size. Names the folder
    /// with most of the bytes, or otherwise the largest file.
    pub fn check_together(&self, files: &[(&str, u64)]) -> Option<Finding> {
        let together = files.iter().fold(0_u64, |sum, (_, size)| sum.saturating_add(*size));
        if together <= self.unpacked {
            return None;
        }
        let largest = files.iter().max_by_key(|(_, size)| *size);
        let advice = match (largest_folder::find(files.iter().copied()), largest) {
            (Some(folder), _) => format!(", and most of that is in `{folder}`: leave that folder out"),
            (None, Some((path, _))) => format!(", and `{path}` is the largest: leave some out"),
            (None, None) => String::new(),
        };
        Some(self.too_large_together(&advice))
    }

    pub(super) fn too_large_together(&self, advice: &str) -> Finding {
        let limit = shown_size(self.unpacked);
        let why = format!("the files are larger than {limit} together{advice}");
        Finding::new(finding_codes::PACKAGE_TOO_LARGE, why)
    }
}

/// Formats a number of bytes, in MiB or KiB if that is a whole number.
pub(super) fn shown_size(bytes: u64) -> String {
    match bytes {
        b if b > 0 && b % (1 << 20) == 0 => format!("{} MiB", b >> 20),
        b if b > 0 && b % (1 << 10) == 0 => format!("{} KiB", b >> 10),
        b => format!("{b} bytes"),
    }
}

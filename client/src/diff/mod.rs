//! Compares two packages: text files line by line, others by size and digest.
//!
//! The packages may be hostile. The compared text stays within limits, and
//! [`PackageDiff::text`] escapes everything that a terminal would obey.

mod contents;
mod file_diff;
mod hunks;
mod published;

use hunks::Effort;
use registry::sanitize::escape_text;
use serde::Serialize;

pub use contents::{FileContents, PackageContents};
pub use file_diff::{FileChange, FileDiff, FileSummary};
pub(crate) use published::unpack;
pub use published::{PublishedPackage, published_package};

/// What differs between two packages. Equal files are left out.
#[derive(Debug, Clone, Serialize)]
pub struct PackageDiff {
    /// The files that differ, sorted by path.
    pub files: Vec<FileDiff>,
}

impl PackageDiff {
    /// Compares two packages.
    pub fn between(old: &PackageContents, new: &PackageContents) -> Self {
        let mut effort = Effort::of_package();
        let diff = |path: &str| FileDiff::of(path, old.get(path), new.get(path), &mut effort);
        Self { files: contents::all_paths(old, new).filter_map(diff).collect() }
    }

    /// The differences for people, in the form of `git diff`. Control characters and invisible
    /// characters are escaped, except line breaks and tabs. Empty if the packages are equal.
    pub fn text(&self) -> String {
        escape_text(self.files.iter().map(FileDiff::patch).collect::<String>())
    }

    /// The numbers of files, like "2 files changed, 1 added". "no file differs" if the packages are
    /// equal.
    pub fn summary(&self) -> String {
        let count =
            |wanted: &[FileChange]| self.files.iter().filter(|file| wanted.contains(&file.change)).count();
        let counts = [
            (count(&[FileChange::Changed, FileChange::Mode]), "changed"),
            (count(&[FileChange::Added]), "added"),
            (count(&[FileChange::Removed]), "removed"),
        ];
        let mut parts = Vec::new();
        for (count, word) in counts.into_iter().filter(|(count, _)| *count > 0) {
            let files = if count == 1 { "file" } else { "files" };
            parts.push(if parts.is_empty() {
                format!("{count} {files} {word}")
            } else {
                format!("{count} {word}")
            });
        }
        if parts.is_empty() { "no file differs".to_owned() } else { parts.join(", ") }
    }
}

#[cfg(test)]
mod tests;

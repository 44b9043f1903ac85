//! The files of a package, as one side of a comparison.

use std::collections::{BTreeMap, BTreeSet};

use registry::package::{Package, Unpacked};

/// A file of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileContents {
    /// The bytes.
    pub content: Vec<u8>,
    /// Whether the file is executable: mode 0755 instead of 0644.
    pub executable: bool,
}

/// The files of a package by their paths. The default has no files.
#[derive(Debug, Clone, Default)]
pub struct PackageContents(BTreeMap<String, FileContents>);

impl PackageContents {
    /// The file at `path`.
    pub fn get(&self, path: &str) -> Option<&FileContents> {
        self.0.get(path)
    }
}

/// The paths of both packages, sorted, each once.
pub(super) fn all_paths<'a>(
    old: &'a PackageContents,
    new: &'a PackageContents,
) -> impl Iterator<Item = &'a str> {
    let paths: BTreeSet<&str> = old.0.keys().chain(new.0.keys()).map(String::as_str).collect();
    paths.into_iter()
}

impl FromIterator<(String, FileContents)> for PackageContents {
    fn from_iter<I: IntoIterator<Item = (String, FileContents)>>(files: I) -> Self {
        Self(files.into_iter().collect())
    }
}

impl From<Unpacked> for PackageContents {
    fn from(unpacked: Unpacked) -> Self {
        let files = unpacked.files.into_iter();
        files
            .map(|file| {
                let contents = FileContents { content: file.content, executable: file.executable };
                (file.path.as_str().to_owned(), contents)
            })
            .collect()
    }
}

impl From<&Package> for PackageContents {
    fn from(package: &Package) -> Self {
        let files = package.files.iter();
        files
            .map(|file| {
                // Every listed file has its bytes.
                let content = package.read(&file.path).unwrap_or_default().to_vec();
                (file.path.clone(), FileContents { content, executable: file.executable })
            })
            .collect()
    }
}

//! A package to import.

use std::path::PathBuf;

use client::publish::local_package::{self, IgnoredFiles};
use registry::names::{Namespace, Slug};
use registry::package::{Package, ReadOptions};
use registry::time::Timestamp;

/// The refusal of a link that nobody has named.
pub const IS_LINK: &str = "it is a symbolic link, which may lead anywhere: replace it with the file";

/// A package to import, and its entry in a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPackage {
    /// A zip, or the folder of a skill.
    pub path: PathBuf,
    /// The namespace from the manifest.
    pub namespace: Option<Namespace>,
    /// The slug from the manifest.
    pub slug: Option<Slug>,
    /// The version from the manifest, as it was written.
    pub version: Option<String>,
    /// The time of publication from the manifest.
    pub published: Option<Timestamp>,
    /// Why the package cannot be imported, if the manifest already shows it.
    pub refusal: Option<String>,
}

impl FoundPackage {
    /// A package without a manifest.
    pub fn at(path: PathBuf) -> Self {
        Self { path, namespace: None, slug: None, version: None, published: None, refusal: None }
    }

    /// The name for a package that does not contain its own.
    pub fn name(&self) -> Option<String> {
        local_package::name_of(&self.path)
    }

    /// The name from the manifest, or the path without a version at the end: `x/hello` for
    /// `x/hello-1.0.0.zip`.
    pub fn sort_name(&self) -> String {
        if let (Some(namespace), Some(slug)) = (&self.namespace, &self.slug) {
            return format!("{namespace}/{slug}");
        }
        let path = self.path.to_string_lossy();
        let stem = path.strip_suffix(".zip").unwrap_or(&path);
        stem.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '_' | 'v')).to_owned()
    }

    /// Reads and validates the package: a folder, or a zip of at most `zip_limit` bytes. The
    /// error is the reason for the refusal.
    pub fn read(&self, options: &ReadOptions<'_>, zip_limit: u64) -> Result<Package, String> {
        if let Some(why) = &self.refusal {
            return Err(why.clone());
        }
        local_package::read_package(&self.path, options, zip_limit, IgnoredFiles::Include)
            .map(|local| local.package)
            .map_err(|why| why.to_string())
    }
}

/// Sorts packages by time of publication, and those without a time last. The order is otherwise kept.
pub fn sort_by_time(packages: &mut [FoundPackage]) {
    packages.sort_by_key(|package| (package.published.is_none(), package.published));
}

//! One package to import.

use std::path::PathBuf;

use client::local_package;
use registry::names::{Namespace, Slug};
use registry::package::{Package, ReadOptions};
use registry::time::Timestamp;

/// A package to import, and its entry in a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
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

impl Item {
    /// A package without a manifest.
    pub fn at(path: PathBuf) -> Self {
        Self { path, namespace: None, slug: None, version: None, published: None, refusal: None }
    }

    /// The name for a package that does not contain its own.
    pub fn name(&self) -> Option<String> {
        local_package::name_of(&self.path)
    }

    /// Reads and validates the package: a folder, or a zip of at most `zip_limit` bytes. The
    /// error is the reason for the refusal.
    pub fn read(&self, options: &ReadOptions<'_>, zip_limit: u64) -> Result<Package, String> {
        if let Some(why) = &self.refusal {
            return Err(why.clone());
        }
        local_package::read_package(&self.path, options, zip_limit).map_err(|why| why.to_string())
    }
}

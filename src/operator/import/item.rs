//! One package to import.

use std::path::PathBuf;

use client::local_package;
use registry::names::{Namespace, Slug};
use registry::package::{Package, ReadOptions};
use registry::time::Timestamp;

/// A package to import, and what a manifest says about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// A zip, or the folder of a skill.
    pub path: PathBuf,
    /// Whose it is.
    pub namespace: Option<Namespace>,
    /// What it is called.
    pub slug: Option<Slug>,
    /// Which version it is, as it was written.
    pub version: Option<String>,
    /// When it was published.
    pub published: Option<Timestamp>,
    /// Why it cannot be imported, where that is known already.
    pub refusal: Option<String>,
}

impl Item {
    pub fn at(path: PathBuf) -> Self {
        Self { path, namespace: None, slug: None, version: None, published: None, refusal: None }
    }

    /// The name that stands for a missing one: the folder's, or the zip's
    /// without its ending.
    pub fn name(&self) -> Option<String> {
        local_package::name_of(&self.path)
    }

    /// What a progress bar shows.
    pub fn shown(&self) -> String {
        self.name().unwrap_or_default()
    }

    /// Reads and validates the package, a zip of at most `zip_limit` bytes or a
    /// folder; the error is the reason of a refusal.
    pub fn read(&self, options: &ReadOptions<'_>, zip_limit: u64) -> Result<Package, String> {
        if let Some(why) = &self.refusal {
            return Err(why.clone());
        }
        local_package::read_package(&self.path, options, zip_limit).map_err(|why| why.to_string())
    }
}

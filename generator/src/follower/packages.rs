//! Downloading packages.

use std::fs::File;

use registry::names::Digest;
use registry::public::{Published, Skill};

use super::error::FollowError;
use super::source::FeedReader;
use crate::address::Document;
use crate::tree::Tree;

/// A package that a row names.
pub(super) struct NeededPackage {
    pub document: Document,
    pub sha256: Digest,
    pub size: u64,
}

impl NeededPackage {
    /// The package of a published version.
    pub fn of_version(published: &Published) -> Self {
        Self {
            document: Document::Package(published.coordinate(), published.version.clone()),
            sha256: published.sha256,
            size: published.package_size,
        }
    }

    /// The packages of all versions of a skill.
    pub fn of_skill(skill: &Skill) -> impl Iterator<Item = Self> {
        skill.versions.iter().map(|entry| Self {
            document: Document::Package(skill.coordinate.clone(), entry.version.clone()),
            sha256: entry.sha256,
            size: entry.package_size,
        })
    }

    /// Downloads the package, unless it is in the cache or in the tree.
    pub fn ensure(&self, feed: &FeedReader) -> Result<(), FollowError> {
        let exists = feed.cache.package(self.sha256)?.is_some()
            || feed.tree.has(&self.document, self.size, self.sha256)?;
        if exists { Ok(()) } else { self.download(feed) }
    }

    /// Opens the package in the tree. None if the tree lacks it, or has another one.
    pub fn in_tree(&self, tree: &Tree) -> Option<File> {
        let exists = tree.has(&self.document, self.size, self.sha256).unwrap_or(false);
        if exists { tree.open(&self.document).ok().flatten() } else { None }
    }

    /// Downloads the package into the cache.
    pub fn download(&self, feed: &FeedReader) -> Result<(), FollowError> {
        let refused = |why: String| feed.refused(&self.document, why);
        let mut reader = feed.open(&self.document)?;
        // The error may come from the source or from our disk; its text says which.
        let digest = feed.cache.set_package(self.sha256, self.size, &mut reader);
        let digest = digest.map_err(|why| refused(format!("cannot be downloaded: {why}")))?;
        if digest != self.sha256 {
            return Err(refused(format!("is not the package that the feed names: its sha256 is {digest}")));
        }
        Ok(())
    }
}

//! Getting packages.

use registry::names::Digest;
use registry::public::{Published, Skill};

use super::FeedError;
use super::kept::{Kept, KeptPackage};
use super::source::{Source, open};
use crate::address::Document;
use crate::tree::Tree;

/// A package that a row names.
pub(super) struct Wanted {
    pub document: Document,
    pub sha256: Digest,
    pub size: u64,
}

impl Wanted {
    /// The package of a publication.
    pub fn by(published: &Published) -> Self {
        Self {
            document: Document::Package(published.coordinate(), published.version.clone()),
            sha256: published.sha256,
            size: published.package_size,
        }
    }

    /// The packages of a skill.
    pub fn of(skill: &Skill) -> impl Iterator<Item = Self> {
        skill.versions.iter().map(|entry| Self {
            document: Document::Package(skill.coordinate.clone(), entry.version.clone()),
            sha256: entry.sha256,
            size: entry.package_size,
        })
    }

    /// Gets the package from the source, unless it is kept or in the tree.
    pub fn ensure(&self, source: &dyn Source, kept: &Kept, tree: &Tree) -> Result<(), FeedError> {
        let is_there =
            kept.package(self.sha256)?.is_some() || tree.has(&self.document, self.size, self.sha256)?;
        if is_there { Ok(()) } else { self.fetch(source, kept) }
    }

    /// The package as it is in the tree. None where it is not, or is another.
    pub fn in_tree(&self, tree: &Tree) -> Option<KeptPackage> {
        let is_there = tree.has(&self.document, self.size, self.sha256).unwrap_or(false);
        let file = if is_there { tree.open(&self.document).ok().flatten() } else { None };
        file.map(|file| KeptPackage::new(file, self.size))
    }

    /// Gets the package from the source.
    pub fn fetch(&self, source: &dyn Source, kept: &Kept) -> Result<(), FeedError> {
        let refused = |why: String| FeedError::refused(source, &self.document, why);
        let mut reader = open(source, &self.document)?;
        // An error may be one of the source's or of our disk: it says which.
        let read = kept.set_package(self.sha256, self.size, &mut reader);
        let read = read.map_err(|why| refused(format!("cannot be fetched: {why}")))?;
        if read != self.sha256 {
            return Err(refused(format!("is not the package that the feed tells of: its sha256 is {read}")));
        }
        Ok(())
    }
}

//! Downloading packages.

use std::fs::File;

use registry::names::{Coordinate, Digest, Version};
use registry::public::{Published, Skill};

use super::error::FollowError;
use super::source::FeedReader;
use crate::address::Document;
use crate::tree::Tree;

/// The number of missing packages after which no more are requested.
const MAX_LACKING: usize = 20;

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

    /// An error about the package: `why` is the rest of a sentence about the package. The error says how
    /// to follow the source without it.
    pub fn refused(&self, feed: &FeedReader, why: &str) -> FollowError {
        feed.refused(&self.document, format!("{why}; {}", remedy(feed, &[self.denied()])))
    }

    /// The version, as a file for `--deny` has it.
    fn denied(&self) -> String {
        match &self.document {
            Document::Package(coordinate, version) => denied(coordinate, version),
            document => document.name(),
        }
    }

    /// Whether the package is in the cache or in the tree.
    fn is_here(&self, feed: &FeedReader) -> Result<bool, FollowError> {
        Ok(feed.cache.package(self.sha256)?.is_some()
            || feed.tree.has(&self.document, self.size, self.sha256)?)
    }

    /// Opens the package in the tree. None if the tree lacks it, or has another one.
    pub fn in_tree(&self, tree: &Tree) -> Option<File> {
        let exists = tree.has(&self.document, self.size, self.sha256).unwrap_or(false);
        if exists { tree.open(&self.document).ok().flatten() } else { None }
    }

    /// Downloads the package into the cache.
    pub fn download(&self, feed: &FeedReader) -> Result<(), FollowError> {
        self.fetch(feed)?.map_or(Ok(()), |why| Err(self.refused(feed, &why)))
    }

    /// Like [`Self::download`]. Returns why the source does not have the package, as the rest of a sentence about
    /// it.
    fn fetch(&self, feed: &FeedReader) -> Result<Option<String>, FollowError> {
        // The error may come from the source or from our disk; its text says which.
        let failed = |why| feed.refused(&self.document, format!("cannot be downloaded: {why}"));
        let Some(mut reader) = feed.source.open(&self.document).map_err(failed)? else {
            return Ok(Some("does not exist".into()));
        };
        let digest = feed.cache.set_package(self.sha256, self.size, &mut reader).map_err(failed)?;
        let is_other = digest != self.sha256;
        Ok(is_other.then(|| format!("is not the package that the feed names: its sha256 is {digest}")))
    }
}

/// Downloads all packages that are not here. Goes on after a missing one, so that the error can name several.
pub(super) fn ensure_all(packages: &[NeededPackage], feed: &FeedReader) -> Result<(), FollowError> {
    let (mut lacking, mut first) = (Vec::new(), None);
    let mut steps = feed.progress.begin("packages", || packages.len());
    for package in packages {
        steps.add(1);
        if !package.is_here(feed)?
            && let Some(why) = package.fetch(feed)?
        {
            lacking.push(package.denied());
            first.get_or_insert((&package.document, why));
            if lacking.len() == MAX_LACKING {
                break;
            }
        }
    }
    match first {
        None => Ok(()),
        Some((document, why)) => Err(feed.refused(document, format!("{why}; {}", remedy(feed, &lacking)))),
    }
}

/// A version, as a file for `--deny` has it.
pub(super) fn denied(coordinate: &Coordinate, version: &Version) -> String {
    format!("`{}@{version}`", coordinate.scoped())
}

/// How to follow a source without versions, which are named as [`denied`] does.
pub(super) fn remedy(feed: &FeedReader, names: &[String]) -> String {
    if !feed.source.can_deny() {
        return "copy it again from its source".into();
    }
    let (it, line) = if names.len() == 1 { ("it", "the line") } else { ("them", "the lines") };
    format!(
        "to follow the source without {it}, put {line} {} into a file, and name that with --deny or in \
         `mirror.feed_deny`",
        names.join(", ")
    )
}

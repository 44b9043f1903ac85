//! The files that one publication writes, found by comparing the folders.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use generator::address::{Tier, of_file};
use walkdir::WalkDir;

use crate::Failure;

/// The files that one publication writes.
#[derive(Debug, Clone, Default)]
pub struct Written {
    /// The sizes of replaced files of the tree.
    pub replaced: Vec<u64>,
    /// The sizes of new files of the tree.
    pub made: Vec<u64>,
    /// The number of replaced and new files that are compressed siblings.
    pub siblings: usize,
    /// Further names of files that were written.
    pub links: usize,
    /// The number of replaced and new files that are precomputed results.
    pub answers: usize,
    /// Bytes of the package in the blob store.
    pub blob: u64,
    /// Bytes by which the journal's log grows.
    pub log: u64,
}

/// The inode of every file of a tree.
pub struct Inodes(HashMap<PathBuf, u64>);

impl Inodes {
    /// Reads the inodes of the tree as it is now.
    pub fn of(tree: &Path) -> Result<Self, Failure> {
        let mut found = HashMap::new();
        for entry in WalkDir::new(tree) {
            let entry = entry?;
            if entry.file_type().is_file() {
                found.insert(entry.path().to_owned(), entry.metadata()?.ino());
            }
        }
        Ok(Self(found))
    }

    /// The files of these tiers that were written into the tree after `self` was read. A
    /// replaced file has a new inode.
    pub fn since(&self, tree: &Path, tiers: &[Tier]) -> Result<Written, Failure> {
        let mut written = Written::default();
        let mut seen = HashSet::new();
        for (path, inode) in Self::of(tree)?.0 {
            let before = self.0.get(&path);
            if before == Some(&inode) || !tiers.contains(&tier_of(path.strip_prefix(tree)?)?) {
                continue;
            }
            let size = fs::metadata(&path)?.len();
            let is_sibling = path.extension().is_some_and(|suffix| suffix == "gz");
            let is_answer = path.components().any(|part| part.as_os_str() == "_q");
            written.siblings += usize::from(is_sibling);
            written.answers += usize::from(is_answer && !is_sibling);
            match before {
                _ if !seen.insert(inode) => written.links += 1,
                Some(_) => written.replaced.push(size),
                None => written.made.push(size),
            }
        }
        Ok(written)
    }
}

/// The tier of a file of the tree.
fn tier_of(file: &Path) -> Result<Tier, Failure> {
    let name = file.to_str().ok_or("a file name that is no text")?;
    let (document, _) = of_file(name.strip_suffix(".gz").unwrap_or(name))
        .ok_or_else(|| format!("{name} is no file of a tree"))?;
    Ok(document.stage().tier())
}

impl Written {
    /// Files of the tree, every name of a package counted.
    pub fn files(&self) -> usize {
        self.replaced.len() + self.made.len() + self.links
    }

    /// Bytes written into the tree.
    pub fn bytes(&self) -> u64 {
        self.replaced.iter().chain(&self.made).sum()
    }
}

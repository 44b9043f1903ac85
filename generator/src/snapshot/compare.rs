//! Compares the files of a snapshot with a tree that was made from its rows and packages.

use std::io::Read;

use registry::names::Digest;

use super::entry::{Body, Entry};
use super::manifest::{MANIFEST, Manifest};
use super::proofs::check_proof;
use super::read::Visitor;
use super::{SnapshotError, SnapshotLimits, read};
use crate::address::Document;
use crate::tree::{Tree, TreeFile};

/// A tree that a snapshot is compared with.
pub struct Compare<'a> {
    tree: &'a Tree,
    compared: u64,
}

impl<'a> Compare<'a> {
    /// Compares with `tree`.
    pub fn with(tree: &'a Tree) -> Self {
        Self { tree, compared: 0 }
    }

    /// Compares every file of a full snapshot, except what is signed.
    pub fn run(&mut self, input: impl Read, limits: &SnapshotLimits) -> Result<(), SnapshotError> {
        read(input, limits, self)?;
        // Both are sorted, and each file of the snapshot is in the tree.
        let mut compared = 0;
        for file in self.tree.files().map_err(SnapshotError::Read)? {
            let file = file.map_err(SnapshotError::Read)?;
            compared += u64::from(!is_signed(&file.document));
        }
        if compared == self.compared {
            return Ok(());
        }
        let (has, needs) = (self.compared, compared);
        let why = format!("lists too few files: {has} of {needs} in the tree of these rows");
        Err(SnapshotError::refused(MANIFEST, why))
    }

    fn find(&self, path: &str) -> Result<TreeFile, SnapshotError> {
        let file = self.tree.file(path).map_err(SnapshotError::Read)?;
        file.ok_or_else(|| SnapshotError::refused(path, "is not in the tree of these rows"))
    }

    fn digest(&self, path: &str) -> Result<Digest, SnapshotError> {
        let file = self.tree.open_file(path).map_err(SnapshotError::Read)?;
        Ok(Digest::of_reader(file).map_err(SnapshotError::Read)?.0)
    }
}

/// Whether only the signature can tell whether a document is right.
fn is_signed(document: &Document) -> bool {
    matches!(document, Document::Checkpoint | Document::EpochStatement)
}

impl Visitor for Compare<'_> {
    fn begin(&mut self, _: &Manifest) -> Result<(), SnapshotError> {
        Ok(())
    }

    fn file(&mut self, entry: &Entry, content: &mut dyn Read) -> Result<(), SnapshotError> {
        if is_signed(&entry.document) {
            return Ok(());
        }
        if matches!(entry.document, Document::Proof(..)) {
            return check_proof(self.tree, entry, content);
        }
        self.compared += 1;
        let file = self.find(&entry.path)?;
        let is_same = match &entry.body {
            Body::Link { target } => {
                let target = self.find(target)?;
                file.is_same_as(&target) || self.digest(&file.path)? == self.digest(&target.path)?
            }
            Body::Bytes { size } => {
                let (found, _) = Digest::of_reader(content).map_err(SnapshotError::of_read)?;
                file.size() == *size && found == self.digest(&file.path)?
            }
        };
        if is_same {
            return Ok(());
        }
        Err(SnapshotError::refused(&entry.path, "is another one than in the tree of these rows"))
    }
}

//! Compares the files of a snapshot with a tree that was made from its rows and packages.

use std::io::Read;

use registry::names::Digest;

use super::delta::is_always_new;
use super::entry::{Body, Entry};
use super::manifest::MANIFEST;
use super::read::{Part, SnapshotReader};
use super::{SnapshotError, SnapshotLimits};
use crate::address::Document;
use crate::tree::{Tree, TreeFile};

/// Compares every file of a snapshot with `tree`, except what is signed. Unless it `knows_look`, it also leaves out
/// what shows the look of the site. A full snapshot must have all files of the tree; a delta all files that differ
/// from `base`, which it continues.
pub fn compare(
    tree: &Tree,
    base: Option<&Tree>,
    knows_look: bool,
    input: impl Read,
    limits: &SnapshotLimits,
) -> Result<(), SnapshotError> {
    let mut snapshot = SnapshotReader::open(input, limits)?;
    let needs = Needs::of(tree, base, knows_look);
    let mut has = 0;
    while let Some(part) = snapshot.next_part()? {
        match part {
            Part::File(entry) => {
                if !needs.skips(&entry.document) {
                    compare_file(tree, &entry, &mut snapshot)?;
                }
                has += u64::from(needs.file(&entry.path, &entry.document)?);
            }
            Part::Removed(Entry { path, document, .. }) => {
                if !needs.skips(&document) && tree.file(&path).map_err(SnapshotError::Read)?.is_some() {
                    return Err(SnapshotError::refused(path, "is removed, but in the tree of these rows"));
                }
                has += u64::from(needs.removal(&path, &document)?);
            }
        }
    }
    // Each file of the snapshot is counted once, so it lacks one if the counts differ.
    let needed = needs.count()?;
    if needed == has {
        return Ok(());
    }
    let why = format!("lists too few files: {has} of {needed} in the tree of these rows");
    Err(SnapshotError::refused(MANIFEST, why))
}

/// The files that a snapshot of a tree must have, and those that it must remove.
struct Needs<'a> {
    tree: &'a Tree,
    base: Option<&'a Tree>,
    /// Whether documents that depend on the public URL are other ones in the base.
    has_other_url: bool,
    /// Whether documents that show the look of the site are other ones in the base.
    has_other_look: bool,
    knows_look: bool,
}

impl<'a> Needs<'a> {
    fn of(tree: &'a Tree, base: Option<&'a Tree>, knows_look: bool) -> Self {
        let of = |tree: &Tree| tree.settings().map(|settings| (settings.public_url, settings.site)).unzip();
        let ((url, look), (url_before, look_before)) = (of(tree), base.map_or((None, None), of));
        let (has_other_url, has_other_look) = (url != url_before, look != look_before);
        Self { tree, base, has_other_url, has_other_look, knows_look }
    }

    /// Whether a document cannot be compared.
    fn skips(&self, document: &Document) -> bool {
        is_signed(document) || !self.knows_look && shows_look(document)
    }

    /// Whether the base can tell whether a document has changed.
    fn can_tell(&self, document: &Document) -> bool {
        let is_other =
            self.has_other_url && document.is_site_bound() || self.has_other_look && shows_look(document);
        !(is_always_new(document) || self.skips(document) || is_other)
    }

    /// Whether the file at a path is needed, which the tree has.
    fn file(&self, path: &str, document: &Document) -> Result<bool, SnapshotError> {
        let Some(base) = self.base else { return Ok(!self.skips(document)) };
        if !self.can_tell(document) {
            return Ok(false);
        }
        let Some(before) = base.file(path).map_err(SnapshotError::Read)? else { return Ok(true) };
        let after = find(self.tree, path)?;
        Ok(before.size() != after.size() || digest(base, &before)? != digest(self.tree, &after)?)
    }

    /// Whether the removal of a path is needed, which the tree does not have.
    fn removal(&self, path: &str, document: &Document) -> Result<bool, SnapshotError> {
        let Some(base) = self.base else { return Ok(false) };
        Ok(self.can_tell(document) && base.file(path).map_err(SnapshotError::Read)?.is_some())
    }

    fn count(&self) -> Result<u64, SnapshotError> {
        let mut needed = 0;
        for file in self.tree.files().map_err(SnapshotError::Read)? {
            let file = file.map_err(SnapshotError::Read)?;
            needed += u64::from(self.file(&file.path, &file.document)?);
        }
        let Some(base) = self.base else { return Ok(needed) };
        for file in base.files().map_err(SnapshotError::Read)? {
            let TreeFile { path, document, .. } = file.map_err(SnapshotError::Read)?;
            let is_gone = self.tree.file(&path).map_err(SnapshotError::Read)?.is_none();
            needed += u64::from(is_gone && self.can_tell(&document));
        }
        Ok(needed)
    }
}

fn compare_file(tree: &Tree, entry: &Entry, content: &mut dyn Read) -> Result<(), SnapshotError> {
    let file = find(tree, &entry.path)?;
    let is_same = match &entry.body {
        Body::Link { target } => {
            let target = find(tree, target)?;
            file.is_same_as(&target) || digest(tree, &file)? == digest(tree, &target)?
        }
        Body::Bytes { size } => {
            let (found, _) = Digest::of_reader(content).map_err(SnapshotError::of_read)?;
            file.size() == *size && found == digest(tree, &file)?
        }
    };
    if is_same {
        return Ok(());
    }
    Err(SnapshotError::refused(&entry.path, "is another one than in the tree of these rows"))
}

fn find(tree: &Tree, path: &str) -> Result<TreeFile, SnapshotError> {
    let file = tree.file(path).map_err(SnapshotError::Read)?;
    file.ok_or_else(|| SnapshotError::refused(path, "is not in the tree of these rows"))
}

fn digest(tree: &Tree, file: &TreeFile) -> Result<Digest, SnapshotError> {
    let file = tree.open_file(&file.path).map_err(SnapshotError::Read)?;
    Ok(Digest::of_reader(file).map_err(SnapshotError::Read)?.0)
}

/// Whether a document shows what an operator has chosen for the look of the site.
fn shows_look(document: &Document) -> bool {
    matches!(
        document,
        Document::Page(_)
            | Document::Asset(_)
            | Document::Crawlers(_)
            | Document::LlmsTxt
            | Document::SkillMarkdown(_)
    )
}

/// Whether only the signature can tell whether a document is right.
fn is_signed(document: &Document) -> bool {
    matches!(document, Document::Checkpoint | Document::EpochStatement)
}

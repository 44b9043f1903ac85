//! Which packages of a snapshot are links, because another file has the same package.

use std::io;

use registry::names::{Coordinate, Digest, TagName};

use super::entry::{Body, Entry};
use super::header::can_be_target;
use crate::address::{Document, Pointer};
use crate::tree::{Tree, TreeFile};

/// Decides for each file of a tree, in their order, whether it becomes a link. The decision
/// depends on the contents only, not on links in the tree, so every copy of a tree makes the same
/// snapshot.
#[derive(Default)]
pub struct Linker {
    /// The packages of one skill at the addresses that come first.
    skill: Option<Coordinate>,
    packages: Vec<TreeFile>,
}

impl Linker {
    /// The entry of a file.
    pub fn entry(&mut self, tree: &Tree, file: TreeFile) -> io::Result<Entry> {
        let (path, document) = (file.path.clone(), file.document.clone());
        let target = self.target(tree, file)?;
        let body = match target {
            Ok(target) => Body::Link { target },
            Err(size) => Body::Bytes { size },
        };
        Ok(Entry { path, document, body })
    }

    /// The file that has the same package, or else the size.
    fn target(&mut self, tree: &Tree, file: TreeFile) -> io::Result<Result<String, u64>> {
        let size = file.size();
        if let Document::CompatPackage(coordinate, _) = &file.document {
            if self.skill.as_ref() != Some(coordinate) {
                self.skill = Some(coordinate.clone());
                self.packages.clear();
            }
            for other in &self.packages {
                if is_equal(tree, other, &file)? {
                    return Ok(Ok(other.path.clone()));
                }
            }
            if can_be_target(&file.path) {
                self.packages.push(file);
            }
            return Ok(Err(size));
        }
        let Some(target) = compat_address(&file.document).and_then(|document| document.file()) else {
            return Ok(Err(size));
        };
        if !can_be_target(&target) {
            return Ok(Err(size));
        }
        match tree.file(&target)? {
            Some(other) if is_equal(tree, &other, &file)? => Ok(Ok(target)),
            _ => Ok(Err(size)),
        }
    }
}

/// The address of a package that comes first in a snapshot.
pub fn compat_address(document: &Document) -> Option<Document> {
    match document {
        Document::Package(coordinate, version) => {
            Some(Document::CompatPackage(coordinate.clone(), Pointer::Version(version.clone())))
        }
        Document::LatestPackage(coordinate) => {
            let latest = Pointer::Tag(TagName::latest());
            Some(Document::CompatPackage(coordinate.clone(), latest))
        }
        _ => None,
    }
}

fn is_equal(tree: &Tree, one: &TreeFile, other: &TreeFile) -> io::Result<bool> {
    if one.size() != other.size() {
        return Ok(false);
    }
    if one.is_same_as(other) {
        return Ok(true);
    }
    let digest = |file: &TreeFile| Ok::<_, io::Error>(Digest::of_reader(tree.open_file(&file.path)?)?.0);
    Ok(digest(one)? == digest(other)?)
}

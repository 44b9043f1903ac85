//! Which packages of a snapshot are links, because another file has the same package.

use std::io;

use registry::names::Digest;

use super::header::can_be_target;
use crate::address::{Document, Pointer};
use crate::tree::{Tree, TreeFile};

/// The path of the file that comes earlier and has the same package. The answer depends on the
/// contents only, not on links in the tree, so every copy of a tree makes the same snapshot.
pub fn target_of(tree: &Tree, file: &TreeFile) -> io::Result<Option<String>> {
    let packages = match &file.document {
        Document::CompatPackage(skill, Pointer::Version(version)) => {
            let package = Document::Package(skill.clone(), version.clone()).file();
            package.map_or(Ok(None), |path| tree.file(&path))?.into_iter().collect()
        }
        Document::CompatPackage(skill, Pointer::Tag(_)) | Document::LatestPackage(skill) => {
            tree.packages_of(skill)?
        }
        _ => return Ok(None),
    };
    for package in packages {
        if can_be_target(&package.path) && is_equal(tree, &package, file)? {
            return Ok(Some(package.path));
        }
    }
    Ok(None)
}

/// Whether a document may be a link to the package of another one.
pub fn may_link(document: &Document, target: &Document) -> bool {
    let Document::Package(of, version) = target else { return false };
    match document {
        Document::CompatPackage(skill, Pointer::Version(own)) => (skill, own) == (of, version),
        Document::CompatPackage(skill, Pointer::Tag(_)) | Document::LatestPackage(skill) => skill == of,
        _ => false,
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
